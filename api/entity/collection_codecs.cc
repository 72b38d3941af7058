#include "dolmen/entity/collection_codecs.h"

namespace dolmen {

namespace entity {
namespace {

// Moves the elements to a set. Returns false if one of them is not a T.
template <typename Set>
bool MoveToSet(List* elements, AttributeValue* value) {
  using T = typename Set::value_type;
  Set set;
  for (const AttributeValue& element : *elements) {
    const auto* member = element.get_if<T>();
    if (member == nullptr) return false;
    set.insert(*member);
  }
  *value = std::move(set);
  return true;
}

}  // namespace

Status EncodeSet(List elements, AttributeValue* value) {
  if (MoveToSet<StringSet>(&elements, value) || MoveToSet<NumberSet>(&elements, value) ||
      MoveToSet<BinarySet>(&elements, value)) {
    return {};
  }
  return Status::Validation("has elements that a set cannot hold: only texts, numbers or bytes");
}

Status NoAlternative(const std::vector<Status>& errors) {
  std::string message = "is no alternative of its variant";
  for (const Status& error : errors) {
    message.append(&error == errors.data() ? ": " : "; ")
        .append(NameAttribute("it", error.message()));
  }
  return Status::Validation(message);
}

}  // namespace entity

Status AttributeCodec<std::monostate>::Encode(std::monostate /*nothing*/, AttributeValue* value) {
  *value = nullptr;
  return {};
}

Status AttributeCodec<std::monostate>::Decode(AttributeView view, std::monostate* /*nothing*/) {
  return view.IsNull() ? Status() : entity::WrongType(view, AttributeType::kNull);
}

}  // namespace dolmen
