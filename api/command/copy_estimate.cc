#include "command/copy_estimate.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <utility>

#include "command/table_digest.h"
#include "command/text.h"
#include "engine/base/status_macros.h"

namespace dolmen::command {
namespace {

constexpr std::uint64_t kPutsPerDatabase = 10'000;  // limits the memory of the table in memory
constexpr std::uint64_t kWeight = 10;
constexpr std::uint64_t kBytesPerSegment = std::uint64_t{2} << 20U;
constexpr std::uint32_t kSegmentsMax = 1'000'000;
// https://aws.amazon.com/dynamodb/pricing/on-demand, us-east-1, 2026.
constexpr double kDollarsPerWriteUnit = 0.625e-6;
constexpr double kDollarsPerReadUnit = 0.125e-6;

// A table in memory that tells the units of a put into an empty table.
class Pricer {
 public:
  explicit Pricer(NewTable target) : target_(std::move(target)) {
    target_.with_time_to_live = false;
  }

  Result<double> UnitsOf(const ItemView& item) {
    if (puts_++ % kPutsPerDatabase == 0) {
      DOLMEN_ASSIGN_OR_RETURN(const Database& database, CreateInMemory(target_));
      DOLMEN_ASSIGN_OR_RETURN(table_, database.OpenTable(target_.input.name));
    }
    DOLMEN_ASSIGN_OR_RETURN(Item copy, item.Copy());
    DOLMEN_ASSIGN_OR_RETURN(
        const WriteItemOutput& put,
        table_->PutItem({.item = std::move(copy),
                         .options = {.return_consumed_capacity = ReturnConsumedCapacity::kTotal}}));
    return put.consumed_capacity->total.write_units;
  }

 private:
  NewTable target_;
  std::optional<Table> table_;  // keeps its database open
  std::uint64_t puts_ = 0;
};

class Estimator {
 public:
  Estimator(const OpenedTable& from, const NewTable& target,
            const std::function<bool(std::uint64_t)>& on_items, const EstimateLimits& limits)
      : from_(from), on_items_(on_items), limits_(limits), pricer_(target) {}

  Result<CopyEstimate> ReadWhole() {
    ScanInput input = SegmentInput(0, 1);
    bool goes_on = true;
    do {
      DOLMEN_ASSIGN_OR_RETURN(goes_on, AddPage(input));
      input.exclusive_start_key = page_.last_evaluated_key();
    } while (goes_on && !input.exclusive_start_key.empty());
    return sum_;
  }

  // Reads the first pages of random segments, and scales their sums to the number of items.
  Result<CopyEstimate> ReadSample() {
    const ContentSize& content = from_.description.content;
    const auto segments = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
        content.size_bytes / kBytesPerSegment, limits_.sample_pages, kSegmentsMax));
    std::mt19937 random(std::random_device{}());
    std::vector<std::uint32_t> chosen;
    while (chosen.size() < limits_.sample_pages) {
      const auto segment = std::uniform_int_distribution<std::uint32_t>(0, segments - 1)(random);
      if (std::ranges::find(chosen, segment) != chosen.end()) continue;
      chosen.push_back(segment);
      DOLMEN_ASSIGN_OR_RETURN(const bool goes_on, AddPage(SegmentInput(segment, segments)));
      if (!goes_on) break;
    }
    if (sum_.items == 0) return sum_;
    const double scale = static_cast<double>(content.item_count) / static_cast<double>(sum_.items);
    const double bytes = static_cast<double>(sum_.bytes) * scale;
    return CopyEstimate{.items = content.item_count,
                        .bytes = static_cast<std::uint64_t>(bytes),
                        .read_units = bytes / kReadUnitBytes,
                        .write_units = sum_.write_units * scale};
  }

 private:
  // Reads a page and adds its items. Returns false if the caller ends the estimate.
  Result<bool> AddPage(const ScanInput& input) {
    DOLMEN_RETURN_IF_ERROR(from_.table.Scan(input, &page_));
    for (const ItemView item : page_) DOLMEN_RETURN_IF_ERROR(Add(item));
    sum_.read_units += ReadUnitsOf(page_);
    return on_items_(sum_.items);
  }

  Status Add(const ItemView& item) {
    const bool is_one_of_many = sum_.items >= limits_.priced_items;
    sum_.bytes += item.size_bytes();
    if (sum_.items++ % kWeight != 0 && is_one_of_many) return {};
    DOLMEN_ASSIGN_OR_RETURN(const double units, pricer_.UnitsOf(item));
    sum_.write_units += is_one_of_many ? units * kWeight : units;
    return {};
  }

  const OpenedTable& from_;
  const std::function<bool(std::uint64_t)>& on_items_;
  const EstimateLimits& limits_;
  Pricer pricer_;
  ScanOutput page_;
  CopyEstimate sum_;
};

}  // namespace

Result<CopyEstimate> EstimateCopy(const OpenedTable& from, const NewTable& target,
                                  const std::function<bool(std::uint64_t)>& on_items,
                                  const EstimateLimits& limits) {
  Estimator estimator(from, target, on_items, limits);
  const bool is_large = from.description.content.size_bytes > limits.whole_bytes;
  return is_large ? estimator.ReadSample() : estimator.ReadWhole();
}

std::string PriceText(double read_units, double write_units) {
  return "$" + FixedText(read_units * kDollarsPerReadUnit + write_units * kDollarsPerWriteUnit, 2);
}

}  // namespace dolmen::command
