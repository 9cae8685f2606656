-- What a column's type allows: a range of values, a category, or no use as a quasi-identifier at all.

-- _sqlanon_kind(type_name): 'range', 'category' or 'refused', from typeof(column).
CREATE OR REPLACE TEMP MACRO _sqlanon_kind(type_name) AS
    CASE
        WHEN type_name LIKE '%[]' OR type_name LIKE '%]' THEN 'refused'
        WHEN type_name IN (
            'TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'HUGEINT',
            'UTINYINT', 'USMALLINT', 'UINTEGER', 'UBIGINT', 'UHUGEINT', 'BIGNUM',
            'FLOAT', 'DOUBLE',
            'DATE', 'TIME', 'TIME_NS', 'INTERVAL',
            'TIMESTAMP', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP_NS', 'TIMESTAMP WITH TIME ZONE'
        ) OR type_name LIKE 'DECIMAL(%)' THEN 'range'
        WHEN type_name IN ('VARCHAR', 'BOOLEAN', 'UUID', '"NULL"', 'NULL')
            OR type_name LIKE 'ENUM(%)' THEN 'category'
        ELSE 'refused'
    END;

-- _sqlanon_measurable(value): the value in a type that Arrow hands over as a number without loss of range.
CREATE OR REPLACE TEMP MACRO
    _sqlanon_measurable(v HUGEINT) AS CAST(v AS DOUBLE),
    (v UHUGEINT) AS CAST(v AS DOUBLE),
    (v BIGNUM) AS CAST(v AS DOUBLE),
    (v INTERVAL) AS epoch(v),
    (v) AS v;
