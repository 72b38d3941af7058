#!/usr/bin/env python3
"""Measures which share of the lines of the given headers is comment, and fails if the share is below a minimum.

Usage: comment_share.py MINIMUM_PERCENT HEADER...

Prints the share of each header, the smallest first, and the share of all headers together.
Exits with 1 if the share of all headers together is below the minimum.

The share is the number of comment lines divided by the number of lines that are not blank.
A comment line contains only a comment.
NOLINT and IWYU marks are written for tools, so they do not count as comments.
"""
import re
import sys

MARK = re.compile(r'//\s*(?:NOLINT|IWYU)')


def is_comment(line):
    """Returns True if the line holds only a comment that is not a NOLINT or IWYU mark."""
    return line.strip().startswith('//') and not MARK.search(line)


def measure(path):
    """Returns two numbers: the comment lines, and all lines that are not blank."""
    with open(path, encoding='utf-8') as file:
        lines = [line for line in file if line.strip()]
    return sum(map(is_comment, lines)), len(lines)


def selftest():
    expected = {'// text': True, '  // text': True, 'int a;  // text': False, 'f("//");': False,
                '// NOLINTNEXTLINE(reason)': False}
    for line, is_one in expected.items():
        assert is_comment(line) == is_one, line


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
