// DynamoDB inside the process of Node.js.

import { native } from './native.js';

export { Database, restore } from './database.js';
export { ClosedError, DolmenError } from './errors.js';
export { Decimal } from './values.js';

// The release of the C library, for example 0.2.0.
export const version = native.version;
