"""A list of all known differences between the peers and Dolmen."""

from known_dynalite import DYNALITE
from known_local import LOCAL
from known_wire import WIRE

KNOWN = LOCAL + DYNALITE + WIRE


def explain(difference):
    """Returns the first entry that matches a difference, or None for a new difference."""
    for known in KNOWN:
        if known.peer == difference.peer and known.holds(difference):
            return known
    return None
