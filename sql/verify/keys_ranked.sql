-- keys, for other engines: given has the numbers of classes already.
SELECT DISTINCT class, qi
FROM given
