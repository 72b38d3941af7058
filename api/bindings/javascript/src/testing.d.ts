/** A database for tests with Vitest, Jest, node:test or Mocha. */

import type {
  Client,
  ClientOptions,
  Database,
  DatabaseOptions,
  HandlerOptions,
  Members,
  Seed,
} from './index.js';

export interface TestDatabaseOptions extends DatabaseOptions {
  /** The tables and items with which each test begins. */
  seed?: Seed;
}

/**
 * A database in memory that is filled once, and a fork of it for each test. The clock is manual,
 * and only expire() deletes expired items.
 */
export class TestDatabase {
  constructor(options?: TestDatabaseOptions);

  /** The database that begin() forks. Fill it before the first test by its functions. */
  readonly base: Database;

  /** The fork of the current test. Throws before the first begin(). */
  readonly db: Database;

  /** Closes the fork of the last test, and creates the fork of the next test. */
  begin(): Promise<void>;

  /**
   * Lets requests of the current test fail as in AWS, for example
   * faults([{ Operation: 'PutItem', Fault: 'Throttling', CallsMax: 1 }], { Seed: 7 }).
   * db.trace() lists the failures.
   */
  faults(rules: Members[], members?: Members): void;

  /** Closes the fork and the base. */
  close(): Promise<void>;

  /**
   * Returns a client of the AWS SDK v3, as Database.client does. The client always uses the fork of
   * the current test, so it can be created once.
   */
  client<C extends Client>(Client: new (options: any) => C, options?: HandlerOptions & Members): C;

  /** Does the same for a client that other code has created. Returns it. */
  attach<C extends Client>(client: C, options?: HandlerOptions): C;

  /**
   * Returns the options of a client of the AWS SDK v3. The client always uses the fork of the
   * current test, so it can be created once.
   */
  clientOptions(options?: HandlerOptions): ClientOptions;
}

/** The functions of a test framework. */
export interface Hooks {
  beforeEach(run: () => Promise<void>): unknown;
  /** The name in Vitest and Jest. */
  afterAll?(run: () => Promise<void>): unknown;
  /** The name in node:test and Mocha. */
  after?(run: () => Promise<void>): unknown;
}

/** Gives each test of a file a fork of its own. Returns the database. */
export function forkPerTest(hooks: Hooks, options?: TestDatabaseOptions): TestDatabase;
