-- marks: the places of the sensitive values, from 0, with the rows up to each and the sum of those rows so far.
SELECT place, running, sum(real(running)) OVER (ORDER BY place ASC ROWS UNBOUNDED PRECEDING) AS area
FROM (SELECT place, running FROM spread UNION ALL SELECT 0, 0) AS found
