-- keys, for other engines: records has the numbers of classes already.
SELECT DISTINCT class, qi
FROM records
