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
