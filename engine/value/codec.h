// Items and values to and from their binary form.  FORMAT.md (engine/storage) has the bytes;
// reading in place is dolmen/item_view.h's.
//
// Equal values have equal bytes: maps and sets are in byte order, numbers have one form, lengths
// are as short as they can be.  Comparing values relies on it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "dolmen/attribute_value.h"
#include "dolmen/item_view.h"
#include "dolmen/status.h"

namespace dolmen::engine {

// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
inline constexpr std::uint32_t kItemBytesMax = 400 * 1024;
inline constexpr int kNestingLevelsMax = 32;
inline constexpr std::size_t kAttributeNameBytesMax = 65535;

// Appends the item's binary form to `*out`.
// kValidation, with DynamoDB's message, if a value is not one that DynamoDB stores: a string that
// is not UTF-8, an empty set, too deep a nesting, a name that is empty or too long.  `*out` is then
// as it was.  The size limit is the caller's to check, as its message depends on the operation.
Status EncodeItem(const Item& item, std::string* out);

// What EncodeItem says of the item.
Status CheckItem(const Item& item);

// Appends the value's payload, without its type, to `*out`; errors as EncodeItem.
Status EncodeValue(const AttributeValue& value, std::string* out);

// DynamoDB's size of a value in bytes, without its name.
std::uint32_t SizeOf(const AttributeView& value);

// And of all attributes of an item, with their names.
std::uint32_t SizeOf(const MapView& attributes);

// Writes an item's binary form from values that are encoded already.
class ItemWriter {
 public:
  // Appends to `*out`, which outlives the writer, an item of exactly `count` attributes.
  ItemWriter(std::size_t count, std::string* out);

  // REQUIRES: value.exists(); names come in byte order, each once.
  void Add(std::string_view name, const AttributeView& value);

  // The same for an attribute of a stored item: `name` and `value` are views into its bytes, which
  // are copied as they lie there.
  void AddStored(std::string_view name, const AttributeView& value);

  // Completes the item.  REQUIRES: `count` calls of Add.
  void Finish();

 private:
  std::string* out_;
  std::size_t start_;
  std::uint32_t size_bytes_ = 0;
};

}  // namespace dolmen::engine
