-- broken_c: the classes that are not recursive (c,l)-diverse, that is top < c * tail: by how much top / tail is above c.
SELECT class, ratio - real(bound('c')) AS by_how_much
FROM tails
WHERE ratio >= real(bound('c'))
