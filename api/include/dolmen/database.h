// A database: tables in one directory, or in memory.
//
//   auto db = Database::Open("app.dolmen");  // or Database::InMemory()
//   if (!db.ok()) return db.status();
//   auto table = db->OpenTable("app");
//   if (table.status().code() == StatusCode::kResourceNotFound) {
//     table = db->CreateTable({.name = "app"});  // string keys PK and SK
//   }

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/backup.h"
#include "dolmen/batch.h"
#include "dolmen/clock.h"
#include "dolmen/connect_options.h"
#include "dolmen/create_table.h"
#include "dolmen/describe_table.h"
#include "dolmen/import_table.h"
#include "dolmen/internal/lifetime.h"
#include "dolmen/list_tables.h"
#include "dolmen/open_options.h"
#include "dolmen/point_in_time.h"
#include "dolmen/result.h"
#include "dolmen/statement.h"
#include "dolmen/stats.h"
#include "dolmen/streams.h"
#include "dolmen/table.h"
#include "dolmen/table_backup.h"
#include "dolmen/time_to_live.h"
#include "dolmen/transaction.h"
#include "dolmen/update_table.h"
#include "dolmen/verify.h"

namespace dolmen {

namespace internal {
class Backend;
}  // namespace internal

// An open database. A handle: copies refer to the same database, which closes when its last handle,
// Table or Subscription is destroyed. If the last of them is a static object, the database may find at its end that the
// static objects of RocksDB are already destroyed. It then stays open until the process ends, and the next opening finds it
// as after a kill: with all acknowledged writes. A handle that was moved from can only be assigned to or destroyed.
//
// Every method is thread-safe. UpdateTable can change a table while other threads read and write
// it. The change waits for the writes that began before it. Other reads and writes do not wait.
//
// In addition to the errors listed below, every operation may fail with:
// - kStorage: the system could not read or write (table.h).
// - kCorruption: stored bytes are damaged.
// - kResourceNotFound: a table that the request names was deleted.
// Every operation that writes fails with kValidation if the database was opened read_only.
//
// A child process of fork(2) cannot use a database of its parent: every operation fails with kStorage, and the
// destructors of the handles do nothing. It can open databases only if its parent had opened none before the fork. The
// parent is not affected. If the child calls exit(3), the streams of stdio and std::cout are flushed, but the functions
// of atexit(3) and the destructors that the parent registered before its first opening are skipped. The child of a
// program with a remote database can connect again.
//
// At a limit of the process an operation fails with kStorage, and its message names the limit: threads
// (ulimit -u, or the pids limit of a container), open files (ulimit -n), the size of a file (ulimit
// -f, without the signal SIGXFSZ). The operation succeeds after the limit is raised. A database on
// disk keeps at most a fifth of the allowed files open.
//
// If memory runs out, an operation may end the process or throw std::bad_alloc. The program must
// then end without another operation. The database on the disk stays sound: the next process finds
// every acknowledged write, and no write in part.
class Database {
 public:
  // Opens the database in `directory`. Creates the directory and the database if they are missing.
  // Resumes unfinished backfills.
  // - kValidation: the path is empty, or is not a directory.
  // - kValidation: the directory holds something other than a database.
  // - kValidation: the database is missing, and create_if_missing is false or read_only is true.
  // - kResourceInUse: the database is open already, in this process or in a different process, or is
  //   being created or restored there.
  // - kUnsupportedFormat: a newer release of Dolmen wrote the database.
  // - kCorruption: the files are damaged. Logs that lack older writes are damaged, too.
  // - kStorage: the files cannot be read or written.
  // If Open returns one of the first five errors, it has not changed the directory.
  //
  // Only one process at a time can have a database open, even with read_only. A lock on the file
  // DOLMEN ensures this. The operating system releases the lock when the process ends.
  //
  // Only the owner of the process may read and write the files that Open creates.
  static Result<Database> Open(const std::string& directory, const OpenOptions& options = {});

  // Creates a database in memory. Its data is lost when its last handle is destroyed.
  // - kValidation: read_only is true.
  static Result<Database> InMemory(const OpenOptions& options = {});

  // Creates a database in memory with the contents of the database in `directory`, which stays as
  // it is: no file in it is written. Its data is lost when its last handle is destroyed. Takes time
  // and memory in proportion to the files. Ignores read_only and create_if_missing.
  // - kValidation: there is no database in the directory, or encryption_key is not its key.
  // - kResourceInUse: the database is open.
  // - kUnsupportedFormat, kCorruption, kStorage: as Open.
  static Result<Database> InMemoryFrom(const std::string& directory,
                                       const OpenOptions& options = {});

  // Connects to DynamoDB, or to a service that speaks its protocol: ScyllaDB Alternator, DynamoDB Local
  // or `dolmen serve`. Needs the library dolmen::remote. api/remote/README.md lists the differences from
  // a database in this process. May read files and ask services of the machine for the region.
  // - kValidation: the endpoint, the region or the profile is missing or not valid.
  static Result<Database> Connect(const ConnectOptions& options = {});

  // Creates a table. The table and its indexes are ready when the call returns.
  // - kValidation: the name, a key, an index, the stream or the annotations break a rule of
  //   create_table.h.
  // - kResourceInUse: a table of this name exists.
  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateTable.html
  Result<Table> CreateTable(const CreateTableInput& input) const;

  // Creates a table with the items of a function, much faster than CreateTable and BatchWriteItem (import_table.h). Other
  // threads may read and write meanwhile. After an error the table does not exist.
  // - kValidation: CreateTable would reject the table, or on_rejected is not set and PutItem would reject an item.
  // - kTableAlreadyExists: a table has the name.
  // - kResourceInUse: another import or a restore creates a table with the name.
  // - kStorage, kCorruption: a file cannot be written or read.
  // - An error of next_item or on_rejected.
  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ImportTable.html
  Result<ImportTableOutput> ImportTable(const ImportTableInput& input) const;

  // Returns a handle of the table. Does no I/O.
  // - kResourceNotFound: the table does not exist.
  Result<Table> OpenTable(std::string_view name) const;

  // Describes the table: keys, indexes, stream, annotations and, unless `sizes` is kOmit, the
  // amount of data.
  // - kResourceNotFound: the table does not exist.
  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeTable.html
  Result<TableDescription> DescribeTable(std::string_view name,
                                         ContentSizes sizes = ContentSizes::kCount) const;

  // Returns a page of table names, in byte order.
  // - kValidation: the limit is not 1 to 100.
  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ListTables.html
  Result<ListTablesOutput> ListTables(const ListTablesInput& input = {}) const;

  // Creates or deletes a global secondary index, enables or disables the stream, or changes the
  // deletion protection or the annotations. Returns the table after the change, without the amount
  // of data.
  //
  // A new index is built in the background, while all operations continue. After a crash the
  // backfill resumes. The index cannot be read until the backfill has ended: see DescribeTable and
  // Table::WaitForIndexes. The backfill leaves out items with a key attribute that the index cannot
  // hold (it has a wrong type, is empty or is too long). Later writes with such a key attribute are
  // rejected. Deleting an index takes effect at once, even during its backfill.
  // - kValidation: no change is given, or the change does not fit the table.
  // - kResourceNotFound: the table, or the index to delete, does not exist.
  // - kLimitExceeded: more than one index is given, or the backfill of an index is running.
  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTable.html
  Result<TableDescription> UpdateTable(const UpdateTableInput& input) const;

  // Enables or disables the table's time to live (time_to_live.h), or changes hide_expired.
  // Returns the given specification. A backfill in the background finds the existing items that
  // expire; Table::WaitForIndexes waits for it.
  // - kResourceNotFound: the table does not exist.
  // - kValidation: it is already enabled on a different attribute, or with the same hide_expired.
  // - kValidation: the request disables the time to live, but it is not enabled.
  // - kValidation: the attribute name does not have 1 to 255 bytes.
  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTimeToLive.html
  Result<TimeToLiveSpecification> UpdateTimeToLive(const UpdateTimeToLiveInput& input) const;

  // Describes the table's time to live.
  // - kResourceNotFound: the table does not exist.
  Result<TimeToLiveDescription> DescribeTimeToLive(std::string_view table_name) const;

  // Deletes the table with its items, indexes and subscriptions' positions. Stops a running backfill.
  // Later operations on handles of the table fail with kResourceNotFound. The streams of the table are
  // disabled and can be read for their retention, so that a consumer gets the last records. A table
  // created later under the name has its own stream.
  //
  // If the table has point-in-time recovery, DeleteTable first creates a backup of it
  // (TableBackup::by_service), which is deleted 35 days later. The backup has every write to the
  // table that was acknowledged. If DeleteTable fails, the table stays and there is no such backup.
  // - kResourceNotFound: the table does not exist.
  // - kResourceInUse: a restore creates the table.
  // - kValidation: the table is protected against deletion.
  // - kStorage, kCorruption: a file of the backup cannot be read or written.
  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DeleteTable.html
  Status DeleteTable(std::string_view name) const;

  // Reads up to 100 items of any tables, each as GetItem would return it. All items are read from
  // one snapshot. After an error nothing is returned.
  // - kValidation: the request has no key, or more than 100.
  // - kValidation: a key occurs twice, or is not exactly its table's key attributes.
  // - kValidation: a projection is malformed.
  // - kValidation: a table belongs to a different database.
  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html
  Result<BatchGetItemOutput> BatchGetItem(const BatchGetItemInput& input) const;

  // Does up to 25 puts and deletions in any tables, without conditions. Dolmen does all of them
  // or, after an error, none.
  // - kValidation: the request has no write, or more than 25.
  // - kValidation: two writes are on one item.
  // - kValidation: PutItem or DeleteItem would reject one of the writes.
  // - kValidation: a table belongs to a different database.
  // - kTransactionConflict: an item is locked, and the database was opened with OnConflict::kFail.
  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html
  Result<BatchWriteItemOutput> BatchWriteItem(const BatchWriteItemInput& input) const;

  // Does all of the actions or, after an error, none, as one atomic write. Conditions and updates
  // see the items as they were before all actions. The transaction is serializable with all other
  // writes. transaction.h has a class that collects the actions.
  // - kValidation: the request has no action, or more than 100, or two actions on one item.
  // - kValidation: the items and the values of the request exceed 4 MB together, or the token has more than 36 characters.
  // - kValidation: a table belongs to a different database.
  // - kValidation: an UpdateItemInput has no `update`, or an action has return_values.
  // - kValidation: an action is invalid for every item, for example because an expression is
  //   malformed or a key value is empty.
  // - kTransactionCanceled: a key did not match its table's key schema, a condition was false, an
  //   update did not fit its item, or, with OnConflict::kFail, a different running transaction has
  //   locked an item. Status::reasons() has the outcome of each action. If a key did not match,
  //   all other outcomes are ok.
  // - kIdempotentParameterMismatch: the token was used for a different transaction within ten minutes.
  // - kTransactionInProgress: a transaction with the same token is running.
  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
  Result<TransactWriteItemsOutput> TransactWriteItems(const TransactWriteItemsInput& input) const;

  // Reads up to 100 items of any tables from one snapshot.
  // - kValidation: the request has no item, more than 100, or one item twice.
  // - kValidation: a projection is malformed, or a key value is empty.
  // - kValidation: a table belongs to a different database.
  // - kValidation: the items exceed 4 MB together.
  // - kTransactionCanceled: a key is not exactly its table's key attributes, or, with
  //   OnConflict::kFail, a running write has locked an item. Status::reasons() says which.
  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactGetItems.html
  Result<TransactGetItemsOutput> TransactGetItems(const TransactGetItemsInput& input) const;

  // Executes a PartiQL statement. Its items are in output.page:
  //
  //   db.Execute("SELECT * FROM app WHERE PK = ? AND begins_with(SK, ?)", {"CHAT#1", "MSG#"})
  //
  // A statement reads and writes as the operations do that it stands for: a SELECT with the whole
  // key as GetItem, with a partition key as Query, with several partition keys as one Query for
  // each, and without one as Scan. An INSERT never replaces an item, and an UPDATE never creates one.
  // A parsed statement is kept, as expressions are (expression.h).
  //
  // EXPLAIN before a statement returns one item with its plan, and executes nothing. This is an
  // extension of DynamoDB by Dolmen, which ExecuteStatementInput::additions turns on. The attributes of
  // the plan are:
  // - Operation: GetItem, Query, Scan, PutItem, UpdateItem or DeleteItem.
  // - Table, and Index if the statement reads one.
  // - Key: the key of the item, for an operation on one item.
  // - KeyConditions: the condition of each Query, in the order of the Queries. ScanIndexForward: false
  //   if they read in descending order.
  // - Filter: the condition on the items that are read. Condition: that of a write.
  // - FullScan: true if a SELECT reads its whole table or index.
  // - ReadUnits or WriteUnits, rounded up, and UnitsAre. For one item they are the most units that the
  //   operation can consume. For Query and Scan they are an estimate for all pages, from RocksDB's
  //   approximate sizes of the ranges, and may be several times too high or too low.
  // - kValidation: the statement has an error in its syntax or is not supported, or the number of
  //   parameters differs from its number of `?`.
  // - kValidation: next_token belongs to a different statement, table, index or parameters.
  // - kResourceNotFound: the table does not exist.
  // - kDuplicateItem: INSERT found an item with the key.
  // - kConditionalCheckFailed: UPDATE found no item for which its condition holds, or DELETE found
  //   an item for which its condition does not hold.
  // - An error of the operation for which the statement stands.
  // If ExecuteStatement fails, it leaves `output` empty.
  // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.html
  Result<ExecuteStatementOutput> Execute(std::string_view statement, List parameters = {}) const;
  Status ExecuteStatement(const ExecuteStatementInput& input, ExecuteStatementOutput* output) const;

  // Executes up to 25 statements, each on one item. The statements are all SELECT or all writes. An
  // error of a statement is in its response and does not stop the others.
  // - kValidation: the batch has no statement, an empty one, or more than 25.
  // - kValidation: the batch both reads and writes, or names one item twice.
  Result<BatchExecuteStatementOutput> BatchExecuteStatement(
      const BatchExecuteStatementInput& input) const;

  // Executes up to 100 statements as TransactGetItems or TransactWriteItems, each on one item. The
  // statements are all SELECT, or all INSERT, UPDATE, DELETE and EXISTS. The statement
  // `EXISTS(SELECT * FROM t WHERE ...)` checks the conditions on an item, which must exist. A token
  // here never counts as a repetition of a token of TransactWriteItems.
  // - kValidation: a statement is invalid, has RETURNING, or does not name one item by its key.
  // - kValidation: the transaction both reads and writes, or names one item twice.
  // - kResourceNotFound: a table does not exist.
  // - kTransactionCanceled: as TransactWriteItems. The reason of an INSERT on an existing item is
  //   kDuplicateItem.
  // - kIdempotentParameterMismatch, kTransactionInProgress: as TransactWriteItems.
  Result<ExecuteTransactionOutput> ExecuteTransaction(const ExecuteTransactionInput& input) const;

  // Read streams with the operations of DynamoDB Streams (streams.h). Table::Subscribe is easier to
  // use. ListStreams returns the streams of existing and of deleted tables, including disabled streams
  // whose records are still retained.
  // - kResourceNotFound: the stream, the table or GetShardIterator's shard is absent or expired.
  // - kValidation: a limit, an ARN, an iterator or a sequence number is wrong.
  // - kTrimmedDataAccess: the record to read next is no longer retained.
  // - kExpiredIterator: the iterator is older than 15 minutes by the database's clock.
  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Operations_Amazon_DynamoDB_Streams.html
  Result<ListStreamsOutput> ListStreams(const ListStreamsInput& input = {}) const;
  Result<StreamDescription> DescribeStream(const DescribeStreamInput& input) const;
  Result<std::string> GetShardIterator(const GetShardIteratorInput& input) const;
  Result<GetRecordsOutput> GetRecords(const GetRecordsInput& input) const;

  // Searches the database for damage, while all operations continue. It checks:
  // - the checksum of every block of every table file,
  // - every byte of every item,
  // - that every index has exactly the entries that the items of its table require,
  // - every record of every stream,
  // - the description of every backup of a table.
  // Verify continues after a block that cannot be read. For positions of subscriptions, client
  // request tokens and remains of deleted tables, Verify checks only the checksums. Verify does not
  // read the log, which was checked when the database was opened.
  //
  // Verify takes as long as reading all data twice and looking up each index entry. It fills no cache.
  // It reads each table from one snapshot, during which overwritten data keeps its space on disk.
  //
  // Damage is a finding, not an error. A part that the system cannot read is a finding, too; the
  // finding names the reason, for example a bad disk or too many open files.
  Result<VerifyOutput> Verify(const VerifyProgressHandler& progress = {}) const;

  // Copies the database into `directory`, which becomes a backup (backup.h), while all operations run.
  Result<CopyOutput> Backup(const std::string& directory, const BackupOptions& options = {}) const;

  // Copies the backup in the directory `backup` into `directory`, which becomes a database.
  // backup.h lists the errors.
  static Result<CopyOutput> Restore(const std::string& backup, const std::string& directory,
                                    const RestoreOptions& options = {});

  // Creates a backup of the table, while all operations continue. table_backup.h describes backups of tables.
  // - kValidation: the backup's name is not valid, or the database was opened with read_only.
  // - kResourceNotFound: the table does not exist.
  // - kStorage: a file cannot be written, or an earlier write failed (WriteFailure).
  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateBackup.html
  Result<TableBackup> CreateBackup(const CreateBackupInput& input) const;

  // Returns the backup with the id `backup_id`.
  // - kResourceNotFound: the backup does not exist.
  Result<TableBackup> DescribeBackup(std::string_view backup_id) const;

  // Returns the backups of all tables, also of deleted tables, in the order of their creation.
  Result<std::vector<TableBackup>> ListBackups() const;

  // Deletes the backup. Returns its last description.
  // - kResourceNotFound: the backup does not exist.
  // - kBackupInUse: the backup is being restored.
  // - kValidation: the backup is by_service, or the database was opened with read_only.
  Result<TableBackup> DeleteBackup(std::string_view backup_id) const;

  // Create a table with the contents of a backup, or of a table at an earlier time.
  // - kValidation: the target's name or an index is invalid, or the database is read-only.
  // - kTableAlreadyExists: a table has the target's name.
  // - kResourceInUse: another restore creates a table with the target's name.
  // Errors of RestoreTableFromBackup:
  // - kResourceNotFound: the backup does not exist.
  // - kBackupInUse: another restore reads the backup.
  // Errors of RestoreTableToPointInTime:
  // - kResourceNotFound: the source does not exist.
  // - kPointInTimeRecoveryUnavailable: the source has no point-in-time recovery.
  // - kInvalidRestoreTime: the time is before earliest_restore_time, or in the future.
  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_RestoreTableToPointInTime.html
  Result<RestoreTableOutput> RestoreTableFromBackup(const RestoreTableFromBackupInput& input) const;
  Result<RestoreTableOutput> RestoreTableToPointInTime(
      const RestoreTableToPointInTimeInput& input) const;
  // Reads the net change of each item during a period. point_in_time.h lists the errors.
  Result<ReadChangesOutput> ReadChanges(const ReadChangesInput& input) const;

  // Enables or disables the point-in-time recovery of the table, or changes its period. Returns the
  // new state. Disabling deletes the recorded changes. A write that runs during the enabling counts
  // as an earlier write.
  // - kValidation: the period is not 1 to 35 days, or is given although `enabled` is false.
  // - kResourceNotFound: the table does not exist.
  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateContinuousBackups.html
  Result<PointInTimeRecovery> UpdateContinuousBackups(
      const UpdateContinuousBackupsInput& input) const;

  // Returns the state of the point-in-time recovery of the table.
  // - kResourceNotFound: the table does not exist.
  Result<PointInTimeRecovery> DescribeContinuousBackups(std::string_view table_name) const;

  // Creates an independent database with the same contents: tables, items, indexes, streams, positions
  // of subscriptions, request tokens, the time of a ManualClock, and unfinished backfills. It has every
  // write acknowledged before the call and, of the writes during the call, those up to some moment. It
  // has the options of this database, and its own row cache. Forks in memory share one read cache.
  //
  // A fork shares the table files with its original, so its cost does not depend on the number of
  // items. The files live as long as one of the databases. Database and fork may be closed in any
  // order. A fork copies the table files instead of sharing them in two cases: one of the databases is
  // in memory and the other is not, or they are on different volumes. The fork then takes as long as
  // reading and writing all data.
  //
  //   const auto fixture = Database::InMemory();
  //   ...                                   // create tables, put items
  //   const auto db = fixture->Fork();      // for each test
  //
  // After an error or a crash, options.directory holds no database, except if the fork is complete and only its opening
  // fails, for example at a limit of threads or files (kStorage): Database::Open then opens it.
  // - kValidation: the database was opened with read_only.
  // - kValidation: the directory is neither absent nor empty, or is in the database's directory.
  // - kResourceInUse: a database is being created in the directory.
  // - kStorage: a file cannot be read or written, or an earlier write failed (WriteFailure).
  // - kCorruption: a file of the database is damaged.
  Result<Database> Fork(const ForkOptions& options = {}) const;

  // Brings this handle of a database in memory back to the beginning: to the state in which Fork
  // created the database, or to an empty database if Fork did not create it. The clock stays as it
  // is. Other handles, tables and subscriptions of the former state remain valid, but their
  // operations fail with kResourceNotFound. Open the tables again. Not thread-safe for one handle.
  // - kValidation: the database is on disk. Reset would delete data: fork the original again.
  // - kStorage: memory or threads are missing. The handle stays as it was.
  Status Reset();

  // Returns the memory and disk space that the database uses.
  // - kStorage: the directory cannot be read.
  Result<DatabaseStats> Stats() const;

  // If a failed write has made the database read-only, returns the error of that write. Otherwise
  // returns success. To write again, close the database and open it again. A write that was
  // rejected because the disk is full does not make the database read-only.
  Status WriteFailure() const;

  // Checks that the database can be written now. Asks the file system about the directory and its
  // free space, and writes nothing.
  // - kValidation: the database is open for reading only.
  // - kStorage: a failed write has made the database read-only, a background job of the storage has
  //   failed, the directory was deleted or moved, or the disk is full.
  Status CheckWritable() const;

  // Returns the database's clock, never null. The reference is valid as long as this handle.
  const SharedClock& clock() const DOLMEN_LIFETIME_BOUND;

  // For implementations of the API, and for tests. Makes a Database whose operations `backend`
  // does, and returns this object.
  explicit Database(std::shared_ptr<internal::Backend> backend) : backend_(std::move(backend)) {}
  const std::shared_ptr<internal::Backend>& backend() const DOLMEN_LIFETIME_BOUND {
    return backend_;
  }

 private:
  std::shared_ptr<internal::Backend> backend_;
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
