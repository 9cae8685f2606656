-- Columns: what does a table hold, and which of its columns lead to people?

-- _sqlanon_distinct_text(type_name, text): a text that is the same for equal values. 1 month and 30 days are equal INTERVALs that print in
-- two ways.
CREATE MACRO _sqlanon_distinct_text(type_name, label) AS
    CASE
        WHEN type_name = 'INTERVAL' THEN CAST(_sqlanon_microseconds(TRY_CAST(label AS INTERVAL)) AS VARCHAR)
        ELSE label
    END;

-- _sqlanon_passes_luhn(digits): whether the last digit of a card number fits the others.
CREATE MACRO _sqlanon_passes_luhn(digits) AS
    list_aggregate(list_transform(
        string_split(reverse(digits), ''),
        lambda digit, position: CASE
            WHEN position % 2 = 1 THEN CAST(digit AS INTEGER)
            ELSE CAST(digit AS INTEGER) * 2 // 10 + CAST(digit AS INTEGER) * 2 % 10
        END
    ), 'sum') % 10 = 0;

-- _sqlanon_shape(text): what one value looks like.
CREATE MACRO _sqlanon_shape(v) AS
    CASE
        WHEN contains(v, '@') AND regexp_full_match(v, '[^@\s]+@[^@\s]+\.\p{L}{2,}') THEN 'e-mail'
        WHEN regexp_full_match(v, '(?i)(https?|ftp)://\S+|www\.\S+\.\S+') THEN 'URL'
        WHEN length(v) = 36 AND regexp_full_match(v, '[\da-fA-F]{8}(-[\da-fA-F]{4}){3}-[\da-fA-F]{12}') THEN 'UUID'
        WHEN regexp_full_match(v, '((25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(25[0-5]|2[0-4]\d|1?\d?\d)(/\d{1,2})?') THEN 'IP address'
        WHEN regexp_full_match(v, '([\da-fA-F]{1,4}:){7}[\da-fA-F]{1,4}|([\da-fA-F]{1,4}:){1,7}(:[\da-fA-F]{1,4}){0,7}:?')
            AND length(v) > 8 THEN 'IP address'
        WHEN regexp_full_match(v, '[A-Z]{2}\d{2}( ?[A-Z\d]{4}){2,7}( ?[A-Z\d]{1,3})?') THEN 'bank account'
        WHEN regexp_full_match(v, '\d{3}-\d{2}-\d{4}|\d{8}-?[A-Z]|[A-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]') THEN 'national id'
        WHEN regexp_full_match(v, '\d{4}([ -]?\d{4}){2}[ -]?\d{1,7}|3\d{3}[ -]?\d{6}[ -]?\d{5}')
            AND _sqlanon_passes_luhn(regexp_replace(v, '\D', '', 'g')) THEN 'card number'
        WHEN regexp_full_match(v, '(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](\d{2}|\d{4}))([ T]\d{1,2}:\d{2}.*)?')
            THEN 'date'
        WHEN regexp_full_match(v, '\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?( ?[AaPp][Mm])?') THEN 'time'
        WHEN regexp_full_match(
            v, '\d{5}(-\d{4})?|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|\d{4} ?[A-Z]{2}|\d{2}-\d{3}'
        ) THEN 'postal code'
        WHEN regexp_full_match(
            v, '\+\d[\d ()./-]{5,18}\d|\(\d{2,5}\)[\d ./-]{5,12}\d|0\d{1,4}[ /-]\d[\d -]{4,10}\d|\d{3}[ .-]\d{3}[ .-]\d{4}'
        ) THEN 'phone'
        WHEN regexp_full_match(v, '[A-TV-Z]\d[\dAB]\.[\dA-Z]{1,4}') THEN 'diagnosis code'
        WHEN NOT TRY_CAST(v AS DOUBLE) IS NULL THEN 'number'
        WHEN regexp_matches(v, '\S\s+\S+\s+\S+\s+\S+\s+\S') THEN 'free text'
        WHEN regexp_full_match(v, '\p{Lu}[\p{L}''’.-]*(,? \p{Lu}[\p{L}''’.-]*){1,3}') THEN 'name'
        WHEN regexp_full_match(v, '[A-Za-z\d._/#-]*\d[A-Za-z\d._/#-]*') THEN 'code'
        ELSE 'text'
    END;

-- _sqlanon_typed_shape(type_name): what values of a type look like where it is not text.
CREATE MACRO _sqlanon_typed_shape(type_name) AS
    CASE
        WHEN type_name = 'BOOLEAN' THEN 'boolean'
        WHEN type_name = 'UUID' THEN 'UUID'
        WHEN type_name = 'DATE' OR type_name LIKE 'TIMESTAMP%' THEN 'date'
        WHEN type_name IN ('TIME', 'TIME_NS', 'INTERVAL') THEN 'time'
        WHEN _sqlanon_kind(type_name) = 'range' THEN 'number'
    END;

-- _sqlanon_words(name): the words of a column's name in small letters, whether it is written patient_id, patientId or PatientID. What OMOP puts
-- behind what it is about (gender_concept_id, condition_source_value) is left out.
CREATE MACRO _sqlanon_words(name) AS list_filter(
    string_split(lower(regexp_replace(
        regexp_replace(
            regexp_replace(
                regexp_replace(name, '(?i)_(source_)?(concept_id|concept|value)$', ''), '([a-z])([A-Z])', '\1 \2', 'g'
            ), '([A-Z])([A-Z][a-z])', '\1 \2', 'g'
        ), '[^A-Za-z]+', ' ', 'g'
    )), ' '),
    lambda word: word <> ''
);

-- _sqlanon_fits(…): whether the values of a column may be what its name means.
CREATE MACRO _sqlanon_fits(
    role, kind, lowest, highest, fewest, most, shape, share, numeric_share, whole_share, low, high, distinct_values, distinct_share
) AS
    (lowest IS NULL OR numeric_share < 0.8e0 OR (low >= lowest AND high <= highest))
    AND (distinct_values >= fewest OR distinct_share >= 0.5e0)
    AND (most IS NULL OR distinct_values <= most)
    AND CASE
        WHEN shape IN ('date', 'time') AND share >= 0.8e0 THEN kind IN ('date', 'date of birth')
        WHEN kind = 'date' THEN numeric_share >= 0.8e0 AND distinct_values > 2
        WHEN role = 'identifier' AND numeric_share >= 0.8e0 THEN whole_share >= numeric_share
        ELSE role <> 'identifier' OR shape <> 'boolean'
    END;

-- _sqlanon_percent(share): a share as people read it, rounded down, so that 100 % means all.
CREATE MACRO _sqlanon_percent(share) AS CAST(CAST(floor(100 * share) AS INTEGER) AS VARCHAR) || ' %';

-- _sqlanon_identifies(looks_like): whether values that look so lead to one person, alone or with a register that many can read.
CREATE MACRO _sqlanon_identifies(looks_like) AS looks_like IN (
    'e-mail', 'phone', 'name', 'national id', 'card number', 'bank account', 'address', 'URL', 'IP address', 'UUID', 'free text'
);

-- _sqlanon_looks_like(meaning, shape, share, numeric_share, distinct_share, low, high, years): what the values of a column look like: the shape of most of
-- them; where that leaves it open, the name of the column decides.
CREATE MACRO _sqlanon_looks_like(meaning, shape, share, numeric_share, distinct_share, low, high, years) AS
    CASE
        WHEN share >= 0.8e0 AND shape = 'date' THEN
            CASE
                WHEN struct_extract(meaning, 'kind') = 'date of birth' OR (meaning IS NULL AND years >= 30) THEN 'date of birth'
                ELSE 'date'
            END
        WHEN share >= 0.8e0 AND shape IN ('e-mail', 'URL', 'UUID', 'IP address', 'bank account', 'national id', 'card number', 'phone')
            THEN shape
        WHEN share >= 0.8e0 AND shape IN ('boolean', 'time') THEN shape
        WHEN share >= 0.5e0 AND shape = 'free text' AND distinct_share > 0.2e0 THEN shape
        WHEN struct_extract(meaning, 'kind') = 'date of birth' AND numeric_share >= 0.8e0 AND low >= 1800 AND high <= 2200 THEN 'date of birth'
        WHEN struct_extract(meaning, 'kind') NOT IN ('', 'date', 'date of birth') THEN struct_extract(meaning, 'kind')
        WHEN share >= 0.8e0 AND shape = 'postal code' AND meaning IS NULL THEN shape
        WHEN share >= 0.5e0 AND shape = 'diagnosis code' AND (meaning IS NULL OR struct_extract(meaning, 'role') = 'sensitive') THEN shape
        WHEN numeric_share >= 0.8e0 THEN 'number'
        WHEN share >= 0.8e0 AND shape = 'name' AND distinct_share >= 0.5e0 AND meaning IS NULL THEN 'name'
        WHEN distinct_share <= 0.5e0 THEN 'category'
        WHEN share >= 0.8e0 AND shape = 'code' THEN 'code'
    END;

-- _sqlanon_role_rule(…): the rule that suggests a role. Those that keep people safe come first.
CREATE MACRO _sqlanon_role_rule(
    judged, rows, known, distinct_values, distinct_share, unique_share, looks_like, shape, share, meaning, is_whole, low, high, numbered
) AS
    CASE
        WHEN NOT judged THEN 'not judged'
        WHEN known = 0 AND NOT meaning IS NULL THEN 'named'
        WHEN rows = 0 THEN 'no rows'
        WHEN known = 0 THEN 'missing'
        WHEN _sqlanon_identifies(looks_like) AND NOT coalesce(struct_extract(meaning, 'role') = 'identifier', FALSE) THEN 'identifies'
        WHEN rows > 1 AND distinct_values = 1 AND known = rows THEN 'constant'
        WHEN NOT meaning IS NULL THEN 'named'
        WHEN rows >= 20 AND unique_share >= 0.95e0 AND (is_whole OR looks_like = 'code' OR looks_like IS NULL) THEN 'unique'
        WHEN looks_like = 'diagnosis code' THEN 'diagnosis code'
        WHEN is_whole AND low >= 1900 AND high <= 2100 THEN 'year'
        WHEN shape = 'code' AND share >= 0.8e0 AND distinct_values > 20 AND distinct_share >= 0.1e0 THEN 'repeated key'
        WHEN is_whole AND distinct_values >= 50 AND distinct_share BETWEEN 0.2e0 AND 0.95e0 AND distinct_values >= 0.9e0 * (high - low + 1)
            THEN 'repeated key'
        WHEN looks_like = 'number' AND numbered >= 5 THEN 'numbered'
        WHEN looks_like = 'number' AND NOT is_whole THEN 'measurement'
        WHEN looks_like = 'number' AND distinct_values > 100 THEN 'amount'
        ELSE 'linkable'
    END;

-- _sqlanon_role(rule, meaning): the role that a rule suggests.
CREATE MACRO _sqlanon_role(rule, meaning) AS
    CASE
        WHEN rule = 'named' THEN struct_extract(meaning, 'role')
        WHEN rule IN ('identifies', 'unique', 'repeated key') THEN 'identifier'
        WHEN rule = 'diagnosis code' THEN 'sensitive'
        WHEN rule IN ('linkable', 'year') THEN 'quasi-identifier'
        ELSE 'other'
    END;

-- _sqlanon_counts_people(rule, meaning, looks_like, shape, share): whether rows with the same value are about the same person.
CREATE MACRO _sqlanon_counts_people(rule, meaning, looks_like, shape, share) AS
    CASE
        WHEN looks_like = 'name' THEN shape = 'name' AND share >= 0.8e0
        WHEN NOT meaning IS NULL THEN struct_extract(meaning, 'counts_people')
        ELSE rule = 'repeated key' OR looks_like IN ('e-mail', 'phone', 'national id', 'UUID', 'card number', 'bank account')
    END;

-- _sqlanon_plural(n, noun): a number of things.
CREATE MACRO _sqlanon_plural(n, noun) AS CAST(n AS VARCHAR) || ' ' || noun || CASE WHEN n = 1 THEN '' ELSE 's' END;

-- _sqlanon_reason(…): why, in a short sentence without any value.
CREATE MACRO _sqlanon_reason(rule, meaning, looks_like, share, distinct_values, unique_share, most_rows, numbered) AS
    CASE rule
        WHEN 'not judged' THEN 'Values of this type cannot be judged: take them apart into columns.'
        WHEN 'no rows' THEN 'The table has no rows to judge by.'
        WHEN 'missing' THEN 'Every value is missing.'
        WHEN 'named' THEN struct_extract(meaning, 'reason') || CASE
            WHEN looks_like IS NULL AND most_rows IS NULL THEN ' Every value is missing.'
            WHEN struct_extract(meaning, 'role') = 'identifier' AND most_rows > 1
                THEN ' ' || _sqlanon_plural(distinct_values, 'value') || ', each in up to ' || _sqlanon_plural(most_rows, 'row') || '.'
            WHEN struct_extract(meaning, 'role') = 'identifier' THEN ''
            ELSE ' ' || _sqlanon_plural(distinct_values, 'value') || _sqlanon_alone(unique_share) || '.'
        END
        WHEN 'identifies' THEN CASE
            WHEN looks_like = 'free text' THEN _sqlanon_percent(share) || ' of the values have five words or more, and may name anybody.'
            ELSE _sqlanon_percent(share) || ' of the values look like what leads to one person (' || looks_like || ').'
        END
        WHEN 'unique' THEN _sqlanon_percent(unique_share) || ' of the rows have a value that no other row has, as keys do.'
        WHEN 'repeated key' THEN 'Looks like a key that repeats: ' || _sqlanon_plural(distinct_values, 'value') || ', each in up to '
            || _sqlanon_plural(most_rows, 'row') || '.'
        WHEN 'diagnosis code' THEN _sqlanon_percent(share) || ' of the values look like diagnosis codes (ICD-10): they tell of health.'
        WHEN 'constant' THEN 'All rows have the same value, which tells nothing about anybody.'
        WHEN 'numbered' THEN 'One of ' || CAST(numbered AS VARCHAR) || ' numbered columns: a measurement, unless you know better. '
            || _sqlanon_plural(distinct_values, 'value') || '.'
        WHEN 'measurement' THEN 'Numbers with fractions: a measurement, unless you know better. ' || _sqlanon_plural(distinct_values, 'value')
            || _sqlanon_alone(unique_share) || '.'
        WHEN 'amount' THEN 'Whole numbers, ' || _sqlanon_plural(distinct_values, 'value')
            || ': an amount or a measurement, unless you know better.'
        WHEN 'year' THEN 'Years: others may remember what happened then. ' || _sqlanon_plural(distinct_values, 'value') || '.'
        WHEN 'linkable' THEN CASE looks_like
            WHEN 'date of birth' THEN 'Dates of 30 years or more, as those of birth: in registers.'
            WHEN 'date' THEN 'Dates: others may remember what happened then.'
            WHEN 'time' THEN 'Times: others may remember what happened then.'
            WHEN 'postal code' THEN 'Looks like a postal code: in every address book.'
            WHEN 'boolean' THEN 'Yes or no: others may know which.'
            WHEN 'number' THEN 'Few whole numbers: others may know them.'
            WHEN 'category' THEN 'A category: others may know which.'
            ELSE 'Texts of many kinds: others may know them.'
        END || ' ' || _sqlanon_plural(distinct_values, 'value') || _sqlanon_alone(unique_share) || '.'
    END;

-- _sqlanon_alone(unique_share): how many rows are alone with their value, if that is worth a word.
CREATE MACRO _sqlanon_alone(unique_share) AS
    CASE WHEN unique_share >= 0.01e0 THEN ', ' || _sqlanon_percent(unique_share) || ' of the rows alone with theirs' ELSE '' END;
