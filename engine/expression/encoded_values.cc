#include "engine/expression/encoded_values.h"

#include "engine/base/status_macros.h"
#include "engine/value/bytes.h"
#include "engine/value/codec.h"
#include "engine/value/utf8.h"

namespace dolmen::engine {

Status EncodedValues::Add(const AttributeValue& value, int levels_max) {
  const auto* const text = value.get_if<std::string>();
  if (text != nullptr && IsUtf8(*text)) {
    text_bytes_ += text->size();
    places_.push_back({text->data(), 0, text->size(), AttributeType::kS});
    return {};
  }
  const std::size_t start = bytes_.size();
  DOLMEN_RETURN_IF_ERROR(EncodeValue(value, &bytes_, levels_max));
  places_.push_back({nullptr, start, bytes_.size() - start, value.type()});
  return {};
}

void EncodedValues::AppendTo(std::string* out) const {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const AttributeView value = (*this)[i];
    out->push_back(static_cast<char>(value.type()));
    AppendBlock(value.payload(), out);
  }
}

}  // namespace dolmen::engine
