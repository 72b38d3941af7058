#include "entity/cursor.h"

#include <boost/algorithm/hex.hpp>
#include <iterator>
#include <utility>

namespace dolmen::entity {
namespace {

constexpr std::size_t kLengthBytes = 2;  // enough, because a key attribute has at most 2048 bytes
constexpr std::size_t kByteBits = 8;

Status NotACursor() { return Status::Validation("The cursor was not returned by this query"); }

// Removes a length and a text of that length from the front of `*bytes`. Returns false if the
// bytes are too few.
bool TakeText(std::string_view* bytes, std::string* text) {
  if (bytes->size() < kLengthBytes) return false;
  const auto high = static_cast<unsigned char>((*bytes)[0]);
  const auto low = static_cast<unsigned char>((*bytes)[1]);
  const std::size_t size = (std::size_t{high} << kByteBits) | low;
  bytes->remove_prefix(kLengthBytes);
  if (bytes->size() < size) return false;
  *text = bytes->substr(0, size);
  bytes->remove_prefix(size);
  return true;
}

// Adds the key's attributes to the item, with empty values. The item sorts them in byte order of
// their names. EncodeCursor has written the values in the same order, so DecodeCursor can fill them
// in.
void AddNames(const KeySpec& key, Item* item) {
  (*item)[key.PartitionName()] = "";
  if (key.has_sort) (*item)[key.SortName()] = "";
}

}  // namespace

std::string EncodeCursor(const Item& last_evaluated_key) {
  std::string bytes;
  for (const auto& [name, value] : last_evaluated_key) {
    const auto* text = value.get_if<std::string>();
    if (text == nullptr) continue;  // all keys of entities are texts
    bytes += static_cast<char>(text->size() >> kByteBits);
    bytes += static_cast<char>(text->size() & 0xFF);
    bytes += *text;
  }
  return boost::algorithm::hex_lower(bytes);
}

Result<Item> DecodeCursor(std::string_view cursor, const KeySpec& primary, const KeySpec& index) {
  std::string bytes;
  try {
    boost::algorithm::unhex(cursor.begin(), cursor.end(), std::back_inserter(bytes));
  } catch (const boost::algorithm::hex_decode_error&) {
    return NotACursor();
  }
  Item key;
  AddNames(primary, &key);
  AddNames(index, &key);
  std::string_view rest = bytes;
  for (auto& [name, value] : key) {
    std::string text;
    if (!TakeText(&rest, &text)) return NotACursor();
    value = std::move(text);
  }
  if (!rest.empty()) return NotACursor();
  return key;
}

}  // namespace dolmen::entity
