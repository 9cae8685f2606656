-- Refusals: errors of ours that are raised while a statement is bound or runs.

-- _sqlanon_statement(planned): the statement, unless an error of ours came in its place.
CREATE MACRO _sqlanon_statement(planned) AS CASE WHEN starts_with(planned, '[SA') THEN error(planned) ELSE planned END;

-- _sqlanon_none_broken(broken): TRUE for no violations; SA302 with the number of classes that break a bound, and which.
CREATE MACRO _sqlanon_none_broken(broken) AS
    CASE
        WHEN broken IS NULL THEN true
        ELSE error('[SA302] ' || len(broken) || ' of its classes break a bound (' ||
            list_aggregate(list_sort(list_distinct(flatten(broken))), 'string_agg', ', ') || '). See violations(…) for which.')
    END;
