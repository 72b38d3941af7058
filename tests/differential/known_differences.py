"""Where the peers are known to differ from Dolmen, who is right, and how we know."""

from known_dynalite import DYNALITE
from known_local import LOCAL
from known_wire import WIRE

KNOWN = LOCAL + DYNALITE + WIRE


def explain(difference):
    """The entry that explains it; none if it is new."""
    for known in KNOWN:
        if known.peer == difference.peer and known.holds(difference):
            return known
    return None
