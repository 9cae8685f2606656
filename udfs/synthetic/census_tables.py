"""The tables of the synthetic census: the values of each column and their weights.

Everything here was made up for this project, in the shape of a census of working-age and older
people: no row and no figure comes from a real file. Weights are relative; they need not add up
to anything.
"""

from typing import NamedTuple

FIRST_AGE, LAST_AGE = 17, 95

# (age, weight): straight lines in between. Flat through working age, then thinning out.
AGE_WEIGHTS = ((17, 14), (22, 19), (35, 21), (50, 20), (62, 15), (75, 8), (85, 4), (95, 1))

GENDERS = ("Female", "Male")

# (age, share of women): women live longer.
WOMEN_BY_AGE = ((17, 0.49), (50, 0.51), (70, 0.55), (95, 0.72))

# 1 no schooling, 2-4 primary, 5-8 secondary without diploma, 9 diploma, 10-11 some college,
# 12-13 associate, 14 bachelor, 15 master, 16 professional, 17 doctorate.
EDUCATIONS = tuple(range(1, 18))

# from age -> weight of each education; the old left school earlier, the young are still there.
EDUCATION_BY_AGE = {
    17: (4, 3, 5, 25, 60, 150, 260, 140, 240, 80, 29, 2, 1, 1, 0, 0, 0),
    20: (4, 3, 8, 10, 15, 20, 30, 30, 290, 120, 280, 35, 40, 110, 4, 1, 0),
    25: (5, 6, 12, 10, 14, 16, 20, 22, 270, 80, 150, 50, 45, 200, 70, 18, 12),
    45: (7, 8, 16, 18, 18, 20, 22, 20, 300, 70, 130, 45, 38, 170, 85, 20, 13),
    65: (15, 20, 35, 75, 40, 45, 40, 25, 330, 60, 95, 25, 20, 100, 55, 12, 8),
}

MARITALS = ("Married", "Spouse absent", "Separated", "Divorced", "Widowed", "Never married")

# from age -> weights for (women, men); women marry younger and are widowed more often.
MARITAL_BY_AGE_AND_GENDER = {
    17: ((40, 8, 4, 3, 1, 944), (15, 6, 2, 1, 1, 975)),
    22: ((290, 25, 20, 30, 2, 633), (200, 22, 11, 17, 1, 749)),
    30: ((560, 25, 35, 110, 8, 262), (530, 28, 24, 85, 3, 330)),
    45: ((590, 18, 34, 190, 43, 125), (640, 22, 25, 155, 13, 145)),
    65: ((430, 14, 13, 130, 363, 50), (710, 19, 14, 100, 102, 55)),
    80: ((190, 16, 5, 60, 684, 45), (600, 26, 8, 50, 271, 45)),
}

# Most people were born here; the other countries share the rest by Zipf's law, in this order.
HOME_COUNTRY = "United States"
HOME_SHARE = 0.85

# Country of birth -> region; the region decides the weights of race.
REGION_OF_COUNTRY = {
    "United States": "Northern America",
    "Mexico": "Latin America",
    "Philippines": "South Asia",
    "India": "South Asia",
    "China": "East Asia",
    "Vietnam": "South Asia",
    "Germany": "Europe",
    "Cuba": "Caribbean",
    "El Salvador": "Latin America",
    "Canada": "Northern America",
    "South Korea": "East Asia",
    "United Kingdom": "Europe",
    "Dominican Republic": "Caribbean",
    "Jamaica": "Caribbean",
    "Guatemala": "Latin America",
    "Italy": "Europe",
    "Colombia": "Latin America",
    "Haiti": "Caribbean",
    "Poland": "Europe",
    "Japan": "East Asia",
    "Taiwan": "East Asia",
    "Russia": "Europe",
    "Honduras": "Latin America",
    "Iran": "Middle East",
    "Ecuador": "Latin America",
    "Peru": "Latin America",
    "Ukraine": "Europe",
    "Pakistan": "South Asia",
    "Brazil": "Latin America",
    "Nicaragua": "Latin America",
    "Nigeria": "Africa",
    "Guyana": "Latin America",
    "France": "Europe",
    "Thailand": "South Asia",
    "Trinidad and Tobago": "Caribbean",
    "Portugal": "Europe",
    "Laos": "South Asia",
    "Greece": "Europe",
    "Ireland": "Europe",
    "Bangladesh": "South Asia",
    "Cambodia": "South Asia",
    "Romania": "Europe",
    "Argentina": "Latin America",
    "Egypt": "Middle East",
    "Ethiopia": "Africa",
    "Israel": "Middle East",
    "Venezuela": "Latin America",
    "Lebanon": "Middle East",
    "Iraq": "Middle East",
    "Netherlands": "Europe",
    "Spain": "Europe",
    "Ghana": "Africa",
    "Panama": "Latin America",
    "Turkey": "Middle East",
    "Chile": "Latin America",
    "Hungary": "Europe",
    "Indonesia": "South Asia",
    "Costa Rica": "Latin America",
    "Kenya": "Africa",
    "Austria": "Europe",
    "South Africa": "Africa",
    "Australia": "Oceania",
    "Bolivia": "Latin America",
    "Liberia": "Africa",
    "Afghanistan": "Middle East",
    "Syria": "Middle East",
    "Jordan": "Middle East",
    "Barbados": "Caribbean",
    "Malaysia": "South Asia",
    "Somalia": "Africa",
    "Sweden": "Europe",
    "Uruguay": "Latin America",
    "Albania": "Europe",
    "Croatia": "Europe",
    "Serbia": "Europe",
    "Switzerland": "Europe",
    "Belgium": "Europe",
    "Lithuania": "Europe",
    "Bahamas": "Caribbean",
    "New Zealand": "Oceania",
    "Czechia": "Europe",
    "Sri Lanka": "South Asia",
    "Norway": "Europe",
}

RACES = (
    "White",
    "Black",
    "American Indian",
    "Chinese",
    "Japanese",
    "Other Asian or Pacific",
    "Other race",
    "Two races",
    "Three or more races",
)

RACE_BY_REGION = {
    "Northern America": (800, 135, 11, 5, 4, 8, 12, 21, 4),
    "Latin America": (480, 20, 12, 2, 2, 3, 430, 46, 5),
    "Caribbean": (360, 480, 2, 5, 1, 8, 95, 44, 5),
    "Europe": (955, 18, 1, 2, 1, 6, 6, 10, 1),
    "East Asia": (30, 5, 1, 380, 120, 430, 5, 25, 4),
    "South Asia": (40, 6, 1, 55, 3, 850, 15, 26, 4),
    "Middle East": (860, 25, 1, 1, 1, 40, 30, 40, 2),
    "Africa": (150, 790, 1, 2, 1, 20, 12, 22, 2),
    "Oceania": (830, 12, 4, 10, 6, 95, 15, 25, 3),
}

# Birth countries that say more about race than their region does.
RACE_BY_COUNTRY = {
    "China": (12, 1, 1, 950, 2, 20, 2, 11, 1),
    "Taiwan": (15, 1, 1, 930, 8, 30, 2, 12, 1),
    "Japan": (60, 8, 1, 6, 880, 20, 3, 20, 2),
    "South Korea": (25, 3, 1, 6, 4, 940, 3, 16, 2),
}

WORKCLASSES = (
    "Private company",
    "Private non-profit",
    "Self-employed",
    "Own incorporated business",
    "Local government",
    "State government",
    "Federal government",
    "Armed forces",
    "Unpaid family work",
    "Looking for work",
)

# up to education -> weights for (women, men): the public sector hires graduates, the army men.
WORKCLASS_BY_EDUCATION_AND_GENDER = {
    8: ((740, 40, 70, 8, 40, 15, 6, 1, 10, 70), (745, 15, 110, 18, 25, 12, 7, 3, 4, 61)),
    11: ((680, 70, 62, 14, 75, 40, 18, 4, 6, 31), (685, 27, 100, 33, 52, 28, 24, 16, 2, 33)),
    14: ((570, 115, 60, 20, 130, 60, 22, 4, 3, 16), (655, 50, 90, 55, 60, 35, 33, 9, 1, 12)),
    17: ((400, 150, 65, 25, 220, 100, 28, 4, 2, 6), (495, 85, 105, 80, 100, 80, 40, 8, 1, 6)),
}


class Occupation(NamedTuple):
    """One occupation: how common it is, whom it draws, and what it pays.

    weight is relative to others asking for the same education; typical_education is one of
    EDUCATIONS; pay is added to the salary class.
    """

    name: str
    weight: float
    typical_education: int
    women: float
    pay: float


OCCUPATIONS = (
    Occupation("Farm worker", 40, 4, 0.25, 0),
    Occupation("Farmer", 16, 9, 0.22, 3),
    Occupation("Fisher", 4, 8, 0.06, 3),
    Occupation("Logger", 4, 8, 0.05, 4),
    Occupation("Miner", 5, 9, 0.05, 9),
    Occupation("Gardener", 30, 6, 0.10, 1),
    Occupation("Janitor", 60, 5, 0.35, 0),
    Occupation("Housekeeper", 50, 5, 0.88, 0),
    Occupation("Cook", 52, 7, 0.45, 0),
    Occupation("Waiter", 44, 9, 0.74, 0),
    Occupation("Bartender", 12, 10, 0.55, 1),
    Occupation("Cashier", 60, 8, 0.74, 0),
    Occupation("Shop assistant", 72, 10, 0.56, 2),
    Occupation("Stock clerk", 44, 8, 0.38, 1),
    Occupation("Warehouse worker", 55, 7, 0.22, 2),
    Occupation("Truck driver", 56, 9, 0.07, 6),
    Occupation("Bus driver", 16, 9, 0.44, 3),
    Occupation("Taxi driver", 9, 10, 0.14, 1),
    Occupation("Carpenter", 34, 9, 0.04, 5),
    Occupation("Bricklayer", 16, 7, 0.03, 5),
    Occupation("Painter", 18, 7, 0.09, 3),
    Occupation("Electrician", 24, 10, 0.05, 9),
    Occupation("Plumber", 18, 10, 0.04, 8),
    Occupation("Welder", 18, 8, 0.05, 6),
    Occupation("Machinist", 22, 9, 0.10, 7),
    Occupation("Assembler", 44, 8, 0.42, 3),
    Occupation("Tailor", 12, 5, 0.78, 0),
    Occupation("Baker", 9, 8, 0.55, 1),
    Occupation("Car mechanic", 34, 9, 0.03, 5),
    Occupation("Hairdresser", 24, 10, 0.88, 1),
    Occupation("Childcare worker", 38, 10, 0.94, 0),
    Occupation("Nursing aide", 52, 9, 0.88, 1),
    Occupation("Security guard", 28, 10, 0.24, 3),
    Occupation("Police officer", 24, 12, 0.17, 11),
    Occupation("Firefighter", 10, 12, 0.06, 11),
    Occupation("Receptionist", 34, 10, 0.91, 1),
    Occupation("Secretary", 78, 11, 0.93, 3),
    Occupation("Bookkeeper", 44, 12, 0.87, 4),
    Occupation("Insurance agent", 22, 13, 0.48, 9),
    Occupation("Sales manager", 62, 13, 0.40, 13),
    Occupation("Laboratory technician", 20, 13, 0.55, 8),
    Occupation("Registered nurse", 66, 13, 0.88, 12),
    Occupation("Software developer", 56, 14, 0.25, 19),
    Occupation("Engineer", 50, 14, 0.14, 18),
    Occupation("Accountant", 50, 14, 0.60, 13),
    Occupation("School teacher", 90, 15, 0.74, 9),
    Occupation("Social worker", 26, 14, 0.78, 6),
    Occupation("Lawyer", 40, 16, 0.35, 24),
    Occupation("Physician", 36, 16, 0.34, 28),
    Occupation("University lecturer", 44, 17, 0.46, 14),
)

# How far, in steps of education, people stray from what an occupation typically asks for.
EDUCATION_REACH = 2.2

SALARY_CLASSES = 50

# Salary class = sum of these, the pay of the occupation, and noise.
SALARY_BY_EDUCATION = (2, 2, 3, 3, 4, 4, 5, 5, 7, 8, 8, 10, 10, 13, 15, 18, 18)
SALARY_BY_AGE = ((17, -3), (25, 2), (45, 8), (58, 8), (70, 2), (95, -2))
SALARY_BY_GENDER = (-1.5, 1.5)
SALARY_NOISE = 11.0
