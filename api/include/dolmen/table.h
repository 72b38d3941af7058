// A table: items under a partition key and, usually, a sort key.
//
//   const auto put = table.PutItem({.item = {{"PK", "USER#1"}, {"SK", "ME"}, {"name", "Ann"}}});
//   const auto got = table.GetItem({.key = {{"PK", "USER#1"}, {"SK", "ME"}}});
//   if (got.ok() && got->item) std::cout << (*got->item)["name"].AsString().value_or("");
//   const auto page = table.Query({.key_condition = Partition("USER#1"), .limit = 50});

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "dolmen/item_range.h"
#include "dolmen/operations.h"
#include "dolmen/query.h"
#include "dolmen/result.h"
#include "dolmen/scan.h"
#include "dolmen/subscription.h"
#include "dolmen/table_ref.h"

namespace dolmen {

// An open table. A handle: copies refer to the same table and keep its database open. A handle
// that was moved from can only be assigned to or destroyed.
//
// Every method is thread-safe. Reads see the latest acknowledged write, take no row lock and never
// wait for a write. A write of one item is atomic, its index entries and stream record included.
// When the call returns, the write is as durable as OpenOptions::durability says. A failed write
// changes nothing, and other operations do not see it.
//
// In addition to the errors listed below, every operation may fail with:
// - kStorage: the system could not read or write. A write that would fill the disk is rejected; a
//   retry succeeds once space is free. After any other kStorage error of a write, the failed write
//   is not visible. The database is then read-only: later writes fail with kStorage until the
//   database is reopened. After reopening, the failed write is visible if it had reached the disk.
// - kCorruption: stored bytes are damaged.
// - kResourceNotFound: the table was deleted. The handle does not switch to a new table of the
//   same name.
//
// A write may also fail with:
// - kValidation: the database was opened with OpenOptions::read_only.
// - kTransactionConflict: OpenOptions::on_conflict is kFail, and a running transaction has locked
//   the item.
class Table : public TableRef {
 public:
  // Makes a Table from a TableRef, for example from the field `table` of a request.
  explicit Table(TableRef ref) : TableRef(std::move(ref)) {}

  // Returns the item under `key`. If the item does not exist, returns success without an item.
  // - kValidation: the key is not exactly the table's key attributes with their types.
  // - kValidation: the projection is malformed, or its placeholders do not fit it.
  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_GetItem.html
  Result<GetItemOutput> GetItem(const GetItemInput& input) const;

  // Reads into `output` and reuses its buffer, which saves an allocation. Invalidates all views
  // taken from `output`. After an error `output` is empty.
  Status GetItem(const GetItemInput& input, GetItemOutput* output) const;

  // Stores the item in place of any item with the same key. Returns the old item for kAllOld.
  // - kValidation: a key attribute of the table is absent, empty, too long or of the wrong type.
  // - kValidation: a key attribute of an index is present, but empty, too long or of the wrong
  //   type.
  // - kValidation: the item is larger than 400 KB, or nested more than 32 levels deep.
  // - kValidation: a text is not UTF-8, or a set is empty.
  // - kValidation: an expression is malformed, or the placeholders do not fit it.
  // - kConditionalCheckFailed: the condition was false.
  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_PutItem.html
  Result<WriteItemOutput> PutItem(const PutItemInput& input) const;

  // Changes the item. If the item does not exist, creates it from the key and the update. An update
  // that only removes (REMOVE, DELETE) creates no item.
  // - kValidation: the key is not exactly the table's key attributes.
  // - kValidation: the update would change a key attribute.
  // - kValidation: an operand of the update is missing in the item, or has the wrong type.
  // - kValidation: a path of the update leads into an attribute that does not exist.
  // - kValidation: a number leaves the range or needs more than 38 digits.
  // - kValidation: the new item breaks a rule that PutItem checks.
  // - kValidation: an expression is malformed, or the placeholders do not fit it.
  // - kConditionalCheckFailed: the condition was false.
  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateItem.html
  Result<WriteItemOutput> UpdateItem(const UpdateItemInput& input) const;

  // Deletes the item. Succeeds, too, if the item does not exist. Returns the old item for
  // kAllOld.
  // - kValidation: the key is not exactly the table's key attributes with their types.
  // - kValidation: the condition is malformed, or the placeholders do not fit it.
  // - kConditionalCheckFailed: the condition was false. The condition treats an item that does not
  //   exist as an item without attributes.
  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DeleteItem.html
  Result<WriteItemOutput> DeleteItem(const DeleteItemInput& input) const;

  // Reads one page of the items of one or several partitions of the table or of an index. The page
  // is ordered by the sort key and read from one snapshot. The next page may see later writes.
  // - kValidation: the key condition does not fit the keys of the table or index.
  // - kValidation: the index does not exist, its backfill has not ended, or it lacks a requested
  //   attribute.
  // - kValidation: the start key lies outside the range, or `limit` is 0.
  // - kValidation: an expression is malformed, or the placeholders do not fit it.
  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Query.html
  Result<QueryOutput> Query(const QueryInput& input) const;

  // Reads into `page` and reuses its buffers, so a usual page needs no allocation. Invalidates all
  // views taken from `page`. After an error `page` is empty.
  Status Query(const QueryInput& input, QueryOutput* page) const;

  // Reads one page of all items of the table or of an index, or of one segment of them.
  // - kValidation: the index cannot be read, or `limit` is 0, as in Query.
  // - kValidation: `segment` and `total_segments` do not fit together.
  // - kValidation: the start key is malformed, or belongs to a different segment.
  // - kValidation: an expression is malformed, or the placeholders do not fit it.
  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Scan.html
  Result<ScanOutput> Scan(const ScanInput& input) const;

  // Reads into `page` and reuses its buffers, as Query does.
  Status Scan(const ScanInput& input, ScanOutput* page) const;

  // Return all items of a Query or a Scan, page by page, for a range-for (ItemRange). Reading
  // begins with the loop, so these methods return no error.
  ItemRange QueryAll(QueryInput input) const;
  ItemRange ScanAll(ScanInput input) const;

  // Waits until the backfill of every index and of the time to live has ended. Returns at once if
  // no backfill is running.
  // - kStorage: a backfill failed, for example on a full disk. Dolmen retries it every second.
  // - kCorruption: a backfill found damaged bytes. Dolmen resumes it when the database is reopened.
  // - kValidation: a backfill has not ended and the database is read-only.
  Status WaitForIndexes() const;

  // Returns an estimate of the bytes of the items under one partition key and of their entries in
  // local indexes. DynamoDB reports this size in ItemCollectionMetrics. The estimate is rough for
  // data that is still in memory.
  // - kValidation: `partition` is not a value that the table's partition key can have.
  Result<std::uint64_t> ItemCollectionSize(const AttributeValue& partition) const;

  // Deletes the items that have expired by the database's clock, at most `items_max` of them.
  // Returns the number of items deleted; 0 for a table without a time to live.
  //
  // Items are deleted 32 at a time, by atomic writes that do not wait for the disk. Other
  // operations continue meanwhile. An item stays if a write moves its time to the future before
  // Dolmen reaches the item. Only expired items are read. After an error the items deleted so far
  // stay deleted.
  Result<std::uint64_t> ExpireNow(
      std::uint64_t items_max = std::numeric_limits<std::uint64_t>::max()) const;

  // Begins or resumes a subscription (subscription.h), which passes the records of the table's
  // stream to `handler`. Starts at the position that is stored under the name, otherwise at
  // `input.start`.
  // - kValidation: the table has no stream, or the database is read-only.
  // - kValidation: the name is empty or too long, the handler is empty, the start is not a
  //   position, or the filter is malformed.
  // - kResourceInUse: a running subscription of the table has this name. If it runs in another
  //   process, on a remote database, the new one waits in place of this error.
  // - kTrimmedDataAccess: the record at `input.start` is no longer retained. For a stored
  //   position, Subscription::Deliver reports this error instead.
  Result<Subscription> Subscribe(const SubscribeInput& input, RecordHandler handler) const;

  // Deletes the position that is stored under the name.
  // - kResourceNotFound: no position is stored under the name.
  // - kResourceInUse: a running subscription has this name. Destroy it first. A call on a remote
  //   database waits up to 30 seconds to see if the subscription of another process still runs.
  Status Unsubscribe(std::string_view name) const;
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
