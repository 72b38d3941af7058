"""The known differences between each peer and Dolmen."""

from known_dynalite import DYNALITE
from known_dynoxide import DYNOXIDE
from known_ministack import MINISTACK
from known_moto import MOTO
from partiql_parts import parts

KNOWN = {"dynalite": DYNALITE, "dynoxide": DYNOXIDE, "ministack": MINISTACK, "moto": MOTO}


def explain(difference):
    """Returns the first entry that matches a difference, or None for a new difference.

    If the answers have parts, an entry must match each of them.
    """
    found = [explain_part(part) for part in parts(difference)]
    return found[0] if found and all(found) else None


def explain_part(difference):
    return next(
        (known for known in KNOWN.get(difference.peer, ()) if known.holds(difference)), None
    )
