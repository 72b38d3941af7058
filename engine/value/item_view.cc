#include "dolmen/item_view.h"

#include <boost/algorithm/hex.hpp>
#include <cassert>
#include <iterator>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/value/attribute_walk.h"
#include "engine/value/bytes.h"
#include "engine/value/codec.h"
#include "engine/value/copy.h"
#include "engine/value/item_form.h"
#include "engine/value/utf8.h"

namespace dolmen {
namespace engine {
namespace {

void AppendText(const AttributeView& value, int depth, std::string* out);

void AppendMapText(const MapView& map, int depth, std::string* out) {
  std::string_view separator = "{";
  for (const auto [name, value] : map) {
    out->append(separator).append(name).append(": ");
    AppendText(value, depth, out);
    separator = ", ";
  }
  out->append(map.empty() ? "{}" : "}");
}

template <typename Elements>
void AppendElementsText(const Elements& elements, std::string_view open, std::string_view close,
                        int depth, std::string* out) {
  out->append(open);
  std::string_view separator;
  for (const AttributeView value : elements) {
    out->append(separator);
    AppendText(value, depth, out);
    separator = ", ";
  }
  out->append(close);
}

void AppendText(const AttributeView& value, int depth, std::string* out) {
  if (depth > kReadDepthMax) {
    out->append("damaged");
    return;
  }
  switch (value.type()) {
    case AttributeType::kS:
      out->append("\"").append(value.payload()).append("\"");
      return;
    case AttributeType::kN: {
      const auto number = value.AsNumber();
      out->append(number ? number->ToString() : "damaged");
      return;
    }
    case AttributeType::kB:
      out->append("x\"");
      boost::algorithm::hex_lower(value.payload().begin(), value.payload().end(),
                                  std::back_inserter(*out));
      out->append("\"");
      return;
    case AttributeType::kBool:
      out->append(value.AsBool().value_or(false) ? "true" : "false");
      return;
    case AttributeType::kNull:
      out->append("null");
      return;
    case AttributeType::kM:
      return AppendMapText(value.AsMap(), depth + 1, out);
    case AttributeType::kL:
      return AppendElementsText(value.AsList(), "[", "]", depth + 1, out);
    case AttributeType::kSS:
    case AttributeType::kNS:
    case AttributeType::kBS:
      return AppendElementsText(value.AsSet(), "<<", ">>", depth + 1, out);
  }
}

std::string DisplayText(const AttributeView& value) {
  if (!value.exists()) return "absent";
  std::string text;
  AppendText(value, 0, &text);
  return ToUtf8(std::move(text));
}

std::string DisplayText(const MapView& map) {
  std::string text;
  AppendMapText(map, 0, &text);
  return ToUtf8(std::move(text));
}

}  // namespace
}  // namespace engine

using engine::ReadBlock;
using engine::ReadVarint;

namespace {

constexpr AttributeType kLastType = AttributeType::kBS;

// Reads a type byte and a payload at `*position` and moves `*position` past them. If the bytes
// before `end` are not a type and a payload, returns false and changes nothing.
bool ReadValue(const char** position, const char* end, AttributeView* value) {
  const char* p = *position;
  if (p == end) return false;
  const auto type = static_cast<unsigned char>(*p++);
  std::string_view payload;
  if (type == 0 || type > static_cast<unsigned char>(kLastType)) return false;
  if (!ReadBlock(&p, end, &payload)) return false;
  *value = AttributeView(static_cast<AttributeType>(type), payload);
  *position = p;
  return true;
}

AttributeType MemberType(AttributeType set) {
  if (set == AttributeType::kSS) return AttributeType::kS;
  return set == AttributeType::kNS ? AttributeType::kN : AttributeType::kB;
}

Status Damaged() { return Status::Corruption("a stored item is damaged"); }

// Returns true if every byte of the value is valid. Part of ItemView::Check.
bool IsSound(const AttributeView& value, int depth);

bool AreElementsSound(ElementCursor cursor, bool names, bool sorted, int depth) {
  std::string_view previous_name;
  std::string_view previous_payload;
  for (bool first = true; cursor.Next(); first = false) {
    if (names && (!first && cursor.name() <= previous_name)) return false;
    if (names && !engine::IsUtf8(cursor.name())) return false;
    if (sorted && !first && cursor.value().payload() <= previous_payload) return false;
    if (!IsSound(cursor.value(), depth)) return false;
    previous_name = cursor.name();
    previous_payload = cursor.value().payload();
  }
  return !cursor.damaged();
}

bool IsSound(const AttributeView& value, int depth) {
  if (depth > engine::kReadDepthMax) return false;
  switch (value.type()) {
    case AttributeType::kS:
      return engine::IsUtf8(value.payload());
    case AttributeType::kN:
      return Number::Decode(value.payload()).ok();
    case AttributeType::kB:
      return true;
    case AttributeType::kBool:
      return value.payload() == std::string_view("\0", 1) || value.payload() == "\1";
    case AttributeType::kNull:
      return value.payload().empty();
    case AttributeType::kM:
      return AreElementsSound(value.AsMap().cursor(), true, false, depth + 1);
    case AttributeType::kL:
      return AreElementsSound(value.AsList().cursor(), false, false, depth + 1);
    case AttributeType::kSS:
    case AttributeType::kNS:
    case AttributeType::kBS:
      return !value.AsSet().empty() &&
             AreElementsSound(value.AsSet().cursor(), false, true, depth + 1);
  }
  return false;
}

}  // namespace

std::optional<std::string_view> AttributeView::AsString() const {
  if (!Is(AttributeType::kS)) return std::nullopt;
  return payload();
}

std::optional<std::string_view> AttributeView::AsBinary() const {
  if (!Is(AttributeType::kB)) return std::nullopt;
  return payload();
}

std::optional<Number> AttributeView::AsNumber() const {
  if (!Is(AttributeType::kN)) return std::nullopt;
  const Result<Number> number = Number::Decode(payload());
  if (!number.ok()) return std::nullopt;
  return *number;
}

std::optional<std::int64_t> AttributeView::AsInt64() const {
  const std::optional<Number> number = AsNumber();
  if (!number) return std::nullopt;
  return number->ToInt64();
}

std::optional<bool> AttributeView::AsBool() const {
  if (!Is(AttributeType::kBool) || size_ != 1) return std::nullopt;
  return *data_ != 0;
}

MapView AttributeView::AsMap() const {
  return Is(AttributeType::kM) ? MapView(payload()) : MapView();
}

ListView AttributeView::AsList() const {
  return Is(AttributeType::kL) ? ListView(payload()) : ListView();
}

SetView AttributeView::AsSet() const {
  const bool is_set = Is(AttributeType::kSS) || Is(AttributeType::kNS) || Is(AttributeType::kBS);
  return is_set ? SetView(payload(), MemberType(type())) : SetView();
}

AttributeView AttributeView::operator[](std::string_view name) const { return AsMap()[name]; }

AttributeView AttributeView::operator[](std::size_t index) const { return AsList()[index]; }

Status AttributeView::Check() const { return IsSound(*this, 0) ? Status() : Damaged(); }

ElementCursor::ElementCursor(std::string_view payload, Shape shape, AttributeType type)
    : position_(payload.data()),
      end_(payload.data() + payload.size()),
      shape_(shape),
      member_type_(type) {
  damaged_ = !ReadVarint(&position_, end_, &count_);
  // Each element has at least one byte. If `count_` is greater than the number of remaining bytes,
  // the bytes are damaged. Damage sets `count_` to 0, because callers reserve memory for `count_`
  // elements.
  if (count_ > static_cast<std::uint64_t>(end_ - position_)) damaged_ = true;
  if (damaged_) count_ = 0;
  left_ = count_;
}

bool ElementCursor::Next() {
  if (left_ == 0) {
    damaged_ = damaged_ || position_ != end_;
    return false;
  }
  bool read = true;
  if (shape_ == Shape::kSet) {
    std::string_view member;
    read = ReadBlock(&position_, end_, &member);
    value_ = AttributeView(member_type_, member);
  } else {
    if (shape_ == Shape::kMap) read = ReadBlock(&position_, end_, &name_);
    read = read && ReadValue(&position_, end_, &value_);
  }
  left_ = read ? left_ - 1 : 0;
  damaged_ = !read;
  return read;
}

MapView::MapView(std::string_view payload)
    : ElementRange(ElementCursor(payload, ElementCursor::Shape::kMap, {})), payload_(payload) {}

AttributeView MapView::Find(std::string_view payload, std::string_view name) {
  if (payload.empty()) return {};
  engine::AttributeWalk attribute(payload);
  const auto has_name = [name](std::string_view found) { return engine::AreSame(found, name); };
  return attribute.NextAccepted(has_name) ? attribute.value() : AttributeView();
}

ListView::ListView(std::string_view payload)
    : ElementRange(ElementCursor(payload, ElementCursor::Shape::kList, {})) {}

AttributeView ListView::operator[](std::size_t index) const {
  ElementCursor elements = cursor();
  for (std::size_t i = 0; elements.Next(); ++i) {
    if (i == index) return elements.value();
  }
  return {};
}

SetView::SetView(std::string_view payload, AttributeType member_type)
    : ElementRange(ElementCursor(payload, ElementCursor::Shape::kSet, member_type)) {}

bool SetView::Contains(const AttributeView& value) const {
  for (const AttributeView member : *this) {
    if (member == value) return true;
  }
  return false;
}

Status ItemView::RefuseHead(std::string_view bytes) {
  static_assert(kFormat == engine::kItemFormat && kHeaderBytes == engine::kItemHeaderBytes);
  if (!bytes.empty() && bytes[0] != engine::kItemFormat) {
    return Status::UnsupportedFormat(
        "a stored item has format " + std::to_string(static_cast<unsigned char>(bytes[0])) +
        ", which this release cannot read; use a newer release of Dolmen");
  }
  return Damaged();
}

MapView ItemView::attributes() const {
  return bytes_.empty() ? MapView() : MapView(bytes_.substr(engine::kItemHeaderBytes));
}

std::uint32_t ItemView::size_bytes() const {
  if (bytes_.empty()) return 0;
  return engine::ReadLittleEndian32(bytes_.data() + engine::kItemSizeOffset);
}

Status ItemView::Check() const {
  if (bytes_.empty()) return {};
  if (!AreElementsSound(attributes().cursor(), true, false, 0)) return Damaged();
  return engine::SizeOf(attributes()) == size_bytes() ? Status() : Damaged();
}

Result<AttributeValue> AttributeView::Copy() const {
  assert(exists());
  DOLMEN_RETURN_IF_ERROR(Check());
  return engine::CopyChecked(*this);
}

Result<Item> ItemView::Copy() const {
  DOLMEN_RETURN_IF_ERROR(Check());
  return engine::CopyChecked(attributes());
}

std::string AttributeView::ToString() const { return engine::DisplayText(*this); }

std::string ItemView::ToString() const { return engine::DisplayText(attributes()); }

Result<StoredItem> StoredItem::FromBytes(std::string bytes) {
  DOLMEN_RETURN_IF_ERROR(ItemView::Parse(bytes).status());
  return StoredItem(std::move(bytes));
}

ItemView StoredItem::view() const& {
  if (bytes_.empty()) return {};
  return *ItemView::Parse(bytes_);
}

}  // namespace dolmen
