// The queries at each point: a random page read forward, the newest page, and a single item.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "bench/contender.h"
#include "bench/range_shape.h"
#include "bench/scale/point.h"
#include "bench/stores.h"

namespace dolmen::bench {

// A base class of the workloads of a point. These workloads have their own data and ignore the
// ChatData of the run.
template <Point kPoint>
class PointReads {
 public:
  static constexpr std::size_t kQuestions = 1 << 17;  // more than fit into a CPU cache

  explicit PointReads(const ChatData&) {}

  template <typename Store>
  static Result<const Store*> StoreOf(Stores& stores) {
    return stores.Own<Store>(std::string(Store::kName), PointData(kPoint).data_set());
  }

 protected:
  static constexpr auto kSeries = static_cast<std::size_t>(kPoint.series);

  const PointData& data() const { return data_; }
  void AppendItem(std::uint64_t i, Answer* answer) const {
    AppendStoredRows(data_.data_set().item(i), answer);
  }

 private:
  PointData data_{kPoint};
};

// Reads a random page forward from the first item of the page. The pages together cover all data,
// so the number of bytes that the queries read does not depend on the size of the partitions.
template <Point kPoint>
class ForwardPage : public PointReads<kPoint> {
 public:
  static constexpr std::string_view kName = std::to_array<std::string_view>(
      {"table_forward", "partition_forward", "item_forward"})[PointReads<kPoint>::kSeries];
  static constexpr std::size_t kRows = kPoint.rows_per_page;
  static RangeShape Shape() { return {.limit = kRows}; }

  using PointReads<kPoint>::PointReads;

  std::uint64_t questions() const { return kPoint.items / kRows; }
  ItemKey Question(std::uint64_t i) const { return this->data().KeyOf(First(i)); }
  Answer Expected(std::uint64_t i) const {
    Answer answer;
    for (std::uint64_t n = 0; n < kRows; ++n) {
      this->AppendItem(First(i) + n * this->data().partitions(), &answer);
    }
    return answer;
  }

 private:
  // Returns the number of the first item that query i reads. The query reads the partition i mod
  // partitions, and there the page with the number i / partitions.
  std::uint64_t First(std::uint64_t i) const {
    const std::uint64_t partitions = this->data().partitions();
    return this->data().IndexOf(i % partitions, i / partitions * kRows);
  }
};

// Reads the newest items of a partition, newest first.
template <Point kPoint>
class NewestPage : public PointReads<kPoint> {
 public:
  static constexpr std::string_view kName = std::to_array<std::string_view>(
      {"table_newest", "partition_newest", "item_newest"})[PointReads<kPoint>::kSeries];
  static constexpr std::size_t kRows = kPoint.rows_per_page;
  static RangeShape Shape() { return {.forward = false, .limit = kRows}; }

  using PointReads<kPoint>::PointReads;

  std::uint64_t questions() const { return this->data().partitions(); }
  std::string Question(std::uint64_t i) const { return ChatData::PartitionKey(i); }
  Answer Expected(std::uint64_t i) const {
    Answer answer;
    for (std::uint64_t n = 1; n <= kRows; ++n) {
      this->AppendItem(this->data().IndexOf(i, kPoint.items_per_partition - n), &answer);
    }
    return answer;
  }
};

// Reads a single item by its key.
template <Point kPoint>
class PointGet : public PointReads<kPoint> {
 public:
  static constexpr std::string_view kName = std::to_array<std::string_view>(
      {"table_get", "partition_get", "item_get"})[PointReads<kPoint>::kSeries];
  static constexpr std::size_t kRows = 1;

  using PointReads<kPoint>::PointReads;

  std::uint64_t questions() const { return kPoint.items; }
  ItemKey Question(std::uint64_t i) const { return this->data().KeyOf(i); }
  Answer Expected(std::uint64_t i) const {
    Answer answer;
    this->AppendItem(i, &answer);
    return answer;
  }
};

}  // namespace dolmen::bench
