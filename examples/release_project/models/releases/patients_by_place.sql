-- For planners: who comes from where, in groups of ten or more. It has no disease, so that it adds nothing to the other.
SELECT *
FROM kanonymous(
    {{ sqlanon.table(ref("stg_patients")) }}, ['age', 'sex', 'zip'], 10,
    taxonomy := {'zip': {{ sqlanon.table(ref("zip_areas")) }}}
)
