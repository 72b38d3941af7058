// A Query of several partitions, which DynamoDB does not have. It sends one Query for each partition,
// side by side, and merges the items.

#pragma once

#include "dolmen/query.h"
#include "dolmen/result.h"
#include "remote/remote_table.h"
#include "remote/service.h"

namespace dolmen::remote {

// Contract: Table::Query with Partitions. The limit counts the items after the filter, because the
// service does not say where in the order the other items were. scanned_count() has all items that the
// service read, even those that the next page returns again. scanned_bytes() has the items of the page, and
// what QueryOnePartition says about bytes that are not returned.
Status QueryPartitions(const Service& service, const RemoteTable& table, const QueryInput& input,
                       QueryOutput* page);

}  // namespace dolmen::remote
