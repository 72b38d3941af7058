// The members of requests and answers that contain attribute values.
//
// A shape is one of these:
// - ITEM: a map of attribute names to attribute values.
// - VALUE: an attribute value.
// - [shape]: a list.
// - Named: a map whose names the caller chooses, for example names of tables.
// - {member: shape}: a structure. Other members contain no attribute values.

import { jsonPart, toJson } from './arguments.js';
import { decode, decodeItem, encode, encodeItem } from './values.js';

class Named {
  constructor(shape) {
    this.shape = shape;
  }
}

const ITEM = Symbol('item');
const VALUE = Symbol('value');

const CONDITIONS = new Named({ Value: VALUE, AttributeValueList: [VALUE] });

// A request for items, alone or in a batch or transaction.
const REQUEST = {
  Item: ITEM,
  Key: ITEM,
  ExclusiveStartKey: ITEM,
  ExpressionAttributeValues: ITEM,
  AttributeUpdates: CONDITIONS,
  Expected: CONDITIONS,
  KeyConditions: CONDITIONS,
  QueryFilter: CONDITIONS,
  ScanFilter: CONDITIONS,
};
const BATCH_KEYS = new Named({ Keys: [ITEM] });
const BATCH_WRITES = new Named([{ PutRequest: REQUEST, DeleteRequest: REQUEST }]);
const ACTION = {
  Get: REQUEST,
  Put: REQUEST,
  Update: REQUEST,
  Delete: REQUEST,
  ConditionCheck: REQUEST,
};
const STATEMENT = { Parameters: [VALUE] };
const COLLECTION = { ItemCollectionKey: ITEM };
const RECORD = { dynamodb: { Keys: ITEM, NewImage: ITEM, OldImage: ITEM } };

const REQUESTS = {
  GetItem: REQUEST,
  PutItem: REQUEST,
  UpdateItem: REQUEST,
  DeleteItem: REQUEST,
  Query: REQUEST,
  Scan: REQUEST,
  BatchGetItem: { RequestItems: BATCH_KEYS },
  BatchWriteItem: { RequestItems: BATCH_WRITES },
  TransactGetItems: { TransactItems: [ACTION] },
  TransactWriteItems: { TransactItems: [ACTION] },
  ExecuteStatement: STATEMENT,
  BatchExecuteStatement: { Statements: [STATEMENT] },
  ExecuteTransaction: { TransactStatements: [STATEMENT] },
};

const PAGE = { Items: [ITEM], LastEvaluatedKey: ITEM };
const WRITTEN = { Attributes: ITEM, ItemCollectionMetrics: COLLECTION };

const ANSWERS = {
  GetItem: { Item: ITEM },
  PutItem: WRITTEN,
  UpdateItem: WRITTEN,
  DeleteItem: WRITTEN,
  Query: PAGE,
  Scan: PAGE,
  BatchGetItem: { Responses: new Named([ITEM]), UnprocessedKeys: BATCH_KEYS },
  BatchWriteItem: {
    UnprocessedItems: BATCH_WRITES,
    ItemCollectionMetrics: new Named([COLLECTION]),
  },
  TransactGetItems: { Responses: [{ Item: ITEM }] },
  TransactWriteItems: { ItemCollectionMetrics: new Named([COLLECTION]) },
  GetRecords: { Records: [RECORD] },
  ExecuteStatement: PAGE,
  BatchExecuteStatement: { Responses: [{ Item: ITEM, Error: { Item: ITEM } }] },
  ExecuteTransaction: { Responses: [{ Item: ITEM }] },
};

const ERROR = { Item: ITEM, CancellationReasons: [{ Item: ITEM }] };

const ENCODE = { [ITEM]: encodeItem, [VALUE]: encode };
const DECODE = { [ITEM]: decodeItem, [VALUE]: decode };

// Returns the JSON of the request, with attribute values in place of plain values.
export const requestText = (operation, request) =>
  Object.hasOwn(REQUESTS, operation)
    ? JSON.stringify(convert(REQUESTS[operation], request, ENCODE))
    : toJson(request);

// Returns the answer with plain values in place of attribute values.
export const decodeAnswer = (operation, answer) =>
  convert(shapeOf(ANSWERS, operation), answer, DECODE);

// Returns the answer of a failed request with plain values in place of attribute values.
export const decodeError = (answer) => convert(ERROR, answer, DECODE);

// Returns the records of a stream with plain values in place of attribute values.
export const decodeRecords = (records) => convert([RECORD], records, DECODE);

const shapeOf = (shapes, operation) => (Object.hasOwn(shapes, operation) ? shapes[operation] : {});

// Converts the attribute values in the data. A part of a wrong type is left as it is.
function convert(shape, data, converters) {
  if (shape === VALUE) return converters[VALUE](data);
  if (typeof data !== 'object' || data === null) return data;
  if (shape === ITEM) return Array.isArray(data) ? data : converters[ITEM](data);
  if (Array.isArray(shape)) {
    return Array.isArray(data) ? data.map((part) => convert(shape[0], part, converters)) : data;
  }
  if (Array.isArray(data)) return data;
  const converted = {};
  for (const name of Object.keys(data)) {
    const part = shape instanceof Named ? shape.shape : shape[name];
    converted[name] =
      part === undefined ? jsonPart(name, data[name]) : convert(part, data[name], converters);
  }
  return converted;
}
