#include "engine/value/copy.h"

#include <cassert>

namespace dolmen::engine {
namespace {

List DecodeList(const ListView& view) {
  List list;
  list.reserve(view.size());
  for (const AttributeView value : view) list.push_back(CopyChecked(value));
  return list;
}

template <typename Set, typename FromMember>
Set DecodeSet(const SetView& view, FromMember from_member) {
  Set set;
  set.reserve(view.size());
  for (const AttributeView member : view) set.insert(set.end(), from_member(member.payload()));
  return set;
}

std::string ToString(std::string_view bytes) { return std::string(bytes); }
Number ToNumber(std::string_view bytes) { return *Number::Decode(bytes); }
Binary ToBinary(std::string_view bytes) { return {std::string(bytes)}; }

}  // namespace

Map CopyChecked(const MapView& view) {
  Map map;
  map.reserve(view.size());
  for (const auto [name, value] : view) map.emplace_hint(map.end(), name, CopyChecked(value));
  return map;
}

AttributeValue CopyChecked(const AttributeView& value) {
  switch (value.type()) {
    case AttributeType::kS:
      return ToString(value.payload());
    case AttributeType::kN:
      return ToNumber(value.payload());
    case AttributeType::kB:
      return ToBinary(value.payload());
    case AttributeType::kBool:
      return *value.AsBool();
    case AttributeType::kNull:
      return nullptr;
    case AttributeType::kM:
      return CopyChecked(value.AsMap());
    case AttributeType::kL:
      return DecodeList(value.AsList());
    case AttributeType::kSS:
      return DecodeSet<StringSet>(value.AsSet(), ToString);
    case AttributeType::kNS:
      return DecodeSet<NumberSet>(value.AsSet(), ToNumber);
    case AttributeType::kBS:
      return DecodeSet<BinarySet>(value.AsSet(), ToBinary);
  }
  assert(false);
  return nullptr;
}

}  // namespace dolmen::engine
