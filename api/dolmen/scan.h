// Scan: all items of a table or of an index, a page at a time.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Scan.html

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "dolmen/query.h"

namespace dolmen {

// Items come in no promised order; each partition's come together and in the order of their keys.
//
// A scan can be shared by several readers, each with a segment of its own.  A hash of the partition
// key decides to which segment a partition belongs, so all items of one partition are in the same,
// and stay there whatever is written meanwhile.  A reader seeks past the partitions that are not
// its own instead of reading them.  With large partitions a segment so costs its share of a scan;
// with partitions of one item each every reader still visits them all, and N segments
// in one process cost N scans of the keys, if not of the items: then a single segment is the
// cheaper scan.  For the same reason a page of one of very many segments may take as long as a
// whole scan.
struct ScanInput {
  std::string index = {};  // IndexName; "" = the table itself

  FilterExpression filter = {};
  ProjectionExpression projection = {};
  Names names = {};
  Values values = {};

  std::optional<std::uint32_t> limit = {};  // items evaluated, before the filter; at least 1
  Select select = Select::kDefault;
  Item exclusive_start_key = {};  // the last page's last_evaluated_key(); empty = from the start

  // Both or none; the same on all pages of one reader.
  std::optional<std::uint32_t> segment = {};         // from 0, below total_segments
  std::optional<std::uint32_t> total_segments = {};  // 1 to 1,000,000

  // As in QueryInput.
  bool consistent_read = false;
  std::optional<bool> hide_expired = {};  // nothing: as the table has it (time_to_live.h)
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

using ScanOutput = QueryOutput;

}  // namespace dolmen
