"""The known differences of the peers from Dolmen: who is right, and the evidence."""

from known_dynalite import DYNALITE
from known_local import LOCAL
from known_wire import WIRE

KNOWN = LOCAL + DYNALITE + WIRE


def explain(difference):
    """Returns the entry that explains a difference, or None for a new difference."""
    for known in KNOWN:
        if known.peer == difference.peer and known.holds(difference):
            return known
    return None
