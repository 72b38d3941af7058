// Encoders of items and values, and the sizes that DynamoDB defines for them. FORMAT.md
// (engine/storage) defines the binary form. dolmen/item_view.h reads the binary form in place.
//
// Equal values have equal bytes: maps and sets are in byte order, each number has one form, and
// each length has its shortest form. The comparison of values relies on equal bytes.
//
// The functions may be called from any thread. The caller owns the output.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "dolmen/attribute_value.h"
#include "dolmen/item_view.h"
#include "dolmen/result.h"
#include "engine/value/attribute_walk.h"

namespace dolmen::engine {

// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
inline constexpr std::uint32_t kItemBytesMax = 400 * 1024;
inline constexpr int kNestingLevelsMax = 32;
// Returns DynamoDB's error about values that nest deeper.
Status NestedTooDeep();
inline constexpr std::size_t kAttributeNameBytesMax = 65535;

// Returns the error message for an invalid name of a top-level attribute, without a prefix. Returns
// an empty string if the name is valid: UTF-8 of 1 to kAttributeNameBytesMax bytes.
std::string AttributeNameFault(std::string_view name);

// Appends the item's binary form to `*out`. On an error `*out` is unchanged. The caller checks
// the limit kItemBytesMax, because the message of that error depends on the operation. This
// function rejects only payloads of more than 16 MB.
// - kValidation, with DynamoDB's message: an attribute name or a string is not UTF-8.
// - kValidation, with DynamoDB's message: a set is empty.
// - kValidation, with DynamoDB's message: values nest deeper than `levels_max`.
// - kValidation, with DynamoDB's message: a top-level attribute name is empty.
// - kValidation, with DynamoDB's message: a name is longer than kAttributeNameBytesMax.
// - kValidation, with DynamoDB's message: a payload is larger than 16 MB.
// REQUIRES: levels_max < kReadDepthMax
Status EncodeItem(const Item& item, std::string* out, int levels_max = kNestingLevelsMax);

// Returns success or the error that EncodeItem would return for the item. Allocates nothing if the
// item is valid and all its values are strings, numbers and binaries.
Status CheckItem(const Item& item);

// Appends the payload of the value to `*out`, without the type. On an error `*out` is unchanged.
// Errors and requirements: those of EncodeItem.
Status EncodeValue(const AttributeValue& value, std::string* out,
                   int levels_max = kNestingLevelsMax);

// Returns the size of a value in bytes as DynamoDB defines it, without the attribute name.
std::uint32_t SizeOf(const AttributeView& value);

// Returns the size of an item's attributes in bytes as DynamoDB defines it, with the attribute
// names.
std::uint32_t SizeOf(const MapView& attributes);

// Returns the size of an attribute in bytes as DynamoDB defines it.
inline std::uint32_t SizeOf(std::string_view name, const AttributeView& value) {
  const bool is_text = value.Is(AttributeType::kS);  // the type of most values
  // Passes a copy of the value, so that the compiler can keep `value` in registers.
  return static_cast<std::uint32_t>(name.size()) +
         (is_text ? static_cast<std::uint32_t>(value.payload().size())
                  : SizeOf(AttributeView(value)));
}

// Writer of the binary form of an item whose values are already encoded. Not thread-safe.
class ItemWriter {
 public:
  // Begins an item at the end of `*out`, which must outlive the writer.
  explicit ItemWriter(std::string* out);

  // Appends an attribute.
  // REQUIRES: value.exists(). The names are in ascending byte order, and no name occurs twice.
  void Add(std::string_view name, const AttributeView& value);

  // Appends the current attribute of a walk over a stored item. Copies its bytes in one piece.
  // Returns false and appends nothing if the type of the attribute is damaged.
  // REQUIRES: the requirements of Add.
  bool AddStored(const AttributeWalk& attribute) {
    const AttributeView value = attribute.value();
    if (!value) return false;
    out_->append(attribute.bytes());
    ++count_;
    size_bytes_ += SizeOf(attribute.name(), value);
    return true;
  }

  // Completes the item: writes the number of attributes, and DynamoDB's size of the item.
  void Finish();

  // Removes everything that the writer has appended.
  void Abandon() { out_->resize(start_); }

 private:
  std::string* out_;
  std::size_t start_;
  std::uint32_t count_ = 0;
  std::uint32_t size_bytes_ = 0;
};

}  // namespace dolmen::engine
