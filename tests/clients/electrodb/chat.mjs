// The chat of models/chat in ElectroDB: three entities in one table with one index.

import { Entity, Service } from 'electrodb';
import { client, createTable, index, schema } from '../support/tables.mjs';

// Defines a key that ElectroDB stores without a change. By default ElectroDB converts a key to
// lower case.
const key = (field, composite, template) => ({ field, composite, template, casing: 'none' });

const room = (composite, template) => ({
  collection: 'room',
  pk: key('pk', ['convoId'], 'CONVO#${convoId}'),
  sk: key('sk', composite, template),
});

const model = (entity) => ({ entity, version: '1', service: 'chat' });

const text = (others) => ({ type: 'string', required: true, ...others });

const conversation = {
  model: model('conversation'),
  attributes: {
    convoId: text(),
    name: { type: 'string' },
    type: { type: ['direct', 'group'], required: true },
    lastMessageBody: { type: 'string' },
    lastMessageSender: { type: 'string' },
    lastMessageAt: { type: 'string' },
    createdAt: text({ readOnly: true }),
    messageCount: { type: 'number', default: 0 },
    topics: { type: 'set', items: 'string' },
    pinned: { type: 'list', items: { type: 'string' } },
  },
  indexes: { primary: room([], '#METADATA') },
};

const participant = {
  model: model('participant'),
  attributes: {
    convoId: text(),
    userId: text(),
    role: { type: ['admin', 'member'], required: true },
    joinedAt: text({ readOnly: true }),
    lastReadAt: { type: 'string' },
    settings: {
      type: 'map',
      properties: { muted: { type: 'boolean' }, colour: { type: 'string' } },
    },
  },
  indexes: {
    primary: room(['userId'], 'PARTICIPANT#${userId}'),
    inbox: {
      index: 'gsi1',
      pk: key('gsi1pk', ['userId'], 'USER#${userId}'),
      sk: key('gsi1sk', ['convoId'], 'CONVO#${convoId}'),
    },
  },
};

const message = {
  model: model('message'),
  attributes: {
    convoId: text(),
    messageId: text(),
    senderId: text({ readOnly: true }),
    body: text(),
    type: { type: ['text', 'image'], required: true, default: 'text' },
    createdAt: text({ readOnly: true }),
  },
  indexes: {
    primary: room(['messageId'], 'MSG#${messageId}'),
  },
};

// Creates a table with this name and returns the service on it.
export async function openChat(table) {
  await createTable(table, {
    ...schema(['pk', 'sk'], ['gsi1pk', 'gsi1sk']),
    GlobalSecondaryIndexes: [index('gsi1', ['gsi1pk', 'gsi1sk'])],
  });
  const options = { client, table };
  return new Service({
    conversations: new Entity(conversation, options),
    participants: new Entity(participant, options),
    messages: new Entity(message, options),
  });
}
