-- What leaves the house. If a test of the release fails, dbt does not write it.
{{ config(materialized='external', location='patients_by_place.parquet') }}

SELECT * FROM {{ ref('patients_by_place') }}
