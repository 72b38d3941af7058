"""Limits of the ratio of two rows, read from targets.txt and instructions.txt."""

import dataclasses
import operator

RELATIONS = {"<=": operator.le, ">=": operator.ge}


@dataclasses.dataclass(frozen=True)
class Limit:
    """A limit: `row` must be at most, or at least, `factor` times `baseline`."""

    row: str
    relation: str
    factor: float
    baseline: str

    def ratio(self, values):
        """Returns the ratio, or None if one of the two rows was not measured."""
        if self.row not in values or self.baseline not in values:
            return None
        return values[self.row] / values[self.baseline]

    def holds(self, ratio):
        return RELATIONS[self.relation](ratio, self.factor)

    def __str__(self):
        return f"{self.relation} {self.factor:.{3 if self.factor < 0.5 else 2}f} x {self.baseline}"


def read(path):
    """Reads lines of `row relation factor baseline`; # begins a comment."""
    limits = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            words = line.split("#")[0].split()
            if not words:
                continue
            if len(words) != 4 or words[1] not in RELATIONS:
                raise ValueError(f"{path}:{number}: not `row <= factor baseline`: {line.strip()}")
            limits.append(Limit(words[0], words[1], float(words[2]), words[3]))
    return limits
