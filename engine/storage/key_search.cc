#include "engine/storage/key_search.h"

#include <algorithm>
#include <string_view>

namespace dolmen::engine {
namespace {

EncodedKey Extend(const EncodedKey& key, unsigned byte) {
  EncodedKey extended = key;
  const char last = static_cast<char>(byte);
  extended.AppendRaw({&last, 1});
  return extended;
}

EncodedKey CommonStart(const KeyRange& range) {
  const std::string_view lower = range.lower.bytes();
  const std::string_view upper = range.upper.bytes();
  const auto differs = std::mismatch(lower.begin(), lower.end(), upper.begin(), upper.end()).first;
  return EncodedKey::FromBytes({lower.begin(), differs});
}

}  // namespace

// Finds the last key before the border byte by byte, and finds each byte by binary search. `start`
// holds the bytes of this key that are found. If the results of `is_past_border` change during the
// search, `start` may differ from this key. Returns the least tested key that is past the border.
std::optional<EncodedKey> FirstKeyPastBorder(const KeyRange& range,
                                             const IsPastBorder& is_past_border) {
  if (range.upper <= range.lower || !is_past_border(range.upper)) return std::nullopt;
  EncodedKey past_border = range.upper;  // the least key found past the border
  const auto is_before = [&](const EncodedKey& key) {
    if (key <= range.lower) return true;
    if (key >= past_border) return false;
    if (!is_past_border(key)) return true;
    past_border = key;
    return false;
  };
  EncodedKey start = CommonStart(range);
  while (is_before(Extend(start, 0))) {
    unsigned before = 0;
    unsigned end = 256;
    while (before + 1 < end) {
      const unsigned middle = (before + end) / 2;
      (is_before(Extend(start, middle)) ? before : end) = middle;
    }
    // If `end` is 256, every key that extends `start` by one byte is before the border. Either the
    // last key before the border continues with the byte FF, or the border has moved and lies after
    // all keys that begin with `start`. In the second case the loop would never end, so the search
    // stops here.
    if (end == 256 && !is_past_border(past_border)) break;
    start = Extend(start, before);
  }
  return past_border;
}

}  // namespace dolmen::engine
