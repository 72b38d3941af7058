// Tests that ElectroDB and Dolmen's entities read each other's items.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Entity } from 'electrodb';
import { putUpdated, recorded, updated } from '../support/recorded.mjs';
import { client } from '../support/tables.mjs';
import { openChat } from './chat.mjs';

// An entity with ElectroDB's own form of keys, in lower case: `$tracker#project_apollo`.
const task = {
  model: { entity: 'task', version: '1', service: 'tracker' },
  attributes: {
    project: { type: 'string', required: true },
    taskId: { type: 'string', required: true },
    assignee: { type: 'string' },
    points: { type: 'number', default: 1 },
    isDone: { type: 'boolean', default: false },
    labels: { type: 'set', items: 'string' },
  },
  indexes: {
    primary: {
      pk: { field: 'pk', composite: ['project'] },
      sk: { field: 'sk', composite: ['taskId'] },
    },
    byAssignee: {
      index: 'gsi1',
      pk: { field: 'gsi1pk', composite: ['assignee'] },
      sk: { field: 'gsi1sk', composite: ['project', 'taskId'] },
    },
  },
};

async function open(table) {
  const chat = await openChat(table);
  return { ...chat.entities, tasks: new Entity(task, { client, table }), chat };
}

const at = (minute) => `2026-04-15T10:${String(minute).padStart(2, '0')}:00Z`;

const room = {
  convoId: 'c_01',
  type: 'group',
  name: 'Project Chat',
  createdAt: at(0),
  messageCount: 2,
  topics: ['plan', 'ship'],
  pinned: ['01HW000001'],
};
const admin = {
  convoId: 'c_01',
  userId: 'u_01',
  role: 'admin',
  joinedAt: at(0),
  settings: { muted: true, colour: 'red' },
};
const member = { convoId: 'c_01', userId: 'u_02', role: 'member', joinedAt: at(1) };
const messages = [1, 2].map((minute) => ({
  convoId: 'c_01',
  messageId: `01HW00000${minute}`,
  senderId: 'u_01',
  body: `message ${minute}`,
  type: 'text',
  createdAt: at(minute),
}));
const design = {
  project: 'Apollo',
  taskId: '01HXA',
  assignee: 'Ada',
  points: 5,
  isDone: false,
  labels: ['urgent'],
};
const review = { project: 'Apollo', taskId: '01HXB', points: 1, isDone: true };

test('ElectroDB writes the recorded items', async () => {
  const { conversations, participants, messages: sent, tasks } = await open(recorded);
  await conversations.create(room).go();
  await participants.put([admin, member]).go();
  await sent.put(messages).go();
  await tasks.put([design, review]).go();
});

test('ElectroDB reads and changes the items that Dolmen has updated', async () => {
  const { conversations, participants, tasks, chat } = await open(updated);
  await putUpdated();
  const { data } = await chat.collections.room({ convoId: 'c_01' }).go();
  assert.deepEqual(data, {
    conversations: [
      { ...room, messageCount: 3, lastMessageBody: 'Done', lastMessageSender: 'u_02' },
    ],
    participants: [{ ...admin, settings: { muted: false, colour: 'red' } }, member],
    messages: [
      ...messages,
      { ...messages[0], messageId: '01HW000003', senderId: 'u_02', body: 'Done', createdAt: at(3) },
    ],
  });
  const inbox = await participants.query.inbox({ userId: 'u_02' }).go();
  assert.deepEqual(inbox.data, [member]);

  const moved = { ...design, assignee: 'Bob', points: 8 };
  assert.deepEqual((await tasks.query.byAssignee({ assignee: 'Bob' }).go()).data, [moved]);
  assert.deepEqual((await tasks.query.byAssignee({ assignee: 'Ada' }).go()).data, []);
  const created = { project: 'Apollo', taskId: '01HXC', points: 2, isDone: false };
  assert.deepEqual((await tasks.query.primary({ project: 'Apollo' }).go()).data, [
    moved,
    review,
    created,
  ]);
  await conversations.patch({ convoId: 'c_01' }).add({ messageCount: 1 }).go();
  await tasks.patch({ project: 'Apollo', taskId: '01HXC' }).add({ points: 1 }).go();
  const key = { project: 'Apollo', taskId: '01HXC' };
  assert.deepEqual((await tasks.get(key).go()).data, { ...created, points: 3 });
});
