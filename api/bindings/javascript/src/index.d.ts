/** DynamoDB inside the process of Node.js. README.md shows the first steps. */

/** A plain JavaScript value that an attribute can have. */
export type Value =
  | string
  | number
  | bigint
  | Decimal
  | boolean
  | null
  | Uint8Array
  | Set<string>
  | Set<number | bigint | Decimal>
  | Set<Uint8Array>
  | Value[]
  | { [name: string]: Value };

/** A number of DynamoDB that is no exact JavaScript number, for example 1.00000000000000000001. */
export class Decimal {
  /** Throws RangeError if the text is no number. */
  constructor(text: string);
  toString(): string;
  toJSON(): string;
  /** Returns the nearest JavaScript number. */
  valueOf(): number;
}

/**
 * A path: a string, its bytes, or a URL of file:. Bytes and URLs can name files whose names are not
 * UTF-8.
 */
export type Path = string | Uint8Array | URL;

/** The options of a new Database. All of them are optional. */
export interface DatabaseOptions {
  /**
   * 'system' (default): the time of the machine. 'manual': a clock that begins with that time, and
   * that only `clock` and `advance` move. A Date: the beginning of a manual clock.
   */
  clock?: 'system' | 'manual' | Date;
  /** The region in ARNs and of clientOptions(). Default 'us-east-1'. */
  region?: string;
  /** The account in ARNs, 12 digits. Default '000000000000'. */
  account?: string;
  /**
   * 'sync' (default): an acknowledged write survives a power cut. 'buffered': it survives a crash
   * of the process, and writes are faster.
   */
  durability?: 'sync' | 'buffered';
  /**
   * 'wait' (default): a write waits for a transaction that has locked its item. 'fail': the write
   * fails with TransactionConflictException.
   */
  onConflict?: 'wait' | 'fail';
  /** Opens the directory without changing it, and refuses writes. Default false. */
  readOnly?: boolean;
  /** Creates the directory if it has no database. Default true. */
  create?: boolean;
  /** The key of all files, 32 bytes. Default: the files are not encrypted. */
  encryptionKey?: Uint8Array;
  /** The size of the read cache. Default 64 MiB. */
  cacheBytes?: number;
  /** The size of the row cache. Default 32 MiB; 0 turns it off. */
  rowCacheBytes?: number;
  /** The time within which expired items are deleted. Default 60. 0: only expire() deletes them. */
  expiryLagSeconds?: number;
  /** The simulation that begins with the database, as for simulate(). Default: no simulation. */
  simulate?: Members;
}

/** The members of a request or of an answer, by DynamoDB's names. */
export type Members = { [name: string]: any };

/** The sizes of a copy in bytes. */
export interface Copied {
  Bytes: number;
  CopiedBytes: number;
}

/** The tables of a seed: requests of CreateTable with Items and TimeToLiveSpecification. */
export type Seed = { Tables: Members[] } | string | Uint8Array;

/**
 * An open database, in memory or in a directory.
 *
 * Functions that return a promise run in libuv's worker pool and do not block the event loop. Their
 * twins with the suffix Sync block it. Both throw or reject with:
 * - DolmenError: the request or the database failed.
 * - ClosedError: the database is closed.
 * - TypeError, RangeError: an argument has no form in DynamoDB.
 *
 * The garbage collector and the end of the process or worker also close a database. At the end,
 * calls that have not started fail, and the others are finished first.
 */
export class Database {
  /**
   * Opens a database.
   * @param path the directory of the database. Absent or null: a new database in memory.
   * @throws DolmenError: the database cannot be opened, or an option is wrong or unknown.
   * @throws TypeError: the path is something else than a path. RangeError: the date is invalid.
   */
  constructor(path?: Path | null, options?: DatabaseOptions);

  /**
   * Returns a Database of this thread for a database that another thread has open. The database is
   * closed when all its objects are closed.
   * @param shared the property `share` of the other object, passed by postMessage or workerData.
   * @throws ClosedError: the database is closed.
   */
  static fromShared(shared: Shared): Database;

  /** The argument of fromShared() for this database. */
  readonly share: Shared;

  /** False after close() or closeSync(). */
  readonly isOpen: boolean;

  /**
   * Executes an operation of DynamoDB or of DynamoDB Streams, for example "PutItem". The members
   * of the request and of the answer have DynamoDB's names. Attribute values are plain JavaScript
   * values in both.
   */
  execute(operation: string, request?: Members): Promise<Members>;
  executeSync(operation: string, request?: Members): Members;

  /** Executes an operation whose request and answer are DynamoDB's JSON. */
  executeJson(operation: string, request: string | Uint8Array): Promise<string>;
  executeJsonSync(operation: string, request: string | Uint8Array): string;

  /**
   * Ends the subscriptions, waits for the running calls and closes the database. New calls fail at
   * once. A second call has no effect.
   */
  close(): Promise<void>;
  /** Closes the database at once, or when the running calls of the worker pool end. */
  closeSync(): void;

  /**
   * Returns an independent database with the same contents, options and time. The cost does not
   * depend on the number of items if both databases are in memory, or both are on one volume.
   * @param path a directory that is absent or empty. Absent: the fork is in memory.
   */
  fork(path?: Path | null): Promise<Database>;
  forkSync(path?: Path | null): Database;

  /**
   * Brings a database in memory back to its beginning: a fork to the contents with which it was
   * created, another database to no tables. The clock stays as it is, and subscriptions end.
   */
  reset(): Promise<void>;
  resetSync(): void;

  /**
   * Copies the database into a directory while all operations continue. The directory is absent or
   * empty, or holds an earlier backup of this database; then only new files are copied.
   */
  backup(path: Path): Promise<Copied>;
  backupSync(path: Path): Copied;

  /** Creates the tables of a seed with their items. After an error no table is created. */
  loadSeed(seed: Seed): Promise<void>;
  loadSeedSync(seed: Seed): void;

  /** The time of the database's clock. Only a manual clock can be set. */
  clock: Date;

  /** Advances a manual clock, and returns its new time. */
  advance(milliseconds: number): Date;

  /** Deletes all expired items. Returns their number. */
  expire(): Promise<number>;
  expireSync(): number;

  /** Waits until all indexes are built. */
  wait(): Promise<void>;
  waitSync(): void;

  /**
   * Replaces the simulation of failures of a database that was opened with the option simulate.
   * Without an argument nothing fails from now on.
   * @param simulation for example {Seed: 7, Rules: [{Fault: 'Throttling', Chance: 0.2}]}.
   * @throws DolmenError: a member is unknown or has a wrong value.
   */
  simulate(simulation?: Members): void;

  /** Returns a line for each simulated failure since the simulation was restarted. */
  trace(): string[];

  /**
   * Calls the handler with the changes of a table that has a stream, with one or more records at a
   * time, in the form of GetRecords with plain values. The next call follows when the handler's
   * promise is fulfilled. If the handler fails, onError gets the error, and the handler gets the
   * same records again a second later. The database stores the position under the name: a later
   * subscription of the name resumes there. A subscription keeps the process alive.
   */
  subscribe(
    table: string,
    name: string,
    handler: (records: Members[]) => unknown,
    options?: { onError?: (error: unknown) => void },
  ): Subscription;

  /**
   * Returns a client of the AWS SDK v3 whose requests this database executes, for example
   * db.client(DynamoDBClient). Requests skip what only a network needs: the SDK's middleware for
   * signatures and headers, and its writer and parser of JSON in the operations on items. The
   * answers and exceptions are those of the SDK.
   */
  client<C extends Client>(Client: new (options: any) => C, options?: HandlerOptions & Members): C;

  /** Does the same for a client that other code has created. It needs a region. Returns it. */
  attach<C extends Client>(client: C, options?: HandlerOptions): C;

  /** Returns a request handler for clients of the AWS SDK v3. Clients can share it. */
  requestHandler(options?: HandlerOptions): RequestHandler;

  /**
   * Returns the options of a client of the AWS SDK v3 whose requests this database executes, for
   * code that creates a client by options. The client does not sign its requests, because nothing
   * verifies them. client() is faster.
   */
  clientOptions(options?: HandlerOptions): ClientOptions;
}

/** A database that another thread can use. It can be cloned by postMessage. */
export interface Shared {
  id: number;
  region: string;
}

/** A running subscription. */
export class Subscription {
  private constructor();
  /** Waits for the running handler and ends the subscription. The handler cannot call it. */
  close(): Promise<void>;
}

/** A client of the AWS SDK v3. */
export interface Client {
  config: any;
  middlewareStack: any;
}

export interface HandlerOptions {
  /**
   * false (default): requests run in libuv's worker pool. true: they run in the thread of the
   * caller, which is faster for small requests and blocks the event loop.
   */
  sync?: boolean;
}

/** A request handler of the AWS SDK v3 that executes requests without a network. */
export interface RequestHandler {
  readonly metadata: { handlerProtocol: string };
  handle(request: any, options?: any): Promise<{ response: any }>;
  destroy(): void;
  updateHttpClientConfig(key: never, value: never): void;
  httpHandlerConfigs(): {};
}

export interface ClientOptions {
  requestHandler: RequestHandler;
  region: string;
  endpoint: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
  signer: { sign(request: any): Promise<any> };
  /** Drops all messages. */
  logger: any;
}

/**
 * Copies a backup into a directory that is absent or empty. It becomes a database.
 * @param options encryptionKey: the key of the database, if it is encrypted.
 */
export function restore(
  backup: Path,
  path: Path,
  options?: { encryptionKey?: Uint8Array },
): Promise<Copied>;

/** An error of a request or of the database. */
export class DolmenError extends Error {
  /** DynamoDB's name of the error, for example 'ConditionalCheckFailedException'. */
  name: string;
  /**
   * All members of the answer, for example the Item of a failed condition and the
   * CancellationReasons of a transaction, with plain values.
   */
  response: Members;
}

/** The error of a call after close(). */
export class ClosedError extends DolmenError {}

/** The release of the C library, for example '0.2.0'. */
export const version: string;
