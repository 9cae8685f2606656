-- marks: the positions of the sensitive values, from 0, with the rows up to each and the sum of those rows so far.
SELECT position, running, sum(real(running)) OVER (ORDER BY position ASC ROWS UNBOUNDED PRECEDING) AS area
FROM (SELECT position, running FROM spread UNION ALL SELECT 0, 0) AS all_marks
