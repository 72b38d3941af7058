// A table: items under a partition key and, usually, a sort key.

#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "dolmen/operations.h"
#include "dolmen/query.h"
#include "dolmen/result.h"
#include "dolmen/scan.h"
#include "dolmen/subscription.h"
#include "dolmen/table_ref.h"

namespace dolmen {

// An open table.  A handle: copies refer to the same table and keep its database open.
//
// Every method may be called from any number of threads.  Reads see the latest acknowledged write
// and never wait; a write of one item is atomic, index entries included, and is as durable as the
// database's Durability says when it returns.  A failed write leaves everything as it was.
//
// Every operation may also fail with kStorage or kCorruption, for reasons outside the request.  A
// write that would fill the disk is refused with kStorage, and goes through once there is space.
// After any other kStorage of a write the database reads as if that had not been, and writes no
// more until it is opened again, which decides whether the disk had it.
//
// With kResourceNotFound once the table is deleted, also if another one has its name by then; and a
// write with kTransactionConflict if it meets a transaction and OpenOptions::on_conflict is kFail.
class Table : public TableRef {
 public:
  // Makes the operations available on the table of a request part.
  explicit Table(TableRef ref) : TableRef(std::move(ref)) {}

  // The item under `key`, or none.
  // kValidation: the key is not exactly the table's key attributes with their types; the projection
  // is not a ProjectionExpression or its names don't fit it.
  Result<GetItemOutput> GetItem(const GetItemInput& input) const;

  // The same into `output`, whose views die and whose buffer is used again.  On an error it has no
  // item.
  Status GetItem(const GetItemInput& input, GetItemOutput* output) const;

  // Stores the item in place of any item with the same key.  Returns the old one for kAllOld.
  // kValidation: a key attribute is absent, empty, too long or of the wrong type, for an index too;
  // the item is over 400 KB or nested more than 32 levels deep; a string is not UTF-8; a set is
  // empty; an expression is wrong.
  // kConditionalCheckFailed: the condition was false.
  Result<WriteItemOutput> PutItem(const PutItemInput& input) const;

  // Changes the item, or makes one of the key and the update if there is none.
  // kValidation: as PutItem; also what the update asks of the item cannot be done (an operand that
  // is missing or of the wrong type, a path into nothing, a number out of range).
  // kConditionalCheckFailed: the condition was false.
  Result<WriteItemOutput> UpdateItem(const UpdateItemInput& input) const;

  // Removes the item; success, too, if there is none.  Returns it for kAllOld.
  // kValidation: the key or an expression is wrong.
  // kConditionalCheckFailed: the condition was false; it is tested against an item without
  // attributes if there is none.
  Result<WriteItemOutput> DeleteItem(const DeleteItemInput& input) const;

  // One page of the items of one partition of the table or of an index, ordered by the sort key.
  // kValidation: the key condition does not fit the key schema, there is no such index, or it is
  // being made or does not hold what is asked for, the start key lies outside the range, limit is
  // 0, an expression is wrong.
  Result<QueryOutput> Query(const QueryInput& input) const;

  // The same into `page`, whose views die and whose buffers are used again.  On an error the page
  // is empty.
  Status Query(const QueryInput& input, QueryOutput* page) const;

  // One page of all items of the table or of an index, or of one segment of them.
  // kValidation: as Query; also segment and total_segments don't fit, or the start key is another
  // segment's.
  Result<ScanOutput> Scan(const ScanInput& input) const;
  Status Scan(const ScanInput& input, ScanOutput* page) const;

  // Waits until every index can be read, and all that has a time to live expires.  An error if one
  // can't be filled: kStorage if that is tried again every second, and may go well once there is
  // space on the disk; kCorruption if not.
  Status WaitForIndexes() const;

  // The bytes of the items under one partition key and of their entries in local indexes,
  // estimated; what DynamoDB's ItemCollectionMetrics tell.  kValidation: it is no partition key of
  // the table's.
  Result<std::uint64_t> ItemCollectionSize(const AttributeValue& partition) const;

  // Deletes the items that have expired by the clock, at most so many, and returns how many they
  // were: some tens at a time, by atomic writes that don't wait for the disk, while everything goes
  // on.  What is renewed before its turn comes is not deleted.  Reads nothing but expired items.
  // Without a time to live there are none.
  Result<std::uint64_t> ExpireNow(
      std::uint64_t items_max = std::numeric_limits<std::uint64_t>::max()) const;

  // Hands the records of the table's stream to `handler`, from where the name's position is.
  // kValidation: the table has no stream, the name, the position or the filter is wrong.
  // kResourceInUse: the name has a subscription already.  kTrimmedDataAccess: the start is no
  // longer retained; of a position that is stored, Subscription::Deliver says so.
  Result<Subscription> Subscribe(const SubscribeInput& input, RecordHandler handler) const;

  // Deletes the position that is stored under the name.
  // kResourceNotFound: there is none.  kResourceInUse: it has a subscription.
  Status Unsubscribe(std::string_view name) const;
};

}  // namespace dolmen
