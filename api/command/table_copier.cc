#include "command/table_copier.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "command/on_threads.h"
#include "command/table_digest.h"
#include "command/text.h"
#include "command/write_batch.h"
#include "engine/base/status_macros.h"

namespace dolmen::command {
namespace {

constexpr const char* kSegmentList = "segments";
constexpr const char* kNextKey = "next";
constexpr const char* kIsDone = "done";
constexpr const char* kItemCount = "items";
constexpr const char* kByteCount = "bytes";
// A read unit can be a half, and a checkpoint holds whole numbers.
constexpr const char* kHalfReadUnits = "half_read_units";
constexpr const char* kHalfWriteUnits = "half_write_units";

std::int64_t HalvesOf(double units) { return std::llround(units * 2); }

double UnitsIn(const Map& checkpoint, const char* name) {
  return static_cast<double>(UnsignedIn(checkpoint, name).value_or(0)) / 2;
}

CopyCounts CountsIn(const Map& checkpoint) {
  return {.items = UnsignedIn(checkpoint, kItemCount).value_or(0),
          .bytes = UnsignedIn(checkpoint, kByteCount).value_or(0),
          .read_units = UnitsIn(checkpoint, kHalfReadUnits),
          .write_units = UnitsIn(checkpoint, kHalfWriteUnits)};
}

std::uint64_t BytesOf(const ScanOutput& page, std::size_t first, std::size_t last) {
  std::uint64_t bytes = 0;
  for (std::size_t i = first; i < last; ++i) bytes += page[i].size_bytes();
  return bytes;
}

// Returns the units of puts that a service does not report, as DynamoDB counts them without indexes, so
// that a limit on the units holds.
double WriteUnitsOf(const ScanOutput& page, std::size_t first, std::size_t last) {
  double units = 0;
  for (std::size_t i = first; i < last; ++i) units += std::ceil(page[i].size_bytes() / 1024.0);
  return units;
}

// Returns the keys of an item as text, for a message.
std::string KeysOfItem(const TableDescription& table, const ItemView& item) {
  std::string text =
      "{" + table.partition_key.name + ": " + item[table.partition_key.name].ToString();
  if (table.sort_key) {
    text += ", " + table.sort_key->name + ": " + item[table.sort_key->name].ToString();
  }
  return text + "}";
}

}  // namespace

std::uint32_t SegmentsOf(const Database& database, std::size_t parallel) {
  return IsRemote(database) ? static_cast<std::uint32_t>(parallel) : 1;
}

// The number of items is an estimate. The fraction is therefore at most 0.99 before the end.
ProgressState ProgressOf(const CopyCounts& counts, const ContentSize& content) {
  ProgressState state{.items = counts.items, .bytes = counts.bytes};
  if (content.item_count > 0) {
    state.fraction =
        std::min(static_cast<double>(counts.items) / static_cast<double>(content.item_count), 0.99);
  }
  return state;
}

TableCopier::TableCopier(OpenedTable from, OpenedTable to, CheckpointStore* checkpoints,
                         std::string name, CopierOptions options)
    : from_(std::move(from)),
      to_(std::move(to)),
      checkpoints_(*checkpoints),
      name_(std::move(name)),
      options_(std::move(options)),
      read_units_(options_.units_per_second, options_.waiting),
      write_units_(options_.units_per_second, options_.waiting),
      bytes_(options_.bytes_per_second, options_.waiting),
      segments_(SegmentsOf(from_.database, options_.parallel)) {}

Status TableCopier::Run() {
  if (!options_.restart) Resume();
  counts_before_ = counts_;
  progress_.emplace("copying", ProgressOf(counts_, from_.description.content));
  const Status copied =
      OnThreads(segments_.size(), [this](std::size_t segment) { return CopySegment(segment); });
  progress_.reset();
  return copied;
}

bool TableCopier::complete() const {
  return std::ranges::all_of(segments_, [](const Segment& segment) { return segment.done; });
}

void TableCopier::Resume() {
  const std::optional<Map> stored = checkpoints_.Read(name_);
  if (!stored) return;
  const auto found = stored->find(kSegmentList);
  const List* const list = found == stored->end() ? nullptr : found->second.get_if<List>();
  if (list == nullptr || list->empty()) return;
  std::vector<Segment> segments;
  for (const AttributeValue& value : *list) {
    const Map* const map = value.get_if<Map>();
    const auto next = map == nullptr ? Map::const_iterator() : map->find(kNextKey);
    if (map == nullptr || next == map->end() || next->second.get_if<Map>() == nullptr) return;
    segments.push_back(
        {.next = *next->second.get_if<Map>(), .done = map->find(kIsDone) != map->end()});
  }
  segments_ = std::move(segments);
  counts_ = CountsIn(*stored);
}

Map TableCopier::Checkpoint() const {
  List segments;
  for (const Segment& segment : segments_) {
    Map map{{kNextKey, segment.next}};
    if (segment.done) map.insert_or_assign(kIsDone, true);
    segments.emplace_back(std::move(map));
  }
  return {{kSegmentList, std::move(segments)},
          {kItemCount, counts_.items},
          {kByteCount, counts_.bytes},
          {kHalfReadUnits, HalvesOf(counts_.read_units)},
          {kHalfWriteUnits, HalvesOf(counts_.write_units)}};
}

Status TableCopier::CopySegment(std::size_t segment) {
  ScanInput input = SegmentInput(static_cast<std::uint32_t>(segment),
                                 static_cast<std::uint32_t>(segments_.size()));
  input.exclusive_start_key = segments_[segment].next;
  ScanOutput page;
  for (bool done = segments_[segment].done; !done && !stops();) {
    Status copied = from_.table.Scan(input, &page);
    double write_units = 0;
    if (copied.ok()) copied = WritePage(page, &write_units);
    if (copied.ok() && stops()) return {};  // a part of the page may not be written
    if (copied.ok()) copied = EndPage(segment, page, write_units);
    if (!copied.ok()) {
      failed_ = true;
      return copied;
    }
    input.exclusive_start_key = page.last_evaluated_key();
    done = input.exclusive_start_key.empty();
    read_units_.Use(ReadUnitsOf(page), options_.interrupted);
    if (options_.pauses && options_.pauses()) return {};
  }
  return {};
}

Status TableCopier::WritePage(const ScanOutput& page, double* write_units) {
  const std::size_t threads = std::max<std::size_t>(1, options_.parallel / segments_.size());
  std::atomic<std::size_t> next_batch = 0;
  std::vector<double> units(threads);
  DOLMEN_RETURN_IF_ERROR(OnThreads(threads, [&](std::size_t thread) -> Status {
    for (;;) {
      const std::size_t first = next_batch++ * kWritesMax;
      if (first >= page.size() || stops()) return {};
      const Status written = WriteBatch(page, first, &units[thread]);
      if (!written.ok()) failed_ = true;
      DOLMEN_RETURN_IF_ERROR(written);
    }
  }));
  for (const double part : units) *write_units += part;
  return {};
}

Status TableCopier::WriteBatch(const ScanOutput& page, std::size_t first, double* write_units) {
  const std::size_t last = std::min(page.size(), first + kWritesMax);
  std::vector<WriteRequest> puts;
  for (std::size_t i = first; i < last; ++i) {
    DOLMEN_ASSIGN_OR_RETURN(Item item, page[i].Copy());
    puts.emplace_back(PutRequest{std::move(item)});
  }
  const double units_before = *write_units;
  DOLMEN_RETURN_IF_ERROR(WriteAsBatch(
      to_.database, to_.table, &puts,
      [&](std::size_t item, const Status& put) {
        if (put.code() != StatusCode::kValidation) return put;
        return RejectedItem(to_.table, KeysOfItem(from_.description, page[first + item]), put);
      },
      write_units));
  if (*write_units == units_before) *write_units += WriteUnitsOf(page, first, last);
  write_units_.Use(*write_units - units_before, options_.interrupted);
  bytes_.Use(static_cast<double>(BytesOf(page, first, last)), options_.interrupted);
  return {};
}

Status TableCopier::EndPage(std::size_t segment, const ScanOutput& page, double write_units) {
  const MutexLock lock(mutex_);
  segments_[segment].next = page.last_evaluated_key();
  segments_[segment].done = page.last_evaluated_key().empty();
  counts_.items += page.size();
  counts_.bytes += BytesOf(page, 0, page.size());
  counts_.write_units += write_units;
  counts_.read_units += ReadUnitsOf(page);
  progress_->Update(ProgressOf(counts_, from_.description.content));
  DOLMEN_RETURN_IF_ERROR(checkpoints_.Write(name_, Checkpoint()));
  if (options_.on_checkpoint) options_.on_checkpoint();
  return {};
}

}  // namespace dolmen::command
