// A database: one directory, or memory, that holds tables.

#pragma once

#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "dolmen/batch.h"
#include "dolmen/clock.h"
#include "dolmen/create_table.h"
#include "dolmen/open_options.h"
#include "dolmen/result.h"
#include "dolmen/stats.h"
#include "dolmen/streams.h"
#include "dolmen/table.h"
#include "dolmen/tables.h"
#include "dolmen/time_to_live.h"
#include "dolmen/transact.h"
#include "dolmen/verify.h"

namespace dolmen {

namespace internal {
class Backend;
}  // namespace internal

// An open database.  A handle: copies refer to the same database, which closes when the last
// handle, tables included, is gone.  That has to be before main() returns: RocksDB does not survive
// the end of its own statics.  Every method may be called from any number of threads.
class Database {
 public:
  // Opens the database in `directory`, making it if there is none.
  // kValidation: the path is empty; the directory holds something else, or nothing and
  // !create_if_missing or read_only.
  // kResourceInUse: it is open already, here or in another process.
  // kUnsupportedFormat: a newer release of Dolmen wrote it.
  // kCorruption: its files are damaged.  kStorage: they can't be read or written.
  // A directory that is refused for what it is, for its format or for being in use is not changed.
  // While it is open read_only, nobody else can open it, either; but where this process may not
  // write to the directory's files, or they are a copy without the file LOCK, nobody checks that
  // the database is closed, which it has to be.
  static Result<Database> Open(const std::filesystem::path& directory,
                               const OpenOptions& options = {});

  // A new database that lives in memory until its last handle is gone.  kValidation: read_only.
  static Result<Database> InMemory(const OpenOptions& options = {});

  // Makes a table that is ready at once, and so are its indexes.
  // kValidation: the name, a key schema or an index is wrong.  kResourceInUse: the name is taken.
  Result<Table> CreateTable(const CreateTableInput& input) const;

  // kResourceNotFound: there is no such table.
  Result<Table> OpenTable(std::string_view name) const;
  Result<TableDescription> DescribeTable(std::string_view name,
                                         ContentSizes sizes = ContentSizes::kCount) const;

  // The tables' names, a page at a time.  kValidation: the limit is not 1 to 100.
  Result<ListTablesOutput> ListTables(const ListTablesInput& input = {}) const;

  // Makes or deletes a global secondary index, enables or disables the stream, or changes the
  // deletion protection or the annotations.  The entries of a new index are made in the background,
  // while everything goes on, and after a crash from where it was; until then the index can't be
  // read (DescribeTable and Table::WaitForIndexes tell). Items with a key attribute that the index
  // can't hold (of another type, empty or too long) are left out, and later writes of such are
  // refused.  A deleted index is gone at once, made or not. kValidation: nothing is to be changed,
  // or the change does not fit the table. kResourceNotFound: there is no such table, or index to
  // delete. kLimitExceeded: more than one index is to be changed, or one is to be made while
  // another one is. Returns the table as it is then, with ContentSizes::kOmit.
  Result<TableDescription> UpdateTable(const UpdateTableInput& input) const;

  // Enables or disables the table's time to live, or changes hide_expired; returns what it is to
  // be. Items that are there are looked through in the background (Table::WaitForIndexes waits for
  // it). kResourceNotFound: there is no such table.  kValidation: it is enabled already, on this
  // attribute or another one; or disabled; or, to enable it, the name is empty or too long.
  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTimeToLive.html
  Result<TimeToLiveSpecification> UpdateTimeToLive(const UpdateTimeToLiveInput& input) const;
  Result<TimeToLiveDescription> DescribeTimeToLive(std::string_view table_name) const;

  // Deletes the table with all that it holds, its streams too, at once; the making of an index ends
  // with it. kResourceNotFound: there is no such table.  kValidation: it is protected against
  // deletion.
  Status DeleteTable(std::string_view name) const;

  // Up to 100 items, each as a GetItem would return it.
  // kValidation: the number of keys is wrong, a key is there twice or wrong, a projection is wrong.
  Result<BatchGetItemOutput> BatchGetItem(const BatchGetItemInput& input) const;

  // Up to 25 puts and deletes, without conditions.
  // kValidation: their number is wrong, two are on one item, or one of them would be refused by
  // itself.  Then nothing is written.
  Result<BatchWriteItemOutput> BatchWriteItem(const BatchWriteItemInput& input) const;

  // Does all of the actions, or none, as one atomic write.  Conditions and updates see the items as
  // they were before.  Serializable against all other writes.  transaction.h has a way to write one
  // down as one would say it.
  // kValidation: nothing or more than 100 actions, more than 4 MB of items, two actions on one
  // item, a table of another database, an update without UpdateExpression, return_values
  // (transactions return none), a token that is too long, or any of the actions would be refused by
  // itself for what the request says. kTransactionCanceled: a condition was false, an update can't
  // be done, or (OnConflict::kFail) an item is in another transaction; reasons() has one Status for
  // each action. kIdempotentParameterMismatch: the token was used for something else.
  // kTransactionInProgress: it is in use at the moment.
  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
  Result<TransactWriteItemsOutput> TransactWriteItems(const TransactWriteItemsInput& input) const;

  // Up to 100 items as they were at one moment.
  // kValidation: their number is wrong, one is asked for twice, a key or a projection is wrong, or
  // they are more than 4 MB.
  // kTransactionCanceled (OnConflict::kFail only): an item is being written.
  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactGetItems.html
  Result<TransactGetItemsOutput> TransactGetItems(const TransactGetItemsInput& input) const;

  // The streams of the tables that there are, enabled or not, for those who read them as DynamoDB
  // Streams are read; Table::Subscribe is easier.
  // kResourceNotFound: there is no such stream, shard or table.  kValidation: a limit, a type or a
  // number is wrong.  kTrimmedDataAccess: what was to be read next is no longer retained.
  // kExpiredIterator: the iterator is older than 15 minutes.
  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Operations_Amazon_DynamoDB_Streams.html
  Result<ListStreamsOutput> ListStreams(const ListStreamsInput& input = {}) const;
  Result<StreamDescription> DescribeStream(const DescribeStreamInput& input) const;
  Result<std::string> GetShardIterator(const GetShardIteratorInput& input) const;
  Result<GetRecordsOutput> GetRecords(const GetRecordsInput& input) const;

  // Reads all that is in table files, for its blocks' checksums, and all that the tables hold,
  // while everything goes on: each item's form, whether every index has just the entries that its
  // table's items ask for, and each record of a stream.  Goes on behind a block that can't be read.
  // Of subscriptions, of client request tokens and of what is left of dropped tables there are the
  // checksums only; the log is checked when the database is opened.
  //
  // Takes as long as reading all of it twice and looking up each entry, and leaves the read cache
  // to others.  Each table is looked at as it was at one moment: until its turn is over, what is
  // overwritten or deleted in the database since then stays on the disk.
  //
  // `progress` is called now and then, in the calling thread, and false from it ends the reading.
  // Findings are no errors, and what the system can't read is one, whatever its reason, which the
  // finding tells: a bad disk, or no descriptors left.
  Result<VerifyOutput> Verify(const VerifyProgressHandler& progress = {}) const;

  // What it takes, in memory and on disk.  kStorage: the directory can't be read.
  Result<DatabaseStats> Stats() const;

  // How the first write failed after which the database can only be read until it is opened again;
  // ok if none has.  A write that is refused because the disk is full is no such failure.
  Status WriteFailure() const;

  // The database's clock.
  const std::shared_ptr<Clock>& clock() const DOLMEN_LIFETIME_BOUND;

 private:
  explicit Database(std::shared_ptr<internal::Backend> backend) : backend_(std::move(backend)) {}

  std::shared_ptr<internal::Backend> backend_;
};

}  // namespace dolmen
