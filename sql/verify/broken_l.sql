-- broken_l: the classes in which a value takes more than 1/l: size / top_count < l. By how much that falls short.
SELECT class, real(bound('l')) - real(size) / real(top_count) AS by_how_much
FROM tops
WHERE real(size) / real(top_count) < real(bound('l'))
