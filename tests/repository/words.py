#!/usr/bin/env python3
"""Finds words that CONTRIBUTING.md ("Words") excludes, in comments, pages, messages and test names.

  words.py [PATH ...]                 print each finding as file:line: rule: text; exit with 1 if there is one
  words.py --selftest                 check that each rule finds a planted fault
  words.py --draw comments|pages|messages --count 100 --seed 7 [PATH ...]
                                      print that many texts, drawn by the seed, for a reader to judge

Without a PATH the script reads every file that git tracks.
"""
import argparse
import random
import re
import subprocess
import sys
from typing import Iterator, NamedTuple

SENTENCE_WORDS_MAX = 32

OPENERS = ('What|Whether|Of|How|Who|Whose|Whoever|Which|Where|As|Also|Else|But|And|Or|Nor|Nothing|'
           'The same|So|Behind|Without|Than|Such')
OPENER = re.compile(rf'(?:\.\.\. ?)?(?:{OPENERS})\b(?! (?:well as|long as|soon as|far as)\b)', re.I)
TEST_OPENER = re.compile(rf'(?:{OPENERS.replace("The same", "TheSame")})(?=[A-Z0-9]|$)')

# Constructions that are hard to read, each with advice.
PHRASES = {
    r'as if (?:that|it|this) had not been': 'say what state remains',
    r'\bha(?:s|ve) (?:its|their) place': 'say where the thing is stored',
    r'\bgo(?:es)? on\b': 'continues, resumes, or the real verb',
    r'\b(?:is|are) there (?:already|any|to|no)\b': 'exists',
    r'\bthat (?:is|are) there\b|\bif (?:there is none|it is there|they are there)\b': 'exists',
    r'\b(?:is|are|be|being) made\b(?! (?:of|from|by|up|to|public|visible|durable)\b)':
        'created, built, written',
    r'\bas one would\b|\bone would say\b': 'name the thing',
    r'\b(?:nobody|whoever|somebody)\b': 'name the caller, the thread or the program',
    r'\bis as good as\b': 'say what is equal',
    r'\bof such\b|\bsuch (?:are|is)\b': 'repeat the noun',
    r'\bwhat (?:is|are) (?:no|not)\b': 'name the thing',
    r'\bthe like\b|\band all\b[.,;]': 'list the parts',
    r'\bby now\b(?! than)|\bby itself alone\b': 'leave it out',
    r'\bnot without\b|\bnothing that is not\b|\bno(?:ne)? that (?:is|are) not\b|\bnever not\b':
        'turn the double negation round',
    r"\bfor ever\b": 'forever, or without limit',
    r'\bthat (?:had|has) to be\b[.;]': 'name the requirement',
}
PHRASES = {re.compile(pattern, re.I): advice for pattern, advice in PHRASES.items()}

# Several errors in one line. Each error belongs on its own line, which begins with "- ".
ERROR_LIST = re.compile(r'^(?!- ).*(?<![\w`])k[A-Z]\w+(?:, k[A-Z]\w+)*: ')

TWO_SPACES = re.compile(r'[a-z0-9)"][.!?]  [A-Z]')

C_LIKE = ('.h', '.cc', '.c', '.mjs', '.js', '.ts', '.go', '.java', '.rs')
HASH_LIKE = ('.py', '.sh', '.cmake', 'CMakeLists.txt', 'Makefile', '.awk', '.gp', '.ci/run')
NO_PROSE = re.compile(r'namespace\b|NOLINT|clang-format|static$|=+$|-+$|https?://\S+$|!|@')


class Text(NamedTuple):
    """A piece of prose, its place and its kind."""
    path: str
    line: int
    kind: str  # 'comment' (whole lines), 'remark' (behind code), 'page', 'message', 'test'
    paragraphs: list


def paragraphs_of(lines):
    """Joins lines into paragraphs: an empty line, a list mark or an indented line begins a new one."""
    paragraphs = []
    for line in lines:
        if not line.strip():
            paragraphs.append('')
        elif re.match(r'(?:[-*] |\d+\. |  )', line) or not paragraphs or not paragraphs[-1]:
            paragraphs.append(line.rstrip())
        else:
            paragraphs[-1] += ' ' + line.strip()
    return [p for p in paragraphs if p]


def comments(path, source) -> Iterator[Text]:
    """Yields the blocks of whole-line comments, and each comment that follows code on its line."""
    mark = '//' if path.endswith(C_LIKE) else '#'
    whole = re.compile(rf'\s*{mark}+ ?(.*)')
    behind = re.compile(r'.*[;{},):\w\]]\s\s?// (\S.*)') if mark == '//' else None
    block, start = [], 0
    for number, line in enumerate(source.splitlines() + [''], 1):
        match = whole.match(line) if not (mark == '#' and line.startswith('#!')) else None
        if match:
            block.append(match.group(1))
            start = start or number
            continue
        if block and not NO_PROSE.match(block[0]):
            yield Text(path, start, 'comment', paragraphs_of(block))
        block, start = [], 0
        match = behind and '"' not in line and behind.match(line)
        if match and not NO_PROSE.match(match.group(1)):
            yield Text(path, number, 'remark', [match.group(1)])


def docstrings(path, source) -> Iterator[Text]:
    for match in re.finditer(r'^ *"""(.*?)"""', source, re.S | re.M):
        line = source.count('\n', 0, match.start()) + 1
        yield Text(path, line, 'comment', paragraphs_of(match.group(1).strip().splitlines()[:1]))


def page(path, source) -> Iterator[Text]:
    """Yields each paragraph and list item of a Markdown page; code, tables and headings are left out."""
    block, start, fenced = [], 0, False
    for number, line in enumerate(source.splitlines() + [''], 1):
        fence = line.lstrip().startswith('```')
        fenced ^= fence
        item = re.match(r'\s*(?:[-*]|\d+\.) +', line)
        ends = fence or fenced or item or not line.strip() or re.match(r'[#|<>!]|\s*\|', line)
        if ends and block:
            yield Text(path, start, 'page', [' '.join(block)])
            block = []
        if item or not ends:
            if not block:
                start = number
            block.append(line.strip()[len(item.group().strip()):].strip() if item else line.strip())


def messages(path, source) -> Iterator[Text]:
    """Yields the string literals of at least four words, adjacent literals joined."""
    literal = re.compile(r'"((?:[^"\\\n]|\\.)*)"(?:\s*"((?:[^"\\\n]|\\.)*)")*')
    code = re.sub(r'^\s*(?://|#).*$|\s// .*$', '', source, flags=re.M)
    for match in literal.finditer(code):
        text = ''.join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', match.group()))
        if len(re.findall(r'\b[A-Za-z]{2,}\b', text)) >= 4:
            yield Text(path, code.count('\n', 0, match.start()) + 1, 'message', [text])


def test_names(path, source) -> Iterator[Text]:
    for match in re.finditer(r'^TEST(?:_F|_P)?\(\w+,\s*(\w+)\)', source, re.M):
        yield Text(path, source.count('\n', 0, match.start()) + 1, 'test', [match.group(1)])


def texts_of(path) -> Iterator[Text]:
    try:
        with open(path, encoding='utf-8') as file:
            source = file.read()
    except (UnicodeDecodeError, IsADirectoryError, FileNotFoundError):
        return
    if path.endswith('.md'):
        yield from page(path, source)
    elif path.endswith(C_LIKE + HASH_LIKE) or source.startswith('#!'):
        yield from comments(path, source)
        if path.endswith('.py'):
            yield from docstrings(path, source)
        if path.endswith(('.h', '.cc')) and not path.startswith('tests/'):
            yield from messages(path, source)
        if path.endswith('.cc'):
            yield from test_names(path, source)


def findings(text) -> Iterator[tuple]:
    """Yields the broken rule and the quoted words of each violation in the text."""
    if text.kind == 'test':
        if TEST_OPENER.match(text.paragraphs[0]):
            yield 'test name opens with a fragment', text.paragraphs[0]
        return
    for place, paragraph in enumerate(text.paragraphs):
        prose = re.sub(r'`[^`]*`|"[^"]*"', '""', paragraph)
        if OPENER.match(prose) and prose[0].isupper() and (text.kind == 'page' or place == 0):
            yield 'opens with a fragment', paragraph[:70]
        for phrase, advice in PHRASES.items():
            if match := phrase.search(prose):
                yield f'"{match.group()}" ({advice})', prose[max(0, match.start() - 40):match.end() + 20]
        if text.kind != 'message' and TWO_SPACES.search(prose) and not re.match(r'  |.*\S   ', paragraph):
            yield 'two spaces after a sentence', paragraph[:70]
        if text.kind in ('comment', 'remark') and ERROR_LIST.match(prose):
            yield 'errors belong in a list, one per line', paragraph[:70]
        if text.kind != 'message':
            for sentence in re.split(r'(?<=[.;:!?])\s', prose):
                if len(words := re.findall(r"[\w'/.<>()_-]+", sentence)) > SENTENCE_WORDS_MAX:
                    yield f'sentence of {len(words)} words', sentence[:70]


def tracked_files():
    listing = subprocess.run(['git', 'ls-files', '-z'], capture_output=True, text=True, check=True)
    return [path for path in listing.stdout.split('\0')
            if path and not path.startswith('tests/fuzz/corpus/') and not path.endswith('.json')]


def selftest():
    """Checks that every rule finds its planted fault, and that plain text passes."""
    plain = 'Returns the number of rows. The caller owns them.'
    assert not list(findings(Text('a.h', 1, 'comment', [plain])))
    planted = [f'{opener} it does.' for opener in OPENERS.split('|')]
    planted += ['the database reads as if that had not been', 'has its place', 'it goes on', 'the file is made',
                'an item that is there', 'written down as one would say it', 'nobody has it',
                'is as good as none', 'an update of such', 'what is no browser', 'keys and the like',
                'gone by now', 'nothing that is not written', 'grows for ever', 'it says what that has to be.',
                'fails. kValidation: wrong.', 'One.  Two.', ' '.join(['word'] * 33) + '.']
    for fault in planted:
        assert list(findings(Text('a.h', 1, 'comment', [fault]))), fault
    assert list(findings(Text('t.cc', 1, 'test', ['WhatIsAbsentIsRefused'])))
    source = '// What it does.\nint f();  // Of use.\n// kOne: a.  kTwo: b.\n'
    assert len([f for text in comments('a.h', source) for f in findings(text)]) == 3
    assert [f for text in page('a.md', '- Of an item.\n') for f in findings(text)]
    assert [f for text in messages('a.cc', 'F("Of an item that is new");\n') for f in findings(text)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument('paths', nargs='*')
    parser.add_argument('--selftest', action='store_true')
    parser.add_argument('--draw', choices=['comments', 'pages', 'messages'])
    parser.add_argument('--count', type=int, default=100)
    parser.add_argument('--seed', type=int, default=1)
    arguments = parser.parse_args()
    selftest()
    if arguments.selftest:
        return 0
    paths = [path for path in tracked_files()
             if not arguments.paths or any(path.startswith(given.removeprefix('./')) for given in arguments.paths)]
    texts = [text for path in paths for text in texts_of(path)]
    if arguments.draw:
        of_kind = [text for text in texts if text.kind + 's' == arguments.draw
                   and len(' '.join(text.paragraphs).split()) >= 4]
        for text in random.Random(arguments.seed).sample(of_kind, min(arguments.count, len(of_kind))):
            print(f'{text.path}:{text.line}', *text.paragraphs, '', sep='\n')
        return 0
    count = 0
    for text in texts:
        for rule, quotation in findings(text):
            print(f'{text.path}:{text.line}: {rule}: {quotation}')
            count += 1
    print(f'{count} findings in {len(texts)} texts')
    return count > 0


if __name__ == '__main__':
    sys.exit(main())
