// Items that are read in place. A view finds an attribute in an item's stored bytes without
// decoding the other attributes. A StoredItem owns the bytes.
//
//   for (ItemView message : *page) {
//     std::cout << message["body"].AsString().value_or("") << '\n';
//     const std::optional<std::int64_t> likes = message["counts"]["likes"].AsInt64();
//     for (AttributeView tag : message["tags"].AsSet()) std::cout << tag.ToString();
//   }
//
// A view borrows the bytes and is as small as a pointer and a size, so pass it by value. It is
// valid as long as the bytes are. The comment of each method that returns a view says which calls
// invalidate the view. To keep or change the value, call Copy().
//
// A view can read any bytes safely: it never reads outside them. It shows damaged bytes as absent
// attributes; Check() reports the damage. RocksDB has already verified the checksums of items that
// Dolmen returns from a table.
//
// Const methods of all classes here are thread-safe.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "dolmen/attribute_value.h"
#include "dolmen/internal/end_of_range.h"
#include "dolmen/internal/lifetime.h"
#include "dolmen/result.h"

namespace dolmen {

class MapView;
class ListView;
class SetView;

// A borrowed attribute value, or an absent one. A lookup of an attribute that does not exist
// returns an absent view. A lookup in an absent view returns an absent view, too, so lookups can
// be chained without checks: item["address"]["city"]. An attribute of type NULL is not absent.
class DOLMEN_VIEW AttributeView {
 public:
  // Makes an absent view.
  AttributeView() = default;

  // Makes a view of a value. `payload` is the value's stored form without the type
  // (engine/storage/FORMAT.md), and must outlive the view.
  AttributeView(AttributeType type, std::string_view payload DOLMEN_LIFETIME_BOUND)
      : data_(payload.data()),
        size_(static_cast<std::uint32_t>(payload.size())),
        type_(static_cast<std::uint8_t>(type)) {}

  // Returns false if the view is absent.
  bool exists() const { return type_ != 0; }
  explicit operator bool() const { return exists(); }

  // Returns the value's type. REQUIRES: exists()
  AttributeType type() const { return static_cast<AttributeType>(type_); }
  // Returns true if the value exists and has this type.
  bool Is(AttributeType type) const { return type_ == static_cast<std::uint8_t>(type); }

  // Return the value if it exists, has the type in the function's name and is intact; otherwise
  // nothing. A string_view is valid as long as the viewed bytes are.
  std::optional<std::string_view> AsString() const;
  std::optional<std::string_view> AsBinary() const;
  std::optional<Number> AsNumber() const;
  // Returns the number as an integer. Returns nothing if the value is not a number, has a fraction
  // or needs more than 64 bits.
  std::optional<std::int64_t> AsInt64() const;
  std::optional<bool> AsBool() const;
  bool IsNull() const { return Is(AttributeType::kNull); }

  // Return the elements; no elements if the value is absent or has a different type. AsSet()
  // accepts SS, NS and BS.
  MapView AsMap() const;
  ListView AsList() const;
  SetView AsSet() const;

  // Return the element of a map or of a list; an absent view if the value has a different type or
  // lacks the element. A lookup takes time in proportion to the number of elements before the
  // returned element.
  AttributeView operator[](std::string_view name) const;
  AttributeView operator[](std::size_t index) const;

  // Returns an owned copy, for keeping or changing. REQUIRES: exists()
  // - kCorruption: the bytes are damaged.
  Result<AttributeValue> Copy() const;

  // Checks every byte of the value, nested ones included. REQUIRES: exists()
  // - kCorruption: the bytes are damaged.
  Status Check() const;

  // Returns a text for people and logs: "text", 12, true, null, {name: "Ann"}, [1, 2], <<"a", "b">>
  // for a set, x"00ff" for bytes, and `absent`. The format may change.
  std::string ToString() const;

  // Returns the value's stored form without its type. For S and B these are the text or the bytes.
  std::string_view payload() const { return {data_, size_}; }

  // Returns true if both values have the same type and are equal. Equal values have equal bytes,
  // so the comparison is one memcmp. Two absent views are equal.
  friend bool operator==(const AttributeView& a, const AttributeView& b) {
    return a.type_ == b.type_ && a.size_ == b.size_ &&
           std::char_traits<char>::compare(a.data_, b.data_, a.size_) == 0;
  }

 private:
  const char* data_ = nullptr;
  std::uint32_t size_ = 0;
  std::uint8_t type_ = 0;  // 0: absent
};

// A walk over the elements of a map, list or set in stored order. MapView, ListView and SetView
// are easier to use. Only a cursor shows whether the walk ended at damaged bytes.
class ElementCursor {
 public:
  enum class Shape : std::uint8_t { kMap, kList, kSet };

  ElementCursor() = default;
  // Starts before the first element of `payload`. `type` is the type of a set's members; ignored
  // for maps and lists.
  ElementCursor(std::string_view payload DOLMEN_LIFETIME_BOUND, Shape shape, AttributeType type);

  // Moves to the next element; the first call moves to the first element. Returns false at the end
  // and at damaged bytes.
  bool Next();

  // The value of the current element, and in a map its name. REQUIRES: Next() returned true.
  std::string_view name() const { return name_; }
  AttributeView value() const { return value_; }

  // The number of elements, as stored before the first element. 0 if the stored number is damaged:
  // if it cannot be read, or is greater than the number of bytes after it.
  std::size_t count() const { return count_; }

  // True if a call of Next() found damaged bytes.
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

// The common base of the three element views: size and iteration. A range-for ends early at
// damaged bytes. To detect damage, walk with cursor() instead.
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
    friend bool operator==(const Iterator& it, internal::EndOfRange) { return it.done_; }

   private:
    ElementCursor cursor_;
    bool done_ = true;
  };

  ElementRange() = default;
  explicit ElementRange(ElementCursor cursor) : cursor_(cursor) {}

  // Iterate over the elements. Each begin() starts a new walk. Iterators are input iterators and
  // are valid as long as the viewed bytes are.
  Iterator begin() const { return Iterator(cursor_); }
  internal::EndOfRange end() const { return {}; }

  // Returns the number of elements as stored; takes constant time.
  std::size_t size() const { return cursor_.count(); }
  bool empty() const { return size() == 0; }

  // Returns a cursor before the first element.
  ElementCursor cursor() const { return cursor_; }

 private:
  ElementCursor cursor_;
};

// The attributes of an item or a map, in byte order of their names.
//
//   for (const auto [name, value] : item) std::cout << name << ": " << value.ToString();
class DOLMEN_VIEW MapView
    : public ElementRange<MapView, std::pair<std::string_view, AttributeView>> {
 public:
  MapView() = default;  // no attributes
  explicit MapView(std::string_view payload DOLMEN_LIFETIME_BOUND);

  // Returns the attribute, or an absent view. Takes time in proportion to the number of attributes
  // before it.
  AttributeView operator[](std::string_view name) const { return Find(payload_, name); }

  static std::pair<std::string_view, AttributeView> ElementAt(const ElementCursor& cursor) {
    return {cursor.name(), cursor.value()};
  }

 private:
  friend class ItemView;
  static AttributeView Find(std::string_view payload, std::string_view name);

  std::string_view payload_;
};

// The elements of a list, in order.
class DOLMEN_VIEW ListView : public ElementRange<ListView, AttributeView> {
 public:
  ListView() = default;  // no elements
  explicit ListView(std::string_view payload DOLMEN_LIFETIME_BOUND);

  // Returns the element, or an absent view if the index is past the end. Walks from the start, so
  // use a range-for to loop over all elements.
  AttributeView operator[](std::size_t index) const;

  static AttributeView ElementAt(const ElementCursor& cursor) { return cursor.value(); }
};

// The members of an SS, NS or BS, each as a value of type S, N or B. The order has no meaning.
class DOLMEN_VIEW SetView : public ElementRange<SetView, AttributeView> {
 public:
  SetView() = default;  // no members
  // REQUIRES: `member_type` is kS, kN or kB.
  SetView(std::string_view payload DOLMEN_LIFETIME_BOUND, AttributeType member_type);

  // Returns true if a member has the type and the value of `value`. Takes linear time.
  bool Contains(const AttributeView& value) const;

  static AttributeView ElementAt(const ElementCursor& cursor) { return cursor.value(); }
};

// A borrowed item in its stored form.
class DOLMEN_VIEW ItemView {
 public:
  ItemView() = default;  // an item without attributes

  // Makes a view of `bytes`, which must outlive the view. Checks only the item's header, which
  // takes a few instructions. Check() checks every byte.
  // - kCorruption: the bytes do not begin with an item's header.
  // - kUnsupportedFormat: a newer release of Dolmen wrote the item.
  static Result<ItemView> Parse(std::string_view bytes DOLMEN_LIFETIME_BOUND) {
    if (bytes.size() > kHeaderBytes && bytes[0] == kFormat) return ItemView(bytes);
    return RefuseHead(bytes);
  }

  // Returns the attribute, or an absent view. The attributes in front of it are skipped, not
  // decoded.
  AttributeView operator[](std::string_view name) const {
    if (bytes_.empty()) return {};
    return MapView::Find(bytes_.substr(kHeaderBytes), name);
  }

  // Returns all attributes, in byte order of their names.
  MapView attributes() const;

  // Iterate over the attributes: for (const auto [name, value] : item).
  MapView::Iterator begin() const { return attributes().begin(); }
  internal::EndOfRange end() const { return {}; }

  // Returns DynamoDB's size of the item in bytes, names and values. The limit of 400 KB and the
  // consumed capacity count this size. It is stored with the item, so the call is cheap.
  // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
  std::uint32_t size_bytes() const;

  // Checks every byte of the item.
  // - kCorruption: the bytes are damaged.
  Status Check() const;

  // Returns an owned copy, for keeping or changing.
  // - kCorruption: the bytes are damaged.
  Result<Item> Copy() const;

  // Returns a text for people and logs: {PK: "USER#1", age: 42}. The format may change.
  std::string ToString() const;

  // Returns the stored form; empty for a view that was default-constructed.
  std::string_view bytes() const { return bytes_; }

 private:
  static constexpr char kFormat = 1;
  static constexpr std::size_t kHeaderBytes = 5;

  explicit ItemView(std::string_view bytes) : bytes_(bytes) {}
  static Status RefuseHead(std::string_view bytes);

  std::string_view bytes_;
};

// An item in its stored form that owns its bytes. Reads of single items return it. A value type;
// copying copies the bytes.
class DOLMEN_OWNER StoredItem {
 public:
  StoredItem() = default;  // an item without attributes

  // Makes an item from its stored form.
  // - kCorruption: the bytes do not begin with an item's header.
  // - kUnsupportedFormat: a newer release of Dolmen wrote the item.
  static Result<StoredItem> FromBytes(std::string bytes);

  // Returns a view of the item. The view, and all views taken from it, are valid until this
  // StoredItem is moved from, assigned to or destroyed. The method cannot be called on a
  // temporary.
  ItemView view() const& DOLMEN_LIFETIME_BOUND;
  ItemView view() const&& = delete;

  // Returns the attribute, or an absent view. The returned view is valid until this StoredItem is
  // moved from, assigned to or destroyed.
  AttributeView operator[](std::string_view name) const& DOLMEN_LIFETIME_BOUND {
    return view()[name];
  }
  AttributeView operator[](std::string_view name) const&& = delete;

  // Call the method of the same name on view() and return its result.
  Result<Item> Copy() const { return view().Copy(); }
  std::string ToString() const { return view().ToString(); }

  // Moves the bytes out, so that the next read can reuse their memory. Invalidates all views.
  // Afterwards the StoredItem can only be assigned to or destroyed.
  std::string TakeBytes() && { return std::move(bytes_); }

 private:
  explicit StoredItem(std::string&& bytes) : bytes_(std::move(bytes)) {}

  std::string bytes_;
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
