-- broken_entropy_l: the classes whose exp(entropy) falls short of entropy_l, and by how much.
SELECT class, real(bound('entropy_l')) - entropy_l AS by_how_much
FROM classes
WHERE entropy_l < real(bound('entropy_l'))
