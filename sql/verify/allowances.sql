-- allowances: per class and end of a run, the induced frequencies up to it, and what (tau,l)-diversity allows them to be together: tau
-- for the first, 1 for the first l, evenly in between (Def. 11).
SELECT class, cumulative, real(bound('tau')) + (1 - real(bound('tau'))) * (rank - 1) / real(bound('l') - 1) AS allowed
FROM ends
