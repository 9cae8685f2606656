-- leafless: how many sensitive values the taxonomy lacks. NULL needs no leaf.
SELECT count(*) AS n
FROM spread
WHERE NOT value IS NULL AND NOT CAST(value AS VARCHAR) IN (SELECT path[1] FROM sensitive_paths)
