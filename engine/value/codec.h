// Encoders of items and values, and DynamoDB's sizes of them.  FORMAT.md (engine/storage) defines
// the binary form.  dolmen/item_view.h reads it in place.
//
// Equal values have equal bytes: maps and sets are in byte order, each number has one form, and
// each length has its shortest form.  The comparison of values relies on this.
//
// The functions may be called from any thread.  They own nothing that they return.

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

// Appends the item's binary form to `*out`.  On an error `*out` is unchanged.
// The caller checks the limit kItemBytesMax, because its message depends on the operation.  This
// function rejects only payloads above 16 MB.
// - kValidation, with DynamoDB's message: an attribute name or a string is not UTF-8.
// - kValidation, with DynamoDB's message: a set is empty.
// - kValidation, with DynamoDB's message: values nest deeper than kNestingLevelsMax.
// - kValidation, with DynamoDB's message: a top-level attribute name is empty.
// - kValidation, with DynamoDB's message: a name is longer than kAttributeNameBytesMax.
// - kValidation, with DynamoDB's message: a payload is larger than 16 MB.
Status EncodeItem(const Item& item, std::string* out);

// Returns the status that EncodeItem returns for the item.  Allocates nothing if all values are
// strings, numbers and binaries without an error.
Status CheckItem(const Item& item);

// Appends the value's payload, without its type, to `*out`.  On an error `*out` is unchanged.
// Errors: those of EncodeItem.
Status EncodeValue(const AttributeValue& value, std::string* out);

// Returns DynamoDB's size of a value in bytes, without the attribute name.
std::uint32_t SizeOf(const AttributeView& value);

// Returns DynamoDB's size of an item's attributes in bytes, with their names.
std::uint32_t SizeOf(const MapView& attributes);

// Writer of an item's binary form from values that are already encoded.  Not thread-safe.
class ItemWriter {
 public:
  // Begins an item of exactly `count` attributes at the end of `*out`, which outlives the writer.
  ItemWriter(std::size_t count, std::string* out);

  // Appends an attribute.
  // REQUIRES: value.exists().  Names are added in ascending byte order, each one once.
  void Add(std::string_view name, const AttributeView& value);

  // Appends an attribute of a stored item with one copy of its bytes.
  // REQUIRES: those of Add, and `name` and `value` are views into the bytes of one stored item.
  void AddStored(std::string_view name, const AttributeView& value);

  // Completes the item: writes its size into its header.
  // REQUIRES: Add and AddStored were called `count` times in all.
  void Finish();

 private:
  std::string* out_;
  std::size_t start_;
  std::uint32_t size_bytes_ = 0;
};

}  // namespace dolmen::engine
