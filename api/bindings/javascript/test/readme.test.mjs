// Runs the programs of README.md.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

const README = readFileSync(new URL('README.md', import.meta.url), 'utf8');

// Writes the programs of the page into a new directory of the project.
function writePrograms(t) {
  const directory = mkdtempSync(join(process.cwd(), 'readme-'));
  t.after(() => rmSync(directory, { recursive: true }));
  mkdirSync(join(directory, 'node_modules'));
  for (const [, name, program] of README.matchAll(/```js\n\/\/ (\S+\.js)\n(.*?)```/gs)) {
    writeFileSync(join(directory, name), program);
  }
  writeFileSync(join(directory, 'package.json'), '{"type": "module"}');
  return directory;
}

function run(directory, ...command) {
  const options = { cwd: directory, encoding: 'utf8', timeout: 120_000 };
  const { status, stdout, stderr } = spawnSync(process.execPath, command, options);
  assert.equal(status, 0, stdout + stderr);
  return stdout;
}

const outputs = [...README.matchAll(/```text\n(.*?)```/gs)].map(([, text]) => text);

test('the first program prints the output of the page', (t) => {
  assert.equal(run(writePrograms(t), 'first.js'), outputs[0]);
});

test('the program with the AWS SDK prints the output of the page', (t) => {
  assert.equal(run(writePrograms(t), 'sdk.js'), outputs[1]);
});

test('the example of a test passes with Vitest', (t) => {
  const vitest = join(process.cwd(), 'node_modules/vitest/vitest.mjs');
  const output = run(writePrograms(t), vitest, 'run', '--root', '.');
  assert.match(output, /4 passed/);
});

test('the worker of the page uses the database of its parent', (t) => {
  assert.equal(run(writePrograms(t), 'parent.js'), outputs[2]);
});
