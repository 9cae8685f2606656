"""The patients of Tian and Zhang 2011: their microdata (Fig. 1(a) and 7) and the (0.5,3)-diverse table (Fig. 3(a)).

The figures themselves are lost in the text that we have. It fixes ages and zips up to their decade and the diseases of
all tuples but 10 and 12, which have the two that are left; the second hemal disease is called `anemia` here. A range of
ages is 10 or 20 years, one of zips 10 or 20 numbers, so that Example 15 comes out (it has 1.1 and 1.2 exchanged).
"""

from __future__ import annotations

DISEASES = (
    ("hepatitis", "hemal disease", "any disease"),
    ("anemia", "hemal disease", "any disease"),
    ("flu", "respiratory disease", "any disease"),
    ("tuberculosis", "respiratory disease", "any disease"),
)
AGES = tuple((str(age), f"[{age // 10}0,{age // 10}9]", "[20,39]") for age in range(20, 40))
ZIPS = tuple((str(zip), f"{zip // 10}*", "100**") for zip in range(10000, 10020))
TREES = {"age": AGES, "zip": ZIPS, "disease": DISEASES}

MICRODATA = (
    ("20", "10001", "hepatitis"),
    ("22", "10002", "hepatitis"),
    ("24", "10003", "hepatitis"),
    ("26", "10004", "hepatitis"),
    ("28", "10005", "tuberculosis"),
    ("31", "10001", "hepatitis"),
    ("33", "10002", "tuberculosis"),
    ("35", "10003", "tuberculosis"),
    ("37", "10004", "tuberculosis"),
    ("39", "10005", "flu"),
    ("21", "10011", "hepatitis"),
    ("23", "10012", "anemia"),
)
YOUNG, OLD, ALL = ("[20,29]", "1000*"), ("[30,39]", "1000*"), ("[20,39]", "100**")
CLASS_OF = (YOUNG, YOUNG, ALL, YOUNG, YOUNG, OLD, OLD, OLD, ALL, OLD, ALL, ALL)
RELEASE = tuple(
    (*qi, "hemal disease" if number < 2 else disease)
    for number, (qi, (_, _, disease)) in enumerate(zip(CLASS_OF, MICRODATA, strict=True))
)
