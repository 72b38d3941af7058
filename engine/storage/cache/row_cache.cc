#include "engine/storage/cache/row_cache.h"

#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace dolmen::engine {
namespace {

constexpr std::string_view kTerminator("\0\1", 2);

std::uint64_t Hash(std::string_view key) { return XXH3_64bits(key.data(), key.size()); }

// Returns the number of bytes at the start of a stored key that are the key of its partition's
// entry: the keyspace and the first attribute. All keys that begin with these bytes have the same
// entry.
std::size_t PartitionBytes(std::string_view key) { return PrefixBytes(key, 1); }

bool HasRowEntries(const PartitionGroup& group) { return group.load() >= kRowEntry; }
bool HasRowWrites(const PartitionGroup& group) { return group.load() % kRowEntry >= kRowWrite; }
bool HasPartitionWrites(const PartitionGroup& group) { return group.load() % kRowWrite != 0; }

// Returns the key of the entry that holds the range, or an empty view if no entry can hold it.
std::string_view EntryOfRange(const KeyRange& range) {
  const std::string_view lower = range.lower.bytes();
  const std::string_view upper = range.upper.bytes();
  const std::string_view partition = lower.substr(0, PartitionBytes(lower));
  if (!partition.ends_with(kTerminator)) {
    // The key has only one attribute. Only the range of this one key is inside one entry.
    const bool is_one_row =
        upper.size() == lower.size() + 1 && upper.back() == '\0' && upper.starts_with(lower);
    return is_one_row ? partition : std::string_view();
  }
  if (upper.starts_with(partition)) return partition;
  // The upper bound of a whole partition: its last byte is greater by one.
  const std::string_view start = partition.substr(0, partition.size() - 1);
  const bool is_whole = upper.size() == partition.size() && upper.starts_with(start) &&
                        upper.back() == partition.back() + 1;
  return is_whole ? partition : std::string_view();
}

// Returns the upper bound of the range without the key of its entry. Nothing: the range has all
// keys of the entry from its lower bound on.
std::optional<std::string_view> UpperInEntry(const KeyRange& range, std::string_view entry_key) {
  const std::string_view upper = range.upper.bytes();
  if (!upper.starts_with(entry_key)) return std::nullopt;
  return upper.substr(entry_key.size());
}

// Sets `*value` to cached bytes. The value owns a part of the stretch until it is reset.
void Pin(std::string_view bytes, const Stretch* stretch, rocksdb::PinnableSlice* value) {
  stretch->Acquire();
  const auto release = [](void* owned, void*) { static_cast<const Stretch*>(owned)->Release(); };
  value->PinSlice({bytes.data(), bytes.size()}, release, const_cast<Stretch*>(stretch), nullptr);
}

std::size_t ScaledCount(std::size_t bytes, std::size_t bytes_per_one, std::size_t most) {
  return std::bit_ceil(std::clamp<std::size_t>(bytes / bytes_per_one, 64, most));
}

}  // namespace

RowCache::RowCache(std::size_t bytes, LatestSequence latest_sequence, bool checks_reads)
    : checks_reads_(checks_reads),
      groups_(kGroups),
      memory_(bytes, std::move(latest_sequence)),
      table_(memory_),
      reads_seen_(ScaledCount(bytes, 1024, 1 << 16)) {
  memory_.bytes +=
      groups_.size() * sizeof(groups_[0]) + reads_seen_.size() * sizeof(reads_seen_[0]);
}

void RowCache::AddTo(DatabaseStats* stats) const {
  const Reclaimer::Counts reads = memory_.reclaimer.counts();
  stats->row_cache_bytes = memory_.bytes.load();
  stats->row_cache_hits = reads.hits;
  stats->row_cache_misses = reads.misses;
  stats->row_cache_evictions = table_.evictions();
}

bool RowCache::NoteRead(std::uint64_t hash) {
  const auto mark = static_cast<std::uint16_t>((hash >> 48) | 1);
  std::atomic<std::uint16_t>& seen = reads_seen_[hash & (reads_seen_.size() - 1)];
  if (seen.load(std::memory_order_relaxed) == mark) return true;
  seen.store(mark, std::memory_order_relaxed);
  return false;
}

void RowCache::ForgetRange(const KeyRange& range) {
  table_.ForEach([&](CacheEntry& entry) {
    const std::string_view lower = range.lower.bytes();
    const bool overlaps = entry.key() < range.upper.bytes() &&
                          (lower <= entry.key() || lower.starts_with(entry.key()));
    if (overlaps) entry.Forget();
  });
}

bool RowCache::Reader::Look(std::string_view entry_key, std::uint64_t hash) {
  entry_ = cache_.table_.Find(entry_key, hash);
  if (entry_ == nullptr) return false;
  stretches_ = entry_->Visible();
  if (stretches_ == nullptr) return false;
  entry_->NoteUse();
  return true;
}

std::optional<RowCache::CachedRange> RowCache::Reader::Find(const KeyRange& range, bool forward) {
  const std::string_view entry_key = EntryOfRange(range);
  if (!guard_ || entry_key.empty() || !Look(entry_key, Hash(entry_key))) {
    return std::nullopt;
  }
  const std::string_view lower = range.lower.bytes().substr(entry_key.size());
  const std::optional<std::string_view> upper = UpperInEntry(range, entry_key);
  const Stretch* const stretch = forward ? stretches_->Find(lower) : stretches_->FindBefore(upper);
  if (stretch == nullptr) return std::nullopt;
  const bool has_lower = stretch->range().lower <= lower;
  const bool has_upper = stretch->range().ReachesTo(upper);
  return CachedRange{stretch, has_lower ? stretch->LowerBound(lower) : stretch->begin(),
                     has_upper && upper ? stretch->LowerBound(*upper) : stretch->end(), entry_key,
                     has_lower && has_upper};
}

KeyRange RowCache::CachedRange::WithoutGap(const KeyRange& range, bool forward) const {
  const KnownRange& known = stretch->range();
  EncodedKey bound = EncodedKey::FromBytes(entry_key);
  if (begin != end) {
    RowPosition nearest = forward ? begin : end;
    if (!forward) stretch->Previous(&nearest);
    bound.AppendRaw(stretch->key(nearest));
    if (!forward) bound.AdvancePast();
  } else if (!is_whole) {
    bound.AppendRaw(forward ? *known.upper : known.lower);
  } else {
    bound = forward ? range.upper : range.lower;
  }
  return forward ? KeyRange{std::move(bound), range.upper}
                 : KeyRange{range.lower, std::move(bound)};
}

std::optional<bool> RowCache::Reader::Get(std::string_view key, rocksdb::PinnableSlice* value) {
  if (!guard_) return std::nullopt;
  const std::string_view partition = key.substr(0, PartitionBytes(key));
  const std::uint64_t hash = Hash(partition);
  if (HasRowEntries(cache_.GroupOf(hash))) {
    const std::optional<bool> exists = GetIn(key, Hash(key), key, value);
    if (exists) return exists;
  }
  return GetIn(partition, hash, key, value);
}

std::optional<bool> RowCache::Reader::GetIn(std::string_view entry_key, std::uint64_t hash,
                                            std::string_view key, rocksdb::PinnableSlice* value) {
  if (!Look(entry_key, hash)) return std::nullopt;
  const std::string_view row = key.substr(entry_key.size());
  const Stretch* const stretch = stretches_->Find(row);
  if (stretch == nullptr) return std::nullopt;
  const std::optional<std::string_view> found = stretch->Find(row);
  if (found) Pin(*found, stretch, value);
  return found.has_value();
}

bool RowCache::Reader::GetAll(std::span<const EncodedKey> keys,
                              std::span<rocksdb::PinnableSlice> values, std::vector<bool>* found) {
  found->clear();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    values[i].Reset();
    const std::optional<bool> exists = Get(keys[i].bytes(), &values[i]);
    if (!exists) return false;
    found->push_back(*exists);
  }
  return true;
}

RowCache::Fill::Fill(RowCache& cache, const KeyRange& range, bool forward) : cache_(cache) {
  const std::string_view entry_key = EntryOfRange(range);
  if (entry_key.empty()) return;
  // The far end does not count: a program that asks for all that is due by now names another one each time.
  const std::string_view start = forward ? range.lower.bytes() : range.upper.bytes();
  const std::uint64_t seed = forward ? 1 : 2;
  if (cache_.NoteRead(XXH3_64bits_withSeed(start.data(), start.size(), seed))) Begin(entry_key);
}

RowCache::Fill::Fill(RowCache& cache, std::string_view row) : cache_(cache) {
  if (cache_.NoteRead(Hash(row))) Begin(row);
}

void RowCache::Fill::Begin(std::string_view entry_key) {
  const std::string_view partition = entry_key.substr(0, PartitionBytes(entry_key));
  PartitionGroup& group = cache_.GroupOf(Hash(partition));
  const bool is_row = partition.size() != entry_key.size();
  const auto guard = Reclaimer::Guard::Wait(cache_.memory_.reclaimer);
  CacheEntry* const entry =
      cache_.table_.FindOrAdd(entry_key, Hash(entry_key), is_row ? &group : nullptr);
  if (!entry->BeginFill(&pending_)) return;
  entry_ = entry;
  // All writes that begin from now on find the entry. The two counts hold the writes that began before.
  const bool may_miss_write = is_row ? HasRowWrites(group) : HasPartitionWrites(group);
  if (may_miss_write || cache_.range_deletions_.load() != 0) {
    entry_->EndFill(&pending_, nullptr);
    entry_ = nullptr;
  }
}

void RowCache::Fill::Finish(KnownRange range, std::span<const CachedRow> rows) {
  std::exchange(entry_, nullptr)->EndFill(&pending_, Stretch::Make(std::move(range), rows));
  cache_.table_.Evict();
}

RowCache::Fill::~Fill() {
  if (entry_ != nullptr) entry_->EndFill(&pending_, nullptr);
}

RowCache::Write::Write(RowCache* cache, std::string_view batch, std::span<const WrittenRow> rows,
                       std::span<const KeyRange> deleted)
    : cache_(cache), batch_(batch) {
  if (cache_ == nullptr) return;
  if (!deleted.empty()) {
    deletes_ranges_ = true;
    ++cache_->range_deletions_;
    for (const KeyRange& range : deleted) cache_->ForgetRange(range);
  }
  const auto guard = Reclaimer::Guard::Wait(cache_->memory_.reclaimer);
  for (const WrittenRow& row : rows) Touch(row);
}

// Counts the write before it looks for the entries. A fill adds its entry, and its count, before it
// reads the count of writes. So either this write finds the entry, or the fill finds the write.
void RowCache::Write::Touch(const WrittenRow& row) {
  const std::string_view key = row.key(batch_);
  const std::string_view partition = key.substr(0, PartitionBytes(key));
  const std::uint64_t hash = Hash(partition);
  const bool has_row_entry = partition.size() != key.size();
  PartitionGroup& group = cache_->GroupOf(hash);
  Counted counted = {&group, has_row_entry ? kPartitionWrite + kRowWrite : kPartitionWrite};
  const std::uint64_t before = group.fetch_add(counted.counts);
  std::uint64_t known = 0;
  if (TouchEntry(partition, hash, row)) known += kPartitionWrite;
  if (has_row_entry && before >= kRowEntry && TouchEntry(key, Hash(key), row)) known += kRowWrite;
  if (known != 0) group -= known;
  counted.counts -= known;
  if (counted.counts != 0) counted_.push_back(counted);
}

bool RowCache::Write::TouchEntry(std::string_view entry_key, std::uint64_t hash,
                                 const WrittenRow& row) {
  CacheEntry* const entry = cache_->table_.Find(entry_key, hash);
  if (entry == nullptr || !entry->BeginWrite()) return false;
  touched_.push_back({entry, &row});
  return true;
}

void RowCache::Write::Commit() {
  for (const Touched& touched : touched_) {
    const std::string_view key = touched.row->key(batch_);
    touched.entry->EndWrite(key.substr(touched.entry->key().size()), touched.row->value(batch_));
  }
  const bool grew = !touched_.empty();
  touched_.clear();
  End();
  if (grew) cache_->table_.Evict();
}

RowCache::Write::~Write() {
  for (const Touched& touched : touched_) touched.entry->AbandonWrite();
  End();
}

void RowCache::Write::End() {
  for (const Counted& counted : counted_) *counted.group -= counted.counts;
  counted_.clear();
  if (deletes_ranges_) --cache_->range_deletions_;
  deletes_ranges_ = false;
}

}  // namespace dolmen::engine
