// Tests of the access patterns of the chat with ElectroDB.

import assert from 'node:assert/strict';
import test from 'node:test';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { failureOf } from '../support/failure.mjs';
import { client } from '../support/tables.mjs';
import { openChat } from './chat.mjs';

const table = 'electrodb-chat';
const chat = await openChat(table);
const { conversations, participants, messages } = chat.entities;

const at = (minute) => `2026-04-15T10:${String(minute).padStart(2, '0')}:00Z`;

// Creates a conversation with two participants and numbered messages, for one test.
async function seed(convoId, messageCount = 0) {
  const conversation = { convoId, type: 'group', name: `Chat ${convoId}`, createdAt: at(0) };
  await conversations.create(conversation).go();
  const members = ['u_01', 'u_02'].map((userId) => ({
    convoId,
    userId,
    role: userId === 'u_01' ? 'admin' : 'member',
    joinedAt: at(0),
    lastReadAt: at(0),
  }));
  await participants.put(members).go();
  const sent = Array.from({ length: messageCount }, (_, i) => newMessage(convoId, i + 1));
  await messages.put(sent).go();
  return { conversation: { ...conversation, messageCount: 0 }, members, sent };
}

const newMessage = (convoId, minute) => ({
  convoId,
  messageId: `01HW${String(minute).padStart(6, '0')}`,
  senderId: minute % 2 ? 'u_01' : 'u_02',
  body: `message ${minute}`,
  type: 'text',
  createdAt: at(minute),
});

async function failsOnCondition(promise) {
  const error = await failureOf(promise);
  assert.equal(error.code, 4001);
  assert.equal(error.cause.name, 'ConditionalCheckFailedException');
  assert.equal(error.cause.message, 'The conditional request failed');
}

test('AP1: get returns a conversation under the keys of the design', async () => {
  const { conversation } = await seed('ap1');
  assert.deepEqual(await conversations.get({ convoId: 'ap1' }).go(), { data: conversation });
  assert.deepEqual(await conversations.get({ convoId: 'absent' }).go(), { data: null });
  const { Item } = await client.send(
    new GetItemCommand({
      TableName: table,
      Key: { pk: { S: 'CONVO#ap1' }, sk: { S: '#METADATA' } },
    }),
  );
  assert.deepEqual(Item, {
    pk: { S: 'CONVO#ap1' },
    sk: { S: '#METADATA' },
    __edb_e__: { S: 'conversation' },
    __edb_v__: { S: '1' },
    convoId: { S: 'ap1' },
    name: { S: 'Chat ap1' },
    type: { S: 'group' },
    createdAt: { S: at(0) },
    messageCount: { N: '0' },
  });
});

test('AP2: the index lists the conversations of a user', async () => {
  const userId = 'u_inbox';
  const joined = ['c_3', 'c_1', 'c_2'].map((convoId) => ({
    convoId,
    userId,
    role: 'member',
    joinedAt: at(1),
  }));
  await participants.put(joined).go();
  const { data, cursor } = await participants.query.inbox({ userId }).go();
  assert.deepEqual(
    data.map(({ convoId }) => convoId),
    ['c_1', 'c_2', 'c_3'],
  );
  assert.equal(cursor, null);
  const { data: some } = await participants.query.inbox({ userId }).gt({ convoId: 'c_1' }).go();
  assert.deepEqual(
    some.map(({ convoId }) => convoId),
    ['c_2', 'c_3'],
  );
});

test('AP4: a query returns messages newest first, page by page', async () => {
  const { sent } = await seed('ap4', 12);
  const newest = [...sent].reverse();
  const pages = [];
  let cursor = null;
  do {
    const page = await messages.query
      .primary({ convoId: 'ap4' })
      .go({ order: 'desc', limit: 5, cursor });
    pages.push(page.data);
    cursor = page.cursor;
  } while (cursor !== null);
  assert.deepEqual(pages, [newest.slice(0, 5), newest.slice(5, 10), newest.slice(10)]);

  const { data } = await messages.query.primary({ convoId: 'ap4' }).go({ pages: 'all', limit: 5 });
  assert.deepEqual(data, sent);
});

test('AP5: get returns one message', async () => {
  const { sent } = await seed('ap5', 3);
  const { convoId, messageId } = sent[1];
  assert.deepEqual(await messages.get({ convoId, messageId }).go(), { data: sent[1] });
  const { data } = await messages
    .get({ convoId, messageId })
    .go({ attributes: ['body', 'senderId'] });
  assert.deepEqual(data, { body: 'message 2', senderId: 'u_02' });
});

test('AP6: a filter and a sort key condition find the unread messages', async () => {
  const { sent } = await seed('ap6', 10);
  await participants
    .update({ convoId: 'ap6', userId: 'u_01' })
    .set({ lastReadAt: at(7) })
    .go();
  const { data: reader } = await participants.get({ convoId: 'ap6', userId: 'u_01' }).go();
  const { data: byTime } = await messages.query
    .primary({ convoId: 'ap6' })
    .where(({ createdAt }, { gt }) => gt(createdAt, reader.lastReadAt))
    .go();
  assert.deepEqual(byTime, sent.slice(7));
  const { data: byKey } = await messages.query
    .primary({ convoId: 'ap6' })
    .gt({ messageId: sent[6].messageId })
    .go();
  assert.deepEqual(byKey, sent.slice(7));
});

const send = (message) =>
  chat.transaction
    .write(({ conversations, participants, messages }) => [
      messages.create(message).commit({ response: 'all_old' }),
      conversations
        .patch({ convoId: message.convoId })
        .set({
          lastMessageBody: message.body,
          lastMessageSender: message.senderId,
          lastMessageAt: message.createdAt,
        })
        .add({ messageCount: 1 })
        .commit(),
      participants
        .patch({ convoId: message.convoId, userId: message.senderId })
        .set({ lastReadAt: message.createdAt })
        .commit(),
    ])
    .go();

test('AP7: one transaction sends a message', async () => {
  const { conversation } = await seed('ap7');
  const { canceled } = await send(newMessage('ap7', 5));
  assert.equal(canceled, false);
  assert.deepEqual((await conversations.get({ convoId: 'ap7' }).go()).data, {
    ...conversation,
    lastMessageBody: 'message 5',
    lastMessageSender: 'u_01',
    lastMessageAt: at(5),
    messageCount: 1,
  });
  const { data: sender } = await participants.get({ convoId: 'ap7', userId: 'u_01' }).go();
  assert.equal(sender.lastReadAt, at(5));
  const { data: stored } = await messages.query.primary({ convoId: 'ap7' }).go();
  assert.deepEqual(stored, [newMessage('ap7', 5)]);
});

test('a message sent twice, or to an absent conversation, changes nothing', async () => {
  await seed('resent');
  const sent = newMessage('resent', 5);
  await send(sent);
  const again = await send({ ...sent, body: 'changed' });
  assert.equal(again.canceled, true);
  assert.deepEqual(
    again.data.map(({ rejected, code, item }) => ({ rejected, code, item })),
    [
      { rejected: true, code: 'ConditionalCheckFailed', item: sent },
      { rejected: false, code: 'None', item: null },
      { rejected: false, code: 'None', item: null },
    ],
  );
  const { data } = await conversations.get({ convoId: 'resent' }).go();
  assert.equal(data.messageCount, 1);
  assert.equal(data.lastMessageBody, 'message 5');

  const nowhere = await send(newMessage('nowhere', 6));
  assert.deepEqual(
    nowhere.data.map(({ code }) => code),
    ['None', 'ConditionalCheckFailed', 'ConditionalCheckFailed'],
  );
  assert.deepEqual((await messages.query.primary({ convoId: 'nowhere' }).go()).data, []);
});

test('one query of the collection returns all three entities of a room', async () => {
  const { conversation, members, sent } = await seed('room', 4);
  const { data } = await chat.collections.room({ convoId: 'room' }).go();
  assert.deepEqual(data, { conversations: [conversation], participants: members, messages: sent });
});

test('a transaction reads items of several entities together', async () => {
  const { conversation, members } = await seed('read');
  const { data } = await chat.transaction
    .get(({ conversations, participants, messages }) => [
      conversations.get({ convoId: 'read' }).commit(),
      participants.get({ convoId: 'read', userId: 'u_02' }).commit(),
      messages.get({ convoId: 'read', messageId: 'absent' }).commit(),
    ])
    .go();
  assert.deepEqual(
    data.map(({ item }) => item),
    [conversation, members[1], null],
  );
});

test('create rejects an existing item, and patch rejects an absent item', async () => {
  const { conversation } = await seed('once');
  await failsOnCondition(conversations.create({ ...conversation, name: 'another' }).go());
  await failsOnCondition(conversations.patch({ convoId: 'absent' }).set({ name: 'x' }).go());
  assert.deepEqual((await conversations.get({ convoId: 'absent' }).go()).data, null);
  assert.deepEqual((await conversations.get({ convoId: 'once' }).go()).data, conversation);
});

test('upsert creates the item and changes it', async () => {
  const first = { convoId: 'upsert', userId: 'u_09', role: 'member', joinedAt: at(1) };
  const { data: made } = await participants.upsert(first).go({ response: 'all_new' });
  assert.deepEqual(made, first);
  const { data: changed } = await participants
    .upsert({ convoId: 'upsert', userId: 'u_09', role: 'admin' })
    .ifNotExists({ joinedAt: at(2) })
    .go({ response: 'all_new' });
  assert.deepEqual(changed, { ...first, role: 'admin' });
});

test('an update changes numbers, sets, lists and maps', async () => {
  await seed('updated');
  const key = { convoId: 'updated' };
  await conversations
    .update(key)
    .add({ messageCount: 3, topics: ['ship', 'plan'] })
    .set({ pinned: ['m1'] })
    .remove(['name'])
    .go();
  const { data } = await conversations
    .update(key)
    .subtract({ messageCount: 1 })
    .append({ pinned: ['m2', 'm3'] })
    .delete({ topics: ['plan'] })
    .go({ response: 'all_new' });
  assert.deepEqual(data, {
    ...key,
    type: 'group',
    createdAt: at(0),
    messageCount: 2,
    topics: ['ship'],
    pinned: ['m1', 'm2', 'm3'],
  });

  const who = { ...key, userId: 'u_02' };
  await participants
    .update(who)
    .set({ settings: { colour: 'red' } })
    .go();
  const { data: old } = await participants
    .update(who)
    .data(({ settings }, { set }) => set(settings.muted, true))
    .go({ response: 'updated_old' });
  // In every update, ElectroDB sets the attributes that form the key, too. So the response lists
  // these attributes among the updated ones.
  assert.deepEqual(old, who);
  const { data: now } = await participants.get(who).go();
  assert.deepEqual(now.settings, { colour: 'red', muted: true });
});

test('a delete returns the old item', async () => {
  const { sent } = await seed('deleted', 2);
  const { convoId, messageId } = sent[0];
  assert.deepEqual(await messages.delete({ convoId, messageId }).go({ response: 'all_old' }), {
    data: sent[0],
  });
  await failsOnCondition(messages.remove({ convoId, messageId }).go());
  assert.deepEqual((await messages.query.primary({ convoId }).go()).data, [sent[1]]);
});

test('a batch is split into several requests', async () => {
  const convoId = 'batch';
  const sent = Array.from({ length: 60 }, (_, i) => newMessage(convoId, i + 1));
  assert.deepEqual(await messages.put(sent).go(), { unprocessed: [] });
  const keys = [...sent, newMessage(convoId, 99)].map(({ messageId }) => ({ convoId, messageId }));
  const { data, unprocessed } = await messages.get(keys).go({ preserveBatchOrder: true });
  assert.deepEqual(data, [...sent, null]);
  assert.deepEqual(unprocessed, []);
  await messages.delete(keys.slice(0, 58)).go();
  const { data: rest } = await messages.query.primary({ convoId }).go();
  assert.deepEqual(rest, sent.slice(58));
});

test('a scan returns the items of one entity', async () => {
  const chat = await openChat('electrodb-scan');
  const { conversations, messages } = chat.entities;
  await conversations.create({ convoId: 'c', type: 'direct', createdAt: at(0) }).go();
  const sent = [1, 2, 3].map((minute) => newMessage('c', minute));
  await messages.put(sent).go();
  const { data } = await messages.scan
    .where(({ body }, { contains }) => contains(body, 'message'))
    .go();
  assert.deepEqual(data, sent);
});
