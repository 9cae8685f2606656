-- members, for other engines: given has the numbers of classes already.
SELECT class, value, person
FROM given
