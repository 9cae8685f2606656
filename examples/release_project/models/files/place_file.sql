-- What leaves the house. If a test of the release fails, dbt does not write it; nor if k does not hold in the file.
{{ config(
    materialized='release_file', location='patients_by_place.parquet',
    meta={'release': {'quasi_identifiers': ['age', 'sex', 'zip'], 'k': 10}}
) }}

SELECT * FROM {{ ref('patients_by_place') }}
