-- members, for other engines: records has the numbers of classes already.
SELECT class, value, person
FROM records
