-- broken_t: the classes that are farther than t from the whole table, and by how much.
SELECT class, t_distance - real(bound('t')) AS by_how_much
FROM classes
WHERE t_distance > real(bound('t'))
