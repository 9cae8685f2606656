"""t-closeness: the sensitive values of a class are distributed nearly as those of the whole table are."""

from .bound import Bound

BOUND = Bound(
    "t",
    adjective="t_close",
    help="No class is farther than t from the whole table.",
    measure="t",
    low=0,
    high=1,
    compares_with_whole=True,
    example=0.5,
    promise="In no class is {sa} distributed further than {bound} from the whole table (t = {bound}).",
    broken="the sensitive values{which} of a {unit} are farther than t = {t} from those of the whole table",
)
