"""Enhanced beta-likeness: no share of a sensitive value rises in a class by more than beta, nor by more than -ln of the
share itself, relative to the whole table. It implies basic beta-likeness.
"""

from .bound import Bound

BOUND = Bound(
    "beta",
    adjective="beta_like",
    help="No share of a sensitive value rises by more than beta times itself (enhanced beta-likeness).",
    measure="enhanced_beta",
    low=0,
    compares_with_whole=True,
    example=1,
    promise="In no class is a value of {sa} more than {bound} times more frequent than in the whole table, nor beyond "
    "the limit for frequent values (enhanced beta-likeness, beta = {bound}).",
    broken="the share of a sensitive value{which} rises in a {unit} by more than beta = {beta} allows",
)
