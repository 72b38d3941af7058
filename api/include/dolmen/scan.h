// Scans, page by page. A scan reads all items of a table or of an index. Table::ScanAll reads all pages
// in one loop.
//
//   ItemRange done = table.ScanAll({.filter = Attr("done") == true});
//   for (ItemView item : done) Show(item);
//   if (!done.status().ok()) return done.status();
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Scan.html

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstdint>
#include <optional>
#include <string>

#include "dolmen/expression.h"
#include "dolmen/operations.h"
#include "dolmen/query.h"

namespace dolmen {

// A scan of a table or of an index. The order of the partitions has no meaning. The items of one
// partition follow each other, in the order of their sort keys.
//
// Several readers can share a scan, each with a segment of its own. A hash of the partition key
// assigns each partition to one segment, so all items of a partition are in the same segment.
// Writes during the scan do not move a partition to a different segment.
//
// A reader skips the partitions of other segments without reading their items. The cost of a
// segment depends on the size of the partitions:
// - With large partitions, reading one of N segments costs about 1/N of a scan.
// - With one item per partition, each reader still visits the keys of all items. N readers then
//   visit N times as many keys as a scan without segments. If all readers run in one process, the
//   scan without segments is cheaper.
// - With very many segments, one page of a segment may take as long as a whole scan.
struct ScanInput {
  std::string index = {};  // the name of an index; empty: the table itself

  // The condition that the returned items satisfy. The condition saves neither time nor capacity,
  // because the scan reads an item before it tests the condition. Unlike the filter of a Query, the
  // condition may name key attributes.
  FilterExpression filter = {};
  ProjectionExpression projection = {};  // the attributes to return; none: as `select` says
  Names names = {};                      // the placeholders of the expressions (operations.h)
  Values values = {};

  // The number of items after which the page ends, counted before the filter; at least 1. Nothing:
  // the number is not limited. A page always ends at 1 MB and at the end of the table or index.
  std::optional<std::uint32_t> limit = {};

  bool exact_end = false;  // as in QueryInput

  Select select = Select::kDefault;

  // The last_evaluated_key() of the previous page; empty: the scan begins at the start.
  Item exclusive_start_key = {};

  // The segment to read, and the number of segments. Set both fields or neither. One reader must
  // use the same values for all its pages.
  std::optional<std::uint32_t> segment = {};         // 0 to total_segments - 1
  std::optional<std::uint32_t> total_segments = {};  // 1 to 1,000,000

  bool consistent_read = false;  // as in QueryInput
  RequestOptions options = {};
};

// A page of a scan. It has the same contract as a page of a query.
using ScanOutput = QueryOutput;

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
