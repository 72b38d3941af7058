"""The known differences between each peer and Dolmen."""

from known_dynalite import DYNALITE
from known_local import LOCAL
from known_partiql import PARTIQL
from known_wire import WIRE
from partiql_parts import parts

KNOWN = {"local": PARTIQL + LOCAL + WIRE["local"], "dynalite": DYNALITE + WIRE["dynalite"]}


def explain(difference):
    """Returns the first entry that matches a difference, or None for a new difference.

    If the answers have parts, an entry must match each of them.
    """
    found = [explain_part(part) for part in parts(difference)]
    return found[0] if found and all(found) else None


def explain_part(difference):
    return next((known for known in KNOWN[difference.peer] if known.holds(difference)), None)
