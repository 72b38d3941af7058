// Requests of Query and Scan, and their pages.
//
// scanned_bytes() is the sizes of the returned items. If the input asks for the consumed capacity and the
// service is Dolmen's, it also has the bytes that were read and not returned: items that the filter has
// rejected or that are hidden, and attributes that the projection leaves out. With exact_end and a limit,
// it does not have the item after the limit, but the attributes of it that the projection leaves out.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/query.h"
#include "dolmen/result.h"
#include "remote/remote_table.h"
#include "remote/service.h"

namespace dolmen::remote {

// Contract: Table::Query.
Status QueryPage(const Service& service, const RemoteTable& table, const QueryInput& input,
                 QueryOutput* page);

// A page of a response as it was received.
struct RawPage {
  std::vector<StoredItem> items = {};
  std::uint32_t count = 0;
  std::uint32_t scanned_count = 0;
  std::uint64_t unreturned_bytes = 0;  // that the service has read and not returned, if it says so
  Item last_evaluated_key = {};
  std::optional<ConsumedCapacity> consumed_capacity = {};
  bool has_next = false;  // true: an item follows the page
};

// Reads the response of Query, Scan or ExecuteStatement, without the items that `hidden` hides.
Result<RawPage> ReadPage(const wire::JsonObject& response,
                         const std::optional<HiddenItems>& hidden);

// Returns the error of an item that lacks the key attribute `name`.
Status MissingKey(const std::string& name);

// A Query of one partition of the table or the index. Unlike the Query of a program, it says itself
// which attributes its items must have, so that several partitions can be merged.
struct PartitionQuery {
  const QueryInput& input;  // all but the key condition, the limit and the start key
  Partition partition;
  std::optional<std::uint32_t> limit = {};
  Item exclusive_start_key = {};
  std::vector<std::string> needed = {};  // attributes that a projection must not leave out
};

// Sends the Query. The items keep the attributes in `needed`; `*added` lists those that the projection
// of the input does not have.
Result<RawPage> SendPartitionQuery(const Service& service, const RemoteTable& table,
                                   const PartitionQuery& query, std::vector<std::string>* added);

// Sends one Query for each partition, side by side, and merges the items. DynamoDB has no such Query.
// Contract: Table::Query with Partitions. The limit counts the items after the filter, because the
// service does not say where in the order the other items were. scanned_count() has all items that the
// service read, even those that the next page returns again.
Status QueryPartitions(const Service& service, const RemoteTable& table, const QueryInput& input,
                       QueryOutput* page);

}  // namespace dolmen::remote
