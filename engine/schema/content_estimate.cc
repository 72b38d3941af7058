#include "engine/schema/content_estimate.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "dolmen/item_view.h"
#include "engine/storage/cursor.h"

namespace dolmen::engine {
namespace {

// The limits of one sample. RocksDB rounds the size of a key range in a file to whole blocks of
// 32 KB. A sample covers several blocks, so the rounding error is small compared with the sample.
constexpr CountLimits kSample = {.keys = 2000, .bytes = std::size_t{128} << 10};

// The maximum number of deleted keys that a sample passes over in one step. The sample ends if
// there are more.
constexpr std::size_t kPassedOverMax = 10'000;

// The maximum number of halvings when a range is divided. Many halvings may be necessary, because
// keys may share long prefixes and each halving determines only one more bit of a key.
constexpr std::size_t kHalvingsMax = 2000;

// Adds `more`, multiplied by `factor`, to `sum`.
void Add(const ContentSize& more, double factor, ContentSize* sum) {
  const auto add = [&](std::uint64_t count, std::uint64_t* to) {
    *to += static_cast<std::uint64_t>(std::llround(static_cast<double>(count) * factor));
  };
  add(more.item_count, &sum->item_count);
  add(more.size_bytes, &sum->size_bytes);
}

// Returns `a` minus `b`, but no less than 0.
ContentSize Difference(const ContentSize& a, const ContentSize& b) {
  return {a.item_count - std::min(a.item_count, b.item_count),
          a.size_bytes - std::min(a.size_bytes, b.size_bytes)};
}

// Returns the key halfway between the bounds of the range. The bytes of a key are treated as the
// digits of a fraction in base 256.
EncodedKey Halfway(const KeyRange& range) {
  const std::string_view lower = range.lower.bytes();
  const std::string_view upper = range.upper.bytes();
  const auto digit = [](std::string_view key, std::size_t i) {
    return i < key.size() ? static_cast<unsigned char>(key[i]) : 0U;
  };
  const std::size_t size = std::max(lower.size(), upper.size()) + 1;
  std::vector<unsigned> sum(size);
  unsigned carry = 0;
  for (std::size_t i = size; i-- > 0;) {
    const unsigned digits = digit(lower, i) + digit(upper, i) + carry;
    sum[i] = digits & 0xFF;
    carry = digits >> 8;
  }
  std::string half(size, '\0');
  for (std::size_t i = 0; i < size; ++i) {
    half[i] = static_cast<char>((carry << 8 | sum[i]) >> 1);
    carry = sum[i] & 1;
  }
  return EncodedKey::FromBytes(half);
}

// A part of a range, with the number of bytes that it takes in table files.
struct FilePart {
  KeyRange range;
  std::uint64_t file_bytes = 0;
};

bool IsSmaller(const FilePart& a, const FilePart& b) { return a.file_bytes < b.file_bytes; }

// Divides the range into parts that each take about 1/`count` of the range's bytes in table files.
// Halves the largest part again and again. Does not halve a part that is so small that two samples
// cover it. Leaves out each half that takes no bytes in files. If the range is not halved at all,
// returns the range even if it takes no bytes in files.
std::vector<FilePart> Divide(const Store& store, const KeyRange& range, std::size_t count) {
  std::vector<FilePart> parts = {{range, store.FileBytes(range)}};
  const std::uint64_t part_bytes_max =
      std::max<std::uint64_t>(parts[0].file_bytes / count, 2 * kSample.bytes);
  for (std::size_t i = 0; i < kHalvingsMax; ++i) {
    if (parts.empty() || parts.front().file_bytes <= part_bytes_max) break;
    const KeyRange whole = parts.front().range;
    const EncodedKey middle = Halfway(whole);
    if (!whole.Contains(middle.bytes()) || middle == whole.lower) break;
    std::pop_heap(parts.begin(), parts.end(), IsSmaller);
    parts.pop_back();
    for (const KeyRange& half : {KeyRange{whole.lower, middle}, KeyRange{middle, whole.upper}}) {
      const std::uint64_t bytes = store.FileBytes(half);
      if (bytes == 0) continue;
      parts.push_back({half, bytes});
      std::push_heap(parts.begin(), parts.end(), IsSmaller);
    }
  }
  return parts;
}

// Estimates the number and the size of the part's rows whose latest version is in a table file, and
// adds the estimate to `sum`. The sample consists of the rows at the start of the part. Returns
// false if the start of the part cannot be read.
bool AddSample(const Store& store, const FilePart& part, ContentSize* sum) {
  const CountedRange sample = CountRange(store, part.range, kSample);
  if (!sample.complete && sample.keys == 0) return false;
  const KeyRange read = {part.range.lower, sample.complete ? part.range.upper : sample.end};
  const CountedRange memory = CountRange(store, read, kSample, RowSource::kMemory);
  const double bytes = sample.complete ? 0 : static_cast<double>(store.FileBytes(read));
  const double growth = bytes > 0 ? static_cast<double>(part.file_bytes) / bytes : 1;
  Add(Difference(sample.content, memory.content), growth, sum);
  return true;
}

// Adds to `sum` the estimated number and size of the rows whose latest version is in a table file.
// Assumes that unreadable parts have as many rows per byte of the files as the readable parts.
void AddFromFiles(const Store& store, const KeyRange& range, std::size_t samples,
                  ContentSize* sum) {
  double read = 0;
  double unread = 0;
  ContentSize content;
  for (const FilePart& part : Divide(store, range, samples)) {
    (AddSample(store, part, &content) ? read : unread) += static_cast<double>(part.file_bytes);
  }
  Add(content, read > 0 ? (read + unread) / read : 1, sum);
}

// Adds to `sum` the rows whose latest version is in memory. Counts at most limits.keys rows, and
// estimates the others from RocksDB's rough number of entries in memory. Counting is fast, because
// memory holds few rows and the time to read a row does not depend on its size.
void AddFromMemory(const Store& store, const KeyRange& range, const CountLimits& limits,
                   ContentSize* sum) {
  constexpr std::size_t kAnyBytes = std::numeric_limits<std::size_t>::max();
  const CountedRange counted =
      CountRange(store, range, {.keys = limits.keys, .bytes = kAnyBytes}, RowSource::kMemory);
  const auto keys = static_cast<double>(counted.keys);
  const auto entries = static_cast<double>(store.EntriesInMemory(range));
  Add(counted.content, counted.complete || keys == 0 ? 1 : std::max(1.0, entries / keys), sum);
}

}  // namespace

CountedRange CountRange(const Store& store, const KeyRange& range, const CountLimits& limits,
                        RowSource source) {
  CountedRange counted;
  std::string last;
  const std::uint64_t passed_over_before = Cursor::KeysPassedOver();
  Cursor cursor(store, range,
                {.fills_cache = false,
                 .memory_only = source == RowSource::kMemory,
                 .passed_over_max = std::max(limits.keys, kPassedOverMax)});
  const auto keys = [&] {
    return std::max(counted.content.item_count, Cursor::KeysPassedOver() - passed_over_before);
  };
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
    if (keys() >= limits.keys || counted.bytes >= limits.bytes) break;
    const Result<ItemView> item = ItemView::Parse(cursor.value());
    counted.content.size_bytes += item.ok() ? item->size_bytes() : cursor.value().size();
    ++counted.content.item_count;
    counted.bytes += cursor.key().size() + cursor.value().size();
    last.assign(cursor.key());
  }
  counted.keys = keys();
  counted.complete = !cursor.Valid() && cursor.status().ok();
  counted.end = range.lower;
  if (counted.content.item_count > 0) {
    counted.end = EncodedKey::FromBytes(last);
    counted.end.AdvancePast();
  }
  return counted;
}

ContentSize EstimateContent(const Store& store, const KeyRange& range, const CountLimits& limits,
                            std::size_t samples) {
  ContentSize sum;
  AddFromMemory(store, range, limits, &sum);
  AddFromFiles(store, range, samples, &sum);
  return sum;
}

}  // namespace dolmen::engine
