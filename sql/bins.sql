-- Which bin of a numeric taxonomy a value is in. A measure says how far along its axis a value lies (types.sql).

-- _sqlanon_wide_bin(measure, least, greatest, bins): the bin, from 0, if bins of equal width lie between least and greatest. Dividing by 2^20 first
-- keeps the largest numbers from overflowing, and changes no digit of others. What is rounded up to the end is in the last bin.
CREATE MACRO _sqlanon_wide_bin(measure, least, greatest, bins) AS
    CASE
        WHEN measure <= least OR measure = CAST('-infinity' AS DOUBLE) OR measure IS NULL THEN 0
        WHEN measure >= greatest OR greatest IS NULL THEN bins - 1
        ELSE least(bins - 1, coalesce(CAST(floor(
            (measure / 1048576 - least / 1048576) * bins / nullif(greatest / 1048576 - least / 1048576, 0)
        ) AS BIGINT), 0))
    END;

-- _sqlanon_cuts(type_name, cuts, refused): where the cuts lie on the axis of a type, in order, each once. A cut that is no finite value of the type is
-- refused in these words.
CREATE MACRO _sqlanon_cuts(type_name, cuts, refused) AS
    CASE
        WHEN _sqlanon_kind(type_name) <> 'range' THEN CAST([] AS DOUBLE[])
        WHEN len(list_filter(cuts, lambda cut: NOT coalesce(isfinite(_sqlanon_measure(type_name, 'range', cut)), FALSE))) > 0 THEN error(refused)
        ELSE list_sort(list_distinct(list_transform(cuts, lambda cut: _sqlanon_measure(type_name, 'range', cut))), 'ASC', 'NULLS LAST')
    END;

-- _sqlanon_cut_bin(measure, cuts): the bin, from 0: a value at a cut is in the bin that starts there.
CREATE MACRO _sqlanon_cut_bin(measure, cuts) AS len(list_filter(cuts, lambda cut: cut <= measure));
