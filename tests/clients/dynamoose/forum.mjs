// A forum in Dynamoose: threads, whose authors are found by an index, and replies that expire.

import dynamoose from 'dynamoose';
import { connect } from '../support/peer.mjs';

// A client that sends each request once, so that a test sees the first response.
dynamoose.aws.ddb.set(connect(dynamoose.aws.ddb.DynamoDB, { maxAttempts: 1 }));

// Dynamoose waits without a delay until a table is active.
const defaults = {
  initialize: false,
  waitForActive: { enabled: true, check: { timeout: 20_000, frequency: 0 } },
};

const key = { type: String, hashKey: true };
const sortKey = { type: String, rangeKey: true };
export const indexed = (name, rangeKey) => ({
  type: String,
  index: { name, type: 'global', rangeKey },
});

export const threadSchema = (others) =>
  new dynamoose.Schema(
    {
      forum: key,
      thread: sortKey,
      author: indexed('byAuthor', 'thread'),
      title: { type: String, required: true },
      state: { type: String, enum: ['open', 'closed'], default: 'open' },
      replies: { type: Number, default: 0 },
      tags: { type: Set, schema: [String] },
      openedAt: Date,
      picture: Buffer,
      origin: { type: Object, schema: { site: String, pinned: Boolean } },
      editors: { type: Array, schema: [String] },
      ...others,
    },
    { saveUnknown: false },
  );

export const replySchema = new dynamoose.Schema({ forum: key, thread: sortKey, text: String });

// Creates the table, or updates an existing table, for a model of the schema.
export async function open(name, schema, options) {
  const Model = dynamoose.model(`${name}-${(opened += 1)}`, schema);
  await new dynamoose.Table(name, [Model], { ...defaults, ...options }).initialize();
  return Model;
}
let opened = 0;
