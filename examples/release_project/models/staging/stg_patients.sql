-- What a release needs, and no identifier. Age takes the place of the date of birth.
SELECT
    date_sub('year', birth_date, admitted_on) AS age,
    sex,
    zip,
    strftime(admitted_on, '%Y-%m') AS month,
    disease
FROM {{ ref('raw_patients') }}
