-- Columns: what does a table hold, and which of its columns lead to people?

-- columns(tbl): one row per column, in the order of the table: what it holds, and the role that it may have in a release. DuckDB before 2.0
-- wants the name in quotes, or _sqlanon.columns(tbl).
CREATE MACRO columns(tbl) AS TABLE
    FROM query(_sqlanon_plan('columns', {'tbl': tbl}));

-- quasi_identifiers(tbl): one row per combination of 1 to max_size columns: how far it tells rows apart, and how many it singles out; most
-- dangerous first.
CREATE MACRO quasi_identifiers(tbl, columns := NULL, max_size := 3) AS TABLE
    FROM query(_sqlanon_plan('quasi_identifiers', {'tbl': tbl, 'columns': columns, 'max_size': max_size}));

-- _sqlanon_type_outline(type_name): a type without the values of an ENUM, which are data.
CREATE MACRO _sqlanon_type_outline(type_name) AS regexp_replace(type_name, 'ENUM\(.*''\)', 'ENUM', 's');

-- _sqlanon_passes_luhn(digits): whether the last digit of a card number fits the others.
CREATE MACRO _sqlanon_passes_luhn(digits) AS
    list_aggregate(list_transform(
        string_split(reverse(digits), ''),
        lambda digit, place: CASE
            WHEN place % 2 = 1 THEN CAST(digit AS INTEGER)
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

-- _sqlanon_words(name): the words of a column's name in small letters, whether it is written patient_id or patientId, and all as one.
CREATE MACRO _sqlanon_words(name) AS list_concat(
    string_split(trim(lower(regexp_replace(
        regexp_replace(name, '([a-z])([A-Z])', '\1 \2', 'g'), '[^A-Za-z]+', ' ', 'g'
    ))), ' '),
    [lower(regexp_replace(name, '[^A-Za-z]+', '', 'g'))]
);

-- _sqlanon_name_hint(words): what a column may hold by its English name; NULL if that says nothing.
CREATE MACRO _sqlanon_name_hint(words) AS
    CASE
        WHEN list_has_any(words, ['email', 'mail', 'emailaddress']) THEN 'e-mail'
        WHEN list_has_any(words, ['phone', 'telephone', 'tel', 'mobile', 'fax', 'phonenumber', 'cellphone']) THEN 'phone'
        WHEN list_has_any(words, ['birth', 'dob', 'yob', 'birthdate', 'birthday', 'birthyear', 'dateofbirth', 'born']) THEN 'date of birth'
        WHEN list_has_any(words, ['zip', 'zipcode', 'postal', 'postcode', 'postalcode', 'plz']) THEN 'postal code'
        WHEN list_has_any(words, ['ssn', 'socialsecurity', 'socialsecuritynumber', 'passport', 'nationalid', 'taxid', 'nhs', 'nino', 'licence', 'license'])
            THEN 'national id'
        WHEN list_has_any(words, ['iban', 'bankaccount', 'account', 'accountnumber']) THEN 'bank account'
        WHEN list_has_any(words, ['creditcard', 'cardnumber', 'ccnumber', 'pan']) THEN 'card number'
        WHEN list_has_any(words, [
            'disease', 'diagnosis', 'diagnoses', 'condition', 'illness', 'icd', 'symptom', 'symptoms', 'hiv', 'medication', 'drug', 'treatment',
            'therapy', 'procedure', 'allergy', 'disability', 'pregnant', 'salary', 'income', 'wage', 'wages', 'pay', 'earnings', 'debt', 'balance',
            'religion', 'politics', 'party', 'orientation', 'conviction', 'offence', 'offense', 'crime', 'grade', 'genotype', 'outcome'
        ]) THEN 'sensitive'
        WHEN list_has_any(words, ['address', 'street', 'addressline']) THEN 'address'
        WHEN regexp_full_match(
            list_extract(words, -1),
            '(first|last|full|given|family|maiden|middle|sur|fore|patient|customer|client|person|employee|student|member|user|doctor|owner'
            '|guest|contact)?(first|last|full)?names?'
        ) THEN 'name'
        WHEN list_has_any(words, ['sex', 'gender']) THEN 'sex'
        WHEN list_has_any(words, ['age', 'ages']) THEN 'age'
        WHEN list_has_any(words, ['lat', 'lon', 'lng', 'latitude', 'longitude']) THEN 'coordinate'
        WHEN list_has_any(words, ['id', 'ids', 'uid', 'guid', 'key', 'mrn', 'identifier', 'reference', 'serial']) THEN 'key'
    END;

-- _sqlanon_percent(share): a share as people read it, rounded down, so that 100 % means all.
CREATE MACRO _sqlanon_percent(share) AS CAST(CAST(floor(100 * share) AS INTEGER) AS VARCHAR) || ' %';

-- _sqlanon_identifies(looks_like): whether values that look so lead to one person, alone or with a register that many can read.
CREATE MACRO _sqlanon_identifies(looks_like) AS looks_like IN (
    'e-mail', 'phone', 'name', 'national id', 'card number', 'bank account', 'address', 'URL', 'IP address', 'UUID', 'free text'
);

-- _sqlanon_looks_like(hint, shape, share, numeric_share, distinct_share, distinct_values, low, high, years): what the values of a column look like:
-- the shape of most of them; where that leaves it open, the name of the column decides.
CREATE MACRO _sqlanon_looks_like(hint, shape, share, numeric_share, distinct_share, distinct_values, low, high, years) AS
    CASE
        WHEN share >= 0.8e0 AND shape = 'date' THEN
            CASE WHEN hint = 'date of birth' OR years >= 30 THEN 'date of birth' ELSE 'date' END
        WHEN share >= 0.8e0 AND shape IN ('e-mail', 'URL', 'UUID', 'IP address', 'bank account', 'national id', 'card number', 'phone')
            THEN shape
        WHEN share >= 0.8e0 AND shape IN ('boolean', 'time') THEN shape
        WHEN hint = 'sex' AND distinct_values <= 10 THEN 'sex'
        WHEN share >= 0.8e0 AND shape = 'postal code' AND (hint IS NULL OR hint = 'postal code') THEN shape
        WHEN numeric_share >= 0.8e0 THEN CASE
            WHEN hint IN ('postal code', 'coordinate') THEN hint
            WHEN hint IN ('phone', 'national id', 'bank account', 'card number') AND (distinct_values > 20 OR distinct_share > 0.5e0) THEN hint
            WHEN hint = 'age' AND low >= 0 AND high <= 130 THEN 'age'
            WHEN hint = 'date of birth' AND low >= 1800 AND high <= 2200 THEN 'date of birth'
            ELSE 'number'
        END
        WHEN share >= 0.5e0 AND shape = 'free text' THEN shape
        WHEN hint IN ('name', 'address', 'postal code') THEN hint
        WHEN hint IN ('phone', 'national id', 'bank account', 'card number') AND (distinct_values > 20 OR distinct_share > 0.5e0) THEN hint
        WHEN share >= 0.8e0 AND shape = 'name' AND distinct_share >= 0.5e0 THEN 'name'
        WHEN distinct_share <= 0.5e0 THEN 'category'
        WHEN share >= 0.8e0 AND shape = 'code' THEN 'code'
    END;

-- _sqlanon_role_rule(judged, rows, known, distinct_values, unique_share, looks_like, hint, is_whole): the rule that suggests a role. Those that keep people
-- safe come first.
CREATE MACRO _sqlanon_role_rule(judged, rows, known, distinct_values, unique_share, looks_like, hint, is_whole) AS
    CASE
        WHEN NOT judged THEN 'not judged'
        WHEN rows = 0 THEN 'no rows'
        WHEN known = 0 AND hint IN ('sensitive', 'key') THEN hint
        WHEN known = 0 AND _sqlanon_identifies(hint) THEN 'named'
        WHEN known = 0 THEN 'missing'
        WHEN _sqlanon_identifies(looks_like) THEN 'identifies'
        WHEN hint = 'sensitive' THEN 'sensitive'
        WHEN hint = 'key' AND (distinct_values > 20 OR unique_share >= 0.5e0) THEN 'key'
        WHEN rows >= 20 AND unique_share >= 0.95e0 AND ((is_whole AND looks_like = 'number') OR looks_like = 'code' OR looks_like IS NULL) THEN 'unique'
        WHEN rows > 1 AND distinct_values = 1 THEN 'constant'
        ELSE 'linkable'
    END;

-- _sqlanon_role(rule): the role that a rule suggests; NULL where nobody can tell.
CREATE MACRO _sqlanon_role(rule) AS
    CASE
        WHEN rule IN ('named', 'identifies', 'key', 'unique') THEN 'identifier'
        WHEN rule = 'sensitive' THEN 'sensitive'
        WHEN rule IN ('missing', 'constant') THEN 'keep'
        WHEN rule = 'linkable' THEN 'quasi-identifier'
    END;

-- _sqlanon_reason(rule, looks_like, hint, share, distinct_values, unique_share): why, in a sentence without any value.
CREATE MACRO _sqlanon_reason(rule, looks_like, hint, share, distinct_values, unique_share) AS
    CASE rule
        WHEN 'not judged' THEN 'Values of this type cannot be judged: take them apart into columns, or leave the column out.'
        WHEN 'no rows' THEN 'The table has no rows to judge by.'
        WHEN 'missing' THEN 'Every value is missing.'
        WHEN 'named' THEN 'Every value is missing, but by its name the column is made for values that lead to one person (' || hint || ').'
        WHEN 'identifies' THEN CASE
            WHEN looks_like = 'free text' THEN _sqlanon_percent(share) || ' of the values have five words or more, and may name anybody.'
            WHEN looks_like = hint THEN 'Values and name of the column suggest what leads to one person (' || looks_like || ').'
            ELSE _sqlanon_percent(share) || ' of the values look like what leads to one person (' || looks_like || ').'
        END
        WHEN 'sensitive' THEN 'By its name, the column holds what people keep to themselves.'
        WHEN 'key' THEN 'By its name, the column is a key.'
        WHEN 'unique' THEN _sqlanon_percent(unique_share) || ' of the rows have a value that no other row has, as keys do.'
        WHEN 'constant' THEN 'All rows have the same value, which tells nothing about anybody.'
        WHEN 'linkable' THEN 'Others may know this about a person' || coalesce(' (' || looks_like || ')', '') || '. Distinct values: '
            || CAST(distinct_values AS VARCHAR) || '; ' || _sqlanon_percent(unique_share) || ' of the rows have one that no other row has.'
    END;
