// Items read in place: views of an item's stored bytes that find an attribute without decoding the
// others, and StoredItem, which owns such bytes.
//
// A view is a pointer pair; copy it freely.  It lives as long as the bytes it looks at: the comment
// of whatever returned it says which call ends its life.  Reading never goes outside those bytes,
// whatever they hold; damaged bytes read as absent attributes, and Check() tells them from good
// ones.
//
// Const methods may be called from any thread.

#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "dolmen/attribute_value.h"
#include "dolmen/lifetime.h"
#include "dolmen/result.h"

namespace dolmen {

class MapView;
class ListView;
class SetView;

// A borrowed attribute value, or none: looking up what is not there gives an absent view, and
// everything asked of an absent view is absent too, so paths chain: item["address"]["city"].
class AttributeView {
 public:
  AttributeView() = default;  // absent
  // `payload` is in the binary form of FORMAT.md and must outlive the view.
  AttributeView(AttributeType type, std::string_view payload DOLMEN_LIFETIME_BOUND)
      : data_(payload.data()),
        size_(static_cast<std::uint32_t>(payload.size())),
        type_(static_cast<std::uint8_t>(type)) {}

  bool exists() const { return type_ != 0; }
  explicit operator bool() const { return exists(); }

  // REQUIRES: exists()
  AttributeType type() const { return static_cast<AttributeType>(type_); }
  bool Is(AttributeType type) const { return type_ == static_cast<std::uint8_t>(type); }

  // The value if it has that type, else nothing.
  std::optional<std::string_view> AsString() const;
  std::optional<std::string_view> AsBinary() const;
  std::optional<Number> AsNumber() const;
  std::optional<std::int64_t> AsInt64() const;  // nothing, too, if it is no 64-bit integer
  std::optional<bool> AsBool() const;
  bool IsNull() const { return Is(AttributeType::kNull); }

  // The elements; none if it has another type.
  MapView AsMap() const;
  ListView AsList() const;
  SetView AsSet() const;

  // The element of a map, or of a list; absent if there is none.
  AttributeView operator[](std::string_view name) const;
  AttributeView operator[](std::size_t index) const;

  // An owned copy, for keeping or changing.  kCorruption if the bytes are damaged.
  // REQUIRES: exists()
  Result<AttributeValue> Copy() const;

  // Walks everything: kCorruption unless each byte is as a value's should be.  REQUIRES: exists()
  Status Check() const;

  // For people: "text", 12, true, null, {name: "Ann"}, [1, 2], <<"a", "b">>, x"00ff"; absent.
  std::string ToString() const;

  // The value's binary form without its type.
  std::string_view payload() const { return {data_, size_}; }

  // Same type and equal value.  Equal values have equal bytes, so this is one memcmp.
  // Two absent views are equal to each other.
  friend bool operator==(const AttributeView& a, const AttributeView& b) {
    return a.type_ == b.type_ && a.payload() == b.payload();
  }

 private:
  const char* data_ = nullptr;
  std::uint32_t size_ = 0;
  std::uint8_t type_ = 0;  // 0: absent
};

// Walks the elements of a map, list or set in stored order; ends early at damaged bytes, and then
// damaged() is true.
class ElementCursor {
 public:
  enum class Shape : std::uint8_t { kMap, kList, kSet };

  ElementCursor() = default;
  // `type` is the members' type, for sets only.
  ElementCursor(std::string_view payload DOLMEN_LIFETIME_BOUND, Shape shape, AttributeType type);

  // Moves to the next element, at first to the first one; false at the end.
  bool Next();

  std::string_view name() const { return name_; }  // maps only
  AttributeView value() const { return value_; }
  std::size_t count() const { return count_; }  // elements in all, as the bytes claim
  bool damaged() const { return damaged_; }

 private:
  const char* position_ = nullptr;
  const char* end_ = nullptr;
  std::string_view name_;
  AttributeView value_;
  std::uint32_t count_ = 0;
  std::uint32_t left_ = 0;
  Shape shape_ = Shape::kList;
  AttributeType member_type_ = AttributeType::kS;
  bool damaged_ = false;
};

// What the three element views share: size and range-for.
template <typename Derived, typename Element>
class ElementRange {
 public:
  class Iterator {
   public:
    using value_type = Element;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    explicit Iterator(ElementCursor cursor) : cursor_(cursor) { ++*this; }
    Element operator*() const { return Derived::ElementAt(cursor_); }
    Iterator& operator++() {
      done_ = !cursor_.Next();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& it, std::default_sentinel_t) { return it.done_; }

   private:
    ElementCursor cursor_;
    bool done_ = true;
  };

  ElementRange() = default;
  explicit ElementRange(ElementCursor cursor) : cursor_(cursor) {}

  Iterator begin() const { return Iterator(cursor_); }
  std::default_sentinel_t end() const { return {}; }
  std::size_t size() const { return cursor_.count(); }
  bool empty() const { return size() == 0; }
  ElementCursor cursor() const { return cursor_; }

 private:
  ElementCursor cursor_;
};

// Attributes by name, in byte order of the names: for (auto [name, value] : item) ...
class MapView : public ElementRange<MapView, std::pair<std::string_view, AttributeView>> {
 public:
  MapView() = default;
  explicit MapView(std::string_view payload DOLMEN_LIFETIME_BOUND);

  AttributeView operator[](std::string_view name) const;

  static std::pair<std::string_view, AttributeView> ElementAt(const ElementCursor& cursor) {
    return {cursor.name(), cursor.value()};
  }

 private:
  std::string_view payload_;
};

class ListView : public ElementRange<ListView, AttributeView> {
 public:
  ListView() = default;
  explicit ListView(std::string_view payload DOLMEN_LIFETIME_BOUND);

  AttributeView operator[](std::size_t index) const;

  static AttributeView ElementAt(const ElementCursor& cursor) { return cursor.value(); }
};

// The members of a set, each with the type of its members; in byte order, which is no promise.
class SetView : public ElementRange<SetView, AttributeView> {
 public:
  SetView() = default;
  // `member_type` is kS, kN or kB.
  SetView(std::string_view payload DOLMEN_LIFETIME_BOUND, AttributeType member_type);

  // Whether a member equals `value`, type included.
  bool Contains(const AttributeView& value) const;

  static AttributeView ElementAt(const ElementCursor& cursor) { return cursor.value(); }
};

// A whole item in its stored form.
class ItemView {
 public:
  ItemView() = default;  // an item without attributes

  // Looks at the head of `bytes` only.  kCorruption if it is not an item's, kUnsupportedFormat if a
  // newer release wrote it.
  static Result<ItemView> Parse(std::string_view bytes DOLMEN_LIFETIME_BOUND) {
    if (bytes.size() > kHeaderBytes && bytes[0] == kFormat) return ItemView(bytes);
    return RefuseHead(bytes);
  }

  // The attribute, or an absent view.
  AttributeView operator[](std::string_view name) const { return attributes()[name]; }

  // All attributes, in byte order of their names.
  MapView attributes() const;
  MapView::Iterator begin() const { return attributes().begin(); }
  std::default_sentinel_t end() const { return {}; }

  // DynamoDB's size of the item in bytes (names and values), which limits and capacity count.
  // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
  std::uint32_t size_bytes() const;

  // Walks everything: kCorruption unless each byte is as an item's should be.
  Status Check() const;

  // An owned copy.  kCorruption if the bytes are damaged.
  Result<Item> Copy() const;

  // For people: {PK: "USER#1", age: 42}.
  std::string ToString() const;

  // The stored form; empty for an item without attributes.
  std::string_view bytes() const { return bytes_; }

 private:
  static constexpr char kFormat = 1;
  static constexpr std::size_t kHeaderBytes = 5;

  explicit ItemView(std::string_view bytes) : bytes_(bytes) {}
  static Status RefuseHead(std::string_view bytes);

  std::string_view bytes_;
};

// An item in its stored form that owns its bytes: what a read returns.
class StoredItem {
 public:
  StoredItem() = default;
  // kCorruption, kUnsupportedFormat: as ItemView::Parse.
  static Result<StoredItem> FromBytes(std::string bytes);

  // Views live until this StoredItem is moved from, assigned or destroyed.
  ItemView view() const& DOLMEN_LIFETIME_BOUND;
  ItemView view() const&& = delete;
  AttributeView operator[](std::string_view name) const& DOLMEN_LIFETIME_BOUND {
    return view()[name];
  }
  AttributeView operator[](std::string_view name) const&& = delete;

  Result<Item> Copy() const { return view().Copy(); }
  std::string ToString() const { return view().ToString(); }

  // Its bytes, for another item in their memory.  Views die; this is then to be assigned.
  std::string TakeBytes() && { return std::move(bytes_); }

 private:
  explicit StoredItem(std::string bytes) : bytes_(std::move(bytes)) {}

  std::string bytes_;
};

}  // namespace dolmen
