#include "engine/verify/key_text.h"

#include <boost/algorithm/hex.hpp>
#include <optional>

#include "engine/key/encoded_key.h"

namespace dolmen::engine {
namespace {

template <typename ValueOf>
std::string Text(const KeySchema& keys, ValueOf value_of) {
  std::string text = "{";
  for (const KeyAttribute& attribute : keys.attributes()) {
    if (text.size() > 1) text.append(", ");
    text.append(attribute.name).append(": ").append(value_of(attribute));
  }
  return text.append("}");
}

}  // namespace

std::string KeyText(const KeySchema& keys, std::string_view row) {
  const std::optional<std::string> partition = FirstAttribute(row);
  if (!partition) return "x\"" + boost::algorithm::hex_lower(std::string(row)) + "\"";
  const std::string_view sort = row.substr(PrefixBytes(row, 1));
  return Text(keys, [&](const KeyAttribute& attribute) {
    const bool is_sort = !keys.sort().empty() && attribute.name == keys.sort()[0].name;
    return AttributeView(attribute.type, is_sort ? sort : *partition).ToString();
  });
}

std::string KeyText(const KeySchema& keys, const ItemView& item) {
  return Text(keys, [&](const KeyAttribute& attribute) { return item[attribute.name].ToString(); });
}

}  // namespace dolmen::engine
