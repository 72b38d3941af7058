#include "engine/read/cursors.h"

#include <xxhash.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/key/encoded_key.h"
#include "engine/read/start_key.h"

namespace dolmen::engine {

MergingCursor::MergingCursor(const Store& store, const ReadPlan& plan, const Snapshot& snapshot) {
  for (const KeyRange& range : plan.ranges) {
    runs_.push_back({std::make_unique<Cursor>(store, range, &snapshot),
                     PrefixBytes(range.lower.bytes(), plan.keys().partition().size())});
  }
}

void MergingCursor::SeekToFirst() {
  for (Run& run : runs_) run.cursor->SeekToFirst();
  ChooseFirst();
}

void MergingCursor::SeekToLast() {
  for (Run& run : runs_) run.cursor->SeekToLast();
  ChooseLast();
}

void MergingCursor::Next() {
  current_->cursor->Next();
  ChooseFirst();
}

void MergingCursor::Previous() {
  current_->cursor->Previous();
  ChooseLast();
}

Status MergingCursor::status() const {
  for (const Run& run : runs_) {
    DOLMEN_RETURN_IF_ERROR(run.cursor->status());
  }
  return {};
}

// Chooses the partition to read next when reading forward. Compares the partitions' current keys by
// the bytes that follow the partition key, and chooses the partition with the least bytes. If
// several partitions have equal bytes, chooses the first of them.
void MergingCursor::ChooseFirst() {
  Choose([](const Run& run, const Run& best) {
    return run.key_after_partition() < best.key_after_partition();
  });
}

// Chooses the partition to read next when reading backward. Compares the partitions' current keys
// by the bytes that follow the partition key, and chooses the partition with the greatest bytes. If
// several partitions have equal bytes, chooses the last of them.
void MergingCursor::ChooseLast() {
  Choose([](const Run& run, const Run& best) {
    return run.key_after_partition() >= best.key_after_partition();
  });
}

// Sets current_ to the run that comes before all other runs; each run holds the rows of one
// partition. If a run cannot be read, no run can be chosen, because the unread key might come
// first. The whole cursor then becomes invalid, and status() returns the error.
template <typename ComesBefore>
void MergingCursor::Choose(ComesBefore comes_before) {
  current_ = nullptr;
  for (Run& run : runs_) {
    if (run.cursor->Valid()) {
      if (current_ == nullptr || comes_before(run, *current_)) current_ = &run;
    } else if (!run.cursor->status().ok()) {
      current_ = nullptr;
      return;
    }
  }
}

SegmentCursor::SegmentCursor(const Store& store, const ReadPlan& plan, const Snapshot* snapshot)
    : cursor_(store, plan.ranges.front(), snapshot),
      segment_(plan.segment.value_or(ScanSegment())),
      partition_attributes_(plan.keys().partition().size()) {}

void SegmentCursor::SeekToFirst() {
  cursor_.SeekToFirst();
  SkipOtherSegments();
}

void SegmentCursor::Next() {
  cursor_.Next();
  SkipOtherSegments();
}

void SegmentCursor::SkipOtherSegments() {
  while (cursor_.Valid()) {
    const std::string_view key = cursor_.key();
    if (!partition_.empty() && key.starts_with(partition_)) return;
    const std::string_view partition = key.substr(0, PrefixBytes(key, partition_attributes_));
    if (segment_.Contains(partition)) {
      partition_ = partition;
      return;
    }
    skipped_partition_ = partition;
    SkipPartition();
  }
}

// Moves to the first key after the partition skipped_partition_. First tries kStepsMax single
// steps, because many partitions are small and a step is much faster than a seek. Seeks if these
// steps do not leave the partition.
void SegmentCursor::SkipPartition() {
  constexpr int kStepsMax = 8;
  for (int step = 0; step < kStepsMax; ++step) {
    cursor_.Next();
    if (!cursor_.Valid() || !cursor_.key().starts_with(skipped_partition_)) return;
  }
  EncodedKey after = EncodedKey::FromBytes(skipped_partition_);
  after.AdvancePastPrefix();
  cursor_.Seek(after);
}

HashOrderCursor::HashOrderCursor(const Store& store, const ReadPlan& plan, std::uint64_t seed,
                                 const Snapshot* snapshot)
    : cursor_(store, PrefixRange(EncodedKey(plan.keyspace())), snapshot),
      segment_(plan.segment.value_or(ScanSegment())),
      seed_(seed),
      partition_attributes_(plan.keys().partition().size()),
      start_(plan.ranges.front().lower) {}

std::string_view HashOrderCursor::PartitionOf(std::string_view key) const {
  return key.substr(0, PrefixBytes(key, partition_attributes_));
}

HashOrderCursor::HashAndPartition HashOrderCursor::WithHash(std::string_view partition) const {
  const std::string_view key = partition.substr(kKeyspaceBytes);
  return {XXH3_64bits_withSeed(key.data(), key.size(), seed_), std::string(partition)};
}

void HashOrderCursor::FindPartitions() {
  cursor_.SeekToFirst();
  while (cursor_.Valid()) {
    const std::string partition(PartitionOf(cursor_.key()));
    if (segment_.Contains(partition)) partitions_.push_back(WithHash(partition));
    EncodedKey after = EncodedKey::FromBytes(partition);
    after.AdvancePastPrefix();
    cursor_.Seek(after);
  }
  std::ranges::sort(partitions_);
}

void HashOrderCursor::SeekToFirst() {
  FindPartitions();
  if (!cursor_.status().ok()) return;
  if (start_.bytes().size() > kKeyspaceBytes) {
    const HashAndPartition first = WithHash(PartitionOf(start_.bytes()));
    const auto found = std::ranges::lower_bound(partitions_, first);
    current_ = static_cast<std::size_t>(found - partitions_.begin());
    if (found != partitions_.end() && *found == first) {
      cursor_.Seek(start_);
      if (IsInPartition() || !cursor_.status().ok()) return;
      ++current_;
    }
  }
  SeekToPartition();
}

void HashOrderCursor::Next() {
  cursor_.Next();
  if (IsInPartition() || !cursor_.status().ok()) return;
  ++current_;
  SeekToPartition();
}

void HashOrderCursor::SeekToPartition() {
  if (current_ == partitions_.size()) return;
  cursor_.Seek(EncodedKey::FromBytes(partitions_[current_].second));
}

bool HashOrderCursor::IsInPartition() const {
  return cursor_.Valid() && cursor_.key().starts_with(partitions_[current_].second);
}

EqualKeyOrder::EqualKeyOrder(const Item& start, std::uint64_t seed, ReadPlan* plan)
    : plan_(*plan), seed_(seed) {
  if (start.empty()) return;
  start_ = EntryOf(StoredKeyOfStart(start, *plan).bytes(), {});
  // The range of a Query has all entries with an index key, or none of them.
  EncodedKey group = EncodedKey::FromBytes(IndexKeyOf(start_.key));
  KeyRange& range = plan->ranges.front();
  if (plan->forward) {
    range.lower = std::move(group);
  } else {
    group.AdvancePastPrefix();
    range.upper = std::move(group);
  }
}

std::string_view EqualKeyOrder::IndexKeyOf(std::string_view key) const {
  return key.substr(0, PrefixBytes(key, plan_.keys().attributes().size()));
}

EqualKeyOrder::Entry EqualKeyOrder::EntryOf(std::string_view key, std::string_view value) const {
  const std::string_view hashed = key.substr(kKeyspaceBytes);
  return {XXH3_64bits_withSeed(hashed.data(), hashed.size(), seed_), std::string(key),
          std::string(value)};
}

bool EqualKeyOrder::ComesBefore(const Entry& a, const Entry& b) const {
  const bool is_less = std::tie(a.hash, a.key) < std::tie(b.hash, b.key);
  return plan_.forward ? is_less : !is_less && a.key != b.key;
}

void EqualKeyOrder::AddTo(std::vector<Entry>* entries, std::string_view key,
                          std::string_view value) const {
  Entry entry = EntryOf(key, value);
  const bool is_start = !start_.key.empty() && IndexKeyOf(start_.key) == IndexKeyOf(key);
  if (!is_start || ComesBefore(start_, entry)) entries->push_back(std::move(entry));
}

void EqualKeyOrder::Sort(std::vector<Entry>* entries) const {
  std::ranges::sort(*entries, [this](const Entry& a, const Entry& b) { return ComesBefore(a, b); });
}

}  // namespace dolmen::engine
