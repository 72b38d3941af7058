// Tests that Dynamoose and Dolmen's entities read each other's items.

import assert from 'node:assert/strict';
import test from 'node:test';
import { putUpdated, recorded, updated } from '../support/recorded.mjs';
import { open, threadSchema } from './forum.mjs';

const openThreads = (name) => open(name, threadSchema(), { throughput: 'ON_DEMAND' });

const first = {
  forum: 'menhirs',
  thread: 't1',
  author: 'ada',
  title: 'How heavy are they?',
  state: 'open',
  replies: 2,
  tags: new Set(['stone', 'weight']),
  openedAt: new Date('2026-04-05T06:07:08.009Z'),
  picture: Buffer.from([0, 1, 255]),
  origin: { site: 'x', pinned: true },
  editors: ['ada', 'bob'],
};
const second = { forum: 'menhirs', thread: 't2', title: 'Anonymous', state: 'open', replies: 0 };

test('Dynamoose writes the recorded items', async () => {
  const Thread = await openThreads(recorded);
  await Thread.create(first);
  await Thread.create(second);
});

test('Dynamoose reads and changes the items that Dolmen has updated', async () => {
  const Thread = await openThreads(updated);
  await putUpdated();
  const plain = (items) => items.map((found) => ({ ...found }));
  const changed = { ...first, author: 'bob', replies: 3, origin: { site: 'x', pinned: false } };
  const created = {
    forum: 'menhirs',
    thread: 't3',
    author: 'eve',
    title: 'Who carved them?',
    state: 'closed',
    replies: 0,
  };
  const all = await Thread.query('forum').eq('menhirs').exec();
  assert.deepEqual(plain(all), [changed, { ...second, title: 'Named' }, created]);
  const by = async (author) =>
    plain(await Thread.query('author').eq(author).using('byAuthor').exec());
  assert.deepEqual(await by('bob'), [changed]);
  assert.deepEqual(await by('ada'), []);
  const answered = await Thread.update({ forum: 'menhirs', thread: 't1' }, { $ADD: { replies: 1 } });
  assert.equal(answered.replies, 4);
});
