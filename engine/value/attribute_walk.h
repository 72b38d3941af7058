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
    const auto all = [](std::string_view) { return true; };
    return NextUsual(all) || NextAny();
  }

  // Moves to the next attribute whose name `accepts`, a bool(std::string_view), accepts. Returns
  // false as Next() does.
  template <typename Accepts>
  [[gnu::always_inline]] bool NextAccepted(Accepts accepts) {
    do {
      if (NextUsual(accepts)) return true;
      if (!NextAny()) return false;
    } while (!accepts(name_));
    return true;
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

  // The lengths of an attribute, and the distance from its start to the start of its payload.
  struct Lengths {
    std::size_t name_size;
    std::size_t payload_start;
    std::size_t payload_size;

    // Reads the lengths of an attribute if they have the usual number of bytes: one for the name,
    // one or two for the payload. Otherwise, or if the attribute has more than `left` bytes, returns
    // false.
    [[gnu::always_inline]] bool Read(const char* position, std::size_t left) {
      if (left == 0) return false;
      name_size = Byte(position);
      payload_start = name_size + 3;  // after two lengths and the type
      if (payload_start > left) return false;
      payload_size = Byte(position + payload_start - 1);
      if ((name_size | payload_size) >= 0x80) {
        if (name_size >= 0x80 || payload_start == left) return false;
        const std::size_t high = Byte(position + payload_start);
        if (high >= 0x80 || high == 0) return false;
        payload_size += (high - 1) << 7;  // takes away the high bit of the first byte
        ++payload_start;
      }
      return bytes() <= left;
    }
    std::size_t bytes() const { return payload_start + payload_size; }
  };

  // Makes the attribute at `position` the current one.
  void Take(const char* position, const Lengths& lengths) {
    start_ = position;
    name_ = {position + 1, lengths.name_size};
    payload_ = {position + lengths.payload_start, lengths.payload_size};
    position_ = position + lengths.bytes();
  }

  // Moves as NextAccepted() does, but stops and returns false at an attribute with unusual lengths.
  template <typename Accepts>
  [[gnu::always_inline]] bool NextUsual(Accepts accepts) {
    const char* position = position_;  // copies, so that they stay in registers
    std::uint32_t count = left_;
    Lengths lengths;
    while (count > 0 && lengths.Read(position, static_cast<std::size_t>(end_ - position))) {
      --count;
      if (accepts(std::string_view(position + 1, lengths.name_size))) {
        Take(position, lengths);
        left_ = count;
        return true;
      }
      position += lengths.bytes();
    }
    position_ = position;
    left_ = count;
    return false;
  }

  // Moves as Next() does.
  bool NextAny() {
    if (left_ == 0) return false;
    --left_;
    Parts parts;
    const char* const next = ReadAny(position_, end_, &parts);
    if (next == nullptr) {
      left_ = 0;
      damaged_ = true;
      return false;
    }
    start_ = position_;
    name_ = parts.name;
    payload_ = parts.payload;
    position_ = next;
    return true;
  }

  struct Parts {
    std::string_view name;
    std::string_view payload;
  };
  // Returns the position after the attribute, or null if a length is damaged. Not inline, so that
  // a walk over usual attributes needs fewer registers.
  [[gnu::noinline]] static const char* ReadAny(const char* position, const char* end,
                                               Parts* parts) {
    if (!ReadBlock(&position, end, &parts->name) || position == end) return nullptr;
    ++position;  // the type
    return ReadBlock(&position, end, &parts->payload) ? position : nullptr;
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
