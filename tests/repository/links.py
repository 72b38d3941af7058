#!/usr/bin/env python3
"""Checks that the relative links of pages, and the paths and names of sources in backquotes, name files that exist."""
import glob
import os
import re
import subprocess
import sys
import tempfile


TRACKED = subprocess.check_output(['git', 'ls-files'], text=True).split()
NAMES = {os.path.basename(path) for path in TRACKED}


def faults_of(page, text):
    text = re.sub(r'^```.*?^```', '', text, flags=re.S | re.M)
    folder = os.path.dirname(page)
    faults = [f'{page}: links to {target}, which does not exist' for target in re.findall(r'\]\(([^)\s#]+)', text)
              if not re.match(r'[a-z]+:', target) and not os.path.exists(os.path.join(folder, target))]
    # CHANGELOG.md names files as they were.
    if page != 'CHANGELOG.md':
        paths = re.findall(r'`((?:api|engine|models|bench|tests|cmake|\.ci)/[\w./*-]*)`', text)
        faults += [f'{page}: names {path}, which does not exist' for path in paths if not glob.glob(path)]
        names = re.findall(r'`(\w+\.(?:h|cc|cmake|sh|py))`', text)
        faults += [f'{page}: names {name}, which does not exist' for name in names if name not in NAMES]
    return faults


def selftest():
    """Checks that each rule finds a planted violation."""
    with tempfile.TemporaryDirectory() as folder:
        page = os.path.join(folder, 'page.md')
        assert faults_of(page, '[gone](gone.h)')
        assert faults_of(page, 'see `engine/gone.cc`')
        assert faults_of(page, 'see `gone.cc`')
        assert not faults_of(page, '[here](.) and [there](https://example.org)')


def main():
    selftest()
    faults = []
    for page in TRACKED:
        if page.endswith('.md') and os.path.exists(page):
            with open(page, encoding='utf-8') as file:
                faults += faults_of(page, file.read())
    print(*faults, sep='\n')
    return len(faults) > 0


if __name__ == '__main__':
    sys.exit(main())
