-- crossings: for each share so_far / size that occurs, the last place at which the whole table's share is not above it.
SELECT shares.so_far, shares.size, max(marks.place) AS place
FROM (SELECT DISTINCT so_far, size FROM steps) AS shares
CROSS JOIN whole
JOIN marks ON marks.running * shares.size <= shares.so_far * whole.total
GROUP BY shares.so_far, shares.size
