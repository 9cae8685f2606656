-- What leaves the house. If a test of the release fails, dbt does not write it; nor if l does not hold in the file.
{{ config(
    materialized='release_file', location='patients_by_disease.parquet',
    meta={'release': {'quasi_identifiers': ['month', 'age', 'sex', 'zip'], 'sensitive_column': 'disease', 'l': 3}}
) }}

SELECT * FROM {{ ref('patients_by_disease') }}
