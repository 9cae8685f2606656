-- For research: no disease takes more than a third of any group. One release a month, of the patients of that month;
-- one that is there is not made again: dbt build --vars 'month: 2024-02'
{{ config(materialized='incremental', full_refresh=false) }}

SELECT '{{ var("month") }}' AS month, *
FROM ldiverse(
    {{ sqlanon.table("SELECT age, sex, zip, disease FROM " ~ ref("stg_patients") ~ " WHERE month = '" ~ var("month") ~ "'") }},
    ['age', 'sex', 'zip'], 'disease', 3,
    taxonomy := {'zip': {{ sqlanon.table(ref("zip_areas")) }}}
)
{% if is_incremental() %}
WHERE '{{ var("month") }}' NOT IN (SELECT month FROM {{ this }})
{% endif %}
