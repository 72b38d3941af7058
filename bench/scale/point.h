// The points of the scale curves, and the data of each point.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "bench/data.h"
#include "bench/stored_rows.h"

namespace dolmen::bench {

// The quantity that grows along a curve: items of the table, items of a partition, or bytes of an
// item.
enum class Series : std::uint8_t { kTable, kPartition, kItem };
inline constexpr std::array<std::string_view, 3> kSeriesNames = {"table", "partition", "item"};

// A point of a curve.
struct Point {
  Series series;
  std::uint64_t size;  // items of the table, items of each partition, or bytes of each item
  std::uint64_t items;
  std::uint64_t items_per_partition;  // a divisor of `items`
  std::uint64_t rows_per_page = 50;   // a divisor of `items_per_partition`, at most half
  std::uint64_t item_bytes = 0;       // 0: messages of about 270 bytes
};

constexpr Point TablePoint(std::uint64_t items) {
  return {.series = Series::kTable,
          .size = items,
          .items = items,
          .items_per_partition = kMessagesPerConversation};
}

constexpr Point PartitionPoint(std::uint64_t items_per_partition) {
  return {.series = Series::kPartition,
          .size = items_per_partition,
          .items = 1'000'000,
          .items_per_partition = items_per_partition};
}

// Returns a point with items of `bytes` bytes, 200 MB in total. A partition has the items of two
// pages. A page has 50 items, or fewer if the items are large: DynamoDB ends a page with the item
// that brings the page to 1 MB.
constexpr Point ItemPoint(std::uint64_t bytes) {
  constexpr std::uint64_t kPageBytes = 1 << 20;
  const std::uint64_t rows = std::min<std::uint64_t>(50, (kPageBytes + bytes - 1) / bytes);
  return {.series = Series::kItem,
          .size = bytes,
          .items = 200'000'000 / bytes / (2 * rows) * (2 * rows),
          .items_per_partition = 2 * rows,
          .rows_per_page = rows,
          .item_bytes = bytes};
}

// Returns the name of a point, for example "table/10000".
std::string NameOf(const Point& point);

// A stateless generator of the items of a point. The items are messages of ChatData. Item i is in
// partition i mod partitions(), at position i / partitions() of the partition.
class PointData {
 public:
  explicit PointData(const Point& point) : point_(point) {}

  DataSet data_set() const;

  std::uint64_t partitions() const { return point_.items / point_.items_per_partition; }
  std::uint64_t IndexOf(std::uint64_t partition, std::uint64_t n) const {
    return n * partitions() + partition;
  }
  ItemKey KeyOf(std::uint64_t i) const {
    return {ChatData::PartitionKey(i % partitions()), ChatData::MessageSortKey(i)};
  }

 private:
  Item ItemAt(std::uint64_t i) const;

  Point point_;
};

}  // namespace dolmen::bench
