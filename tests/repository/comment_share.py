#!/usr/bin/env python3
"""Measures how much of the given headers is comment, and fails below a minimum.

Usage: comment_share.py MINIMUM_PERCENT HEADER...

Prints the share of each header, the smallest first, and the share of all headers together.
Exits with 1 if the share of all headers together is below the minimum.

A line that holds only a comment counts as 1, a line of code with a comment behind it as 1/2. The
whole is the number of lines that are not blank. NOLINT and IWYU marks are written for tools, so
they do not count as comments.
"""
import re
import sys

STRING = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)+\'')
MARK = re.compile(r'//\s*(?:NOLINT|IWYU)')


def comment_of(line):
    """Returns how much of a line that is not blank is comment: 0, 1/2 or 1."""
    code = STRING.sub('""', line).strip()
    if '//' not in code or MARK.search(code):
        return 0
    return 1 if code.startswith('//') else 0.5


def measure(path):
    """Returns the number of comment lines and of lines that are not blank."""
    with open(path, encoding='utf-8') as file:
        lines = [line for line in file if line.strip()]
    return sum(map(comment_of, lines)), len(lines)


def selftest():
    expected = {'// text': 1, '  // text': 1, 'int a;  // text': 0.5, 'int a;': 0, 'f("http://a");': 0,
                '#include "a.h"  // IWYU pragma: export': 0, 'f("\\"//");  // text': 0.5}
    for line, share in expected.items():
        assert comment_of(line) == share, line


def main():
    selftest()
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    minimum = float(sys.argv[1])
    counts = {path: measure(path) for path in sys.argv[2:]}
    shares = {path: 100 * comments / max(lines, 1) for path, (comments, lines) in counts.items()}
    for path in sorted(shares, key=lambda path: (shares[path], path)):
        print(f'{shares[path]:5.1f} %  {counts[path][1]:4} lines  {path}')
    comments = sum(count[0] for count in counts.values())
    lines = sum(count[1] for count in counts.values())
    share = 100 * comments / max(lines, 1)
    print(f'{share:5.1f} %  {lines:4} lines  in all; at least {minimum:g} % is required')
    return share < minimum


if __name__ == '__main__':
    sys.exit(main())
