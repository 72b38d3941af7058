#include "tests/support/stream_records.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace dolmen::test {

Result<std::vector<StreamRecord>> ReadStream(const Database& db, const std::string& table_name,
                                             const std::string& after) {
  const auto table = db.DescribeTable(table_name);
  if (!table.ok()) return table.status();
  const auto stream = db.DescribeStream({.stream_arn = table->latest_stream_arn});
  if (!stream.ok()) return stream.status();
  auto iterator = db.GetShardIterator(
      {.stream_arn = stream->stream_arn,
       .shard_id = stream->shards.at(0).shard_id,
       .shard_iterator_type = after.empty() ? ShardIteratorType::kTrimHorizon
                                            : ShardIteratorType::kAfterSequenceNumber,
       .sequence_number = after});
  if (!iterator.ok()) return iterator.status();
  std::vector<StreamRecord> records;
  for (std::string next = *iterator; !next.empty();) {
    auto page = db.GetRecords({.shard_iterator = next});
    if (!page.ok()) return page.status();
    if (page->records.empty()) break;
    std::ranges::move(page->records, std::back_inserter(records));
    next = page->next_shard_iterator;
  }
  return records;
}

}  // namespace dolmen::test
