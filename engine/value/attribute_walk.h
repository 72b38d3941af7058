// A walk over the stored attributes of an item or a map. It does the work of ElementCursor with
// fewer instructions, because the compiler keeps its state in registers. Use it where a read looks
// at each attribute of many items.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "dolmen/internal/lifetime.h"
#include "dolmen/item_view.h"
#include "engine/value/bytes.h"
#include "engine/value/item_form.h"

namespace dolmen::engine {

// A walk in stored order. For one thread. Never reads outside the payload, whatever its bytes are.
class AttributeWalk {
 public:
  // Starts before the first attribute of a map's payload.
  explicit AttributeWalk(std::string_view payload DOLMEN_LIFETIME_BOUND)
      : end_(payload.data() + payload.size()) {
    const char* position = payload.data();
    std::uint32_t count = 0;
    damaged_ = !ReadVarint(&position, end_, &count);
    position_ = position;
    left_ = count;
  }
  // Starts before the first attribute of the item.
  explicit AttributeWalk(const ItemView& item)
      : AttributeWalk(item.bytes().empty() ? std::string_view("", 1)
                                           : item.bytes().substr(kItemHeaderBytes)) {}

  // Moves to the next attribute; the first call moves to the first attribute. Returns false at the
  // end, and if a length is damaged. Does not check the type.
  bool Next() {
    if (left_ == 0) return false;
    --left_;
    start_ = position_;
    if (ReadUsual() || ReadAny()) return true;
    left_ = 0;
    damaged_ = true;
    return false;
  }

  // The following methods describe the current attribute. REQUIRES: Next() returned true.

  std::string_view name() const { return name_; }
  // Returns an absent view if the type is damaged.
  AttributeView value() const {
    constexpr auto kLast = static_cast<unsigned char>(AttributeType::kBS);
    const unsigned char type = Byte(name_.data() + name_.size());
    if (type == 0 || type > kLast) return {};
    return {static_cast<AttributeType>(type), payload_};
  }
  // Returns the bytes of the name and the value.
  std::string_view bytes() const { return {start_, static_cast<std::size_t>(position_ - start_)}; }

  // Returns true if Next() found a damaged length, or if the payload continues after its last
  // attribute, at which the walk is.
  bool damaged() const { return damaged_ || (left_ == 0 && position_ != end_); }

 private:
  static unsigned char Byte(const char* p) { return static_cast<unsigned char>(*p); }

  // Reads an attribute whose lengths have the usual number of bytes: one for the name, one or two
  // for the value. Otherwise returns false and changes nothing.
  bool ReadUsual() {
    const auto left = static_cast<std::size_t>(end_ - position_);
    if (left == 0) return false;
    const std::size_t name_size = Byte(position_);
    std::size_t value_start = name_size + 3;  // after two lengths and the type
    if (name_size >= 0x80 || value_start > left) return false;
    std::size_t value_size = Byte(position_ + value_start - 1);
    if (value_size >= 0x80) {
      if (value_start == left) return false;
      const std::size_t high = Byte(position_ + value_start);
      if (high >= 0x80 || high == 0) return false;
      value_size += (high - 1) << 7;  // takes away the high bit of the first byte
      ++value_start;
    }
    if (value_start + value_size > left) return false;
    name_ = {position_ + 1, name_size};
    payload_ = {position_ + value_start, value_size};
    position_ += value_start + value_size;
    return true;
  }

  // Reads any attribute.
  bool ReadAny() {
    const char* position = position_;  // a copy, so that *this stays in registers
    std::string_view name;
    std::string_view payload;
    if (!ReadBlock(&position, end_, &name) || position == end_) return false;
    ++position;  // the type
    if (!ReadBlock(&position, end_, &payload)) return false;
    name_ = name;
    payload_ = payload;
    position_ = position;
    return true;
  }

  const char* position_ = nullptr;
  const char* end_;
  const char* start_ = nullptr;  // of the current attribute
  std::string_view name_;
  std::string_view payload_;
  std::uint32_t left_ = 0;
  bool damaged_ = false;
};

}  // namespace dolmen::engine
