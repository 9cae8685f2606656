-- adult(complete): the UCI Adult table, 48,842 people in 15 columns; what the source left out is NULL. Or only those of whom it
-- left out nothing.
CREATE MACRO adult(complete := false) AS TABLE
    FROM query(_sqlanon_plan('adult', {'complete': complete}));

-- _sqlanon_blocks(function, "rows", seed): the blocks in which a made-up table is drawn: number and size of each. 128
-- rows, as in udfs/synthetic/blocks.py: see there why.
CREATE MACRO _sqlanon_blocks(function, "rows", seed) AS TABLE
    SELECT
        range AS number,
        least(128, CAST(CAST("rows" AS VARCHAR) AS BIGINT) - 128 * range) AS size
    FROM range(
        CASE
            WHEN coalesce(TRY_CAST(CAST("rows" AS VARCHAR) AS BIGINT), -1) < 0
                THEN error('[SA102] rows of ' || function || ' is a number, 0 or more. '
                    || 'Write, for example, ' || function || '(1000).')
            WHEN coalesce(TRY_CAST(CAST(seed AS VARCHAR) AS BIGINT), -1) < 0
                THEN error('[SA102] seed of ' || function || ' is a number, 0 or more. '
                    || 'Write, for example, ' || function || '(1000, seed := 7).')
            ELSE (CAST(CAST("rows" AS VARCHAR) AS BIGINT) + 127) // 128
        END
    );

-- census("rows", seed): that many made-up people in 9 correlated columns (age, gender, education, marital,
-- race, workclass, country, occupation, salary). The same seed gives the same people, and a longer census
-- starts with the people of a shorter one.
CREATE MACRO census("rows", seed := 0) AS TABLE
    SELECT unnest(_sqlanon_census(number, size, CAST(seed AS BIGINT)), recursive := true)
    FROM _sqlanon_blocks('census', "rows", seed);

-- wide_census("rows", seed): that many made-up people in 68 short columns, c01 … c68, with 2 to 18 values each, skewed
-- and dependent. The same seed gives the same people, and a longer census starts with the people of a shorter one.
CREATE MACRO wide_census("rows", seed := 0) AS TABLE
    SELECT unnest(_sqlanon_wide_census(number, size, CAST(seed AS BIGINT)), recursive := true)
    FROM _sqlanon_blocks('wide_census', "rows", seed);

-- adult_taxonomy("column"): one row per value of a text column of adult(): the value, then ever more general
-- labels, '*' last.
CREATE MACRO adult_taxonomy("column") AS TABLE
    FROM query(_sqlanon_plan('adult_taxonomy', {'column': "column"}));

-- census_taxonomy("column"): the same for the text columns of census().
CREATE MACRO census_taxonomy("column") AS TABLE
    FROM query(_sqlanon_plan('census_taxonomy', {'column': "column"}));
