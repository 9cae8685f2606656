"""What is a release worth to a learner? Decision trees from ever stronger releases. Needs `pip install sqlanon[ml]`."""

from importlib.util import find_spec

import sqlanon
from sqlanon.ml import classification_utility

QI = ["age", "education", "marital-status", "sex"]

con = sqlanon.connect()
con.execute("CREATE TABLE people AS SELECT row_number() OVER () AS id, * FROM (FROM adult() LIMIT 4000)")
con.execute("CREATE TABLE schools AS FROM adult_taxonomy('education')")
con.execute("CREATE TABLE unions AS FROM adult_taxonomy('marital-status')")
taxonomy = {"education": "schools", "marital-status": "unions"}

if find_spec("sklearn") is None:
    print("scikit-learn is not installed: pip install sqlanon[ml]")
else:
    for k in (5, 50, 500):
        # with an id, so that the rows held out can be left out of the release too: this one is not for publishing
        con.execute(
            f"""
            CREATE OR REPLACE TABLE release AS
            FROM kanonymous('people', {QI}, {k}, keep := ['salary-class', 'id'], taxonomy := {taxonomy})
            """
        )
        how = {"taxonomy": taxonomy, "key": "id", "cells": "draw", "folds": 5}
        found = classification_utility(con, "people", "release", QI, "salary-class", **how)
        told = f"source {found.source_accuracy:.3f}, release {found.release_accuracy:.3f}, guess {found.baseline:.3f}"
        print(f"k = {k}: {told}")
con.close()
