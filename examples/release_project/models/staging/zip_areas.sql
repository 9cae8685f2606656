-- The taxonomy of zip: from the value itself to the root.
SELECT DISTINCT
    zip,
    zip[1:3] || '**' AS area,
    CASE zip[1] WHEN '1' THEN 'Berlin' WHEN '2' THEN 'Hamburg' ELSE 'Munich' END AS city,
    '*' AS everywhere
FROM {{ ref('stg_patients') }}
