// The organisations of models/org in DynamoDB-Toolbox: users, organisations, members, services and
// invitations in one table. Each entity computes its key from its own attributes.

import { Entity, Table, item, list, map, number, prefix, set, string } from 'dynamodb-toolbox';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createTable, index, newClient, schema } from '../support/tables.mjs';

const documents = DynamoDBDocumentClient.from(newClient(), {
  marshallOptions: { removeUndefinedValues: true },
});

// Creates the table and returns it with its entities.
export async function openOrganisations(name) {
  await createTable(name, {
    ...schema(['pk', 'sk'], ['memberOf']),
    GlobalSecondaryIndexes: [index('by-organisation', ['memberOf', 'sk'])],
  });
  const table = new Table({
    name,
    documentClient: documents,
    partitionKey: { name: 'pk', type: 'string' },
    sortKey: { name: 'sk', type: 'string' },
    indexes: {
      'by-organisation': {
        type: 'global',
        partitionKey: { name: 'memberOf', type: 'string' },
        sortKey: { name: 'sk', type: 'string' },
      },
    },
    entityAttributeSavedAs: 'entity',
  });
  const entity = (name, attributes, computeKey) =>
    new Entity({ name, table, schema: item(attributes), computeKey, timestamps: false });
  return {
    table,
    User: entity(
      'user',
      {
        email: string().key(),
        firstName: string(),
        lastName: string(),
        phone: string().optional(),
        logins: number().default(0),
      },
      ({ email }) => ({ pk: `user/${email}`, sk: 'user' }),
    ),
    Organisation: entity(
      'organisation',
      { organisationId: string().key(), organisationName: string() },
      ({ organisationId }) => ({ pk: `organisation/${organisationId}`, sk: 'organisation' }),
    ),
    Member: entity(
      'member',
      {
        organisationId: string().key(),
        email: string().key(),
        groups: set(string()),
        memberOf: string().transform(prefix('organisation')),
      },
      ({ organisationId, email }) => ({
        pk: `organisation/${organisationId}`,
        sk: `organisationMember/${email}`,
      }),
    ),
    Service: entity(
      'service',
      {
        organisationId: string().key(),
        serviceId: string().key(),
        serviceName: string(),
        settings: map({ level: number().optional(), owners: list(string()).optional() }).optional(),
      },
      ({ organisationId, serviceId }) => ({
        pk: `organisation/${organisationId}`,
        sk: `organisationService/${serviceId}`,
      }),
    ),
    Invitation: entity(
      'invitation',
      { email: string().key(), organisationId: string().key(), expiresAt: number() },
      ({ email, organisationId }) => ({
        pk: `user/${email}`,
        sk: `userOrganisation/${organisationId}`,
      }),
    ),
  };
}
