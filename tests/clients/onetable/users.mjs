// The users of models/user in OneTable: profiles with unique email addresses, sessions that expire,
// and users who are friends.

import { Table } from 'dynamodb-onetable';
import { newClient } from '../support/tables.mjs';

const Schema = {
  format: 'onetable:1.1.0',
  version: '0.0.1',
  indexes: {
    primary: { hash: 'PK', sort: 'SK' },
    gsi1: { hash: 'GSI1PK', sort: 'GSI1SK', project: 'all' },
    byDate: { type: 'local', sort: 'addedAt', project: 'keys' },
  },
  params: { isoDates: true, nulls: false, timestamps: false, typeField: 'kind' },
  models: {
    User: {
      PK: { type: String, value: 'USER#${userId}' },
      SK: { type: String, value: 'PROFILE' },
      userId: { type: String, required: true },
      login: { type: String, required: true, unique: true },
      firstName: { type: String },
      status: { type: String, enum: ['active', 'suspended', 'deleted'], default: 'active' },
      version: { type: Number, default: 1 },
      bornAt: { type: Date },
      tags: { type: Set },
      picture: { type: Buffer },
      address: { type: Object, schema: { street: { type: String }, zip: { type: String } } },
      nicknames: { type: Array },
    },
    Email: {
      PK: { type: String, value: 'USER#${userId}' },
      SK: { type: String, value: 'EMAIL#${emailId}' },
      GSI1PK: { type: String, value: 'EMAIL#${email}' },
      GSI1SK: { type: String, value: 'USER#${userId}' },
      userId: { type: String, required: true },
      emailId: { type: String, required: true },
      email: { type: String, required: true },
      isPrimary: { type: Boolean, default: false },
      isVerified: { type: Boolean, default: false },
      addedAt: { type: String },
    },
    Session: {
      PK: { type: String, value: 'USER#${userId}' },
      SK: { type: String, value: 'SESSION#${sessionId}' },
      userId: { type: String, required: true },
      sessionId: { type: String, required: true },
      expiresAt: { type: Date, ttl: true },
    },
  },
};

// Returns the table, which is not created yet, with its models. `params` are added to those of the
// schema.
export function users(name, params = {}) {
  const schema = { ...Schema, params: { ...Schema.params, ...params } };
  const table = new Table({ client: newClient(), name, schema, logger: false });
  const [User, Email, Session] = ['User', 'Email', 'Session'].map((model) => table.getModel(model));
  return { table, User, Email, Session };
}
