#include "engine/value/stored_form.h"

#include <algorithm>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/value/codec.h"

namespace dolmen::internal {

Status AppendStored(const Item& item, std::string* out) { return engine::EncodeItem(item, out); }

Status AppendStored(const AttributeValue& value, std::string* out) {
  return engine::EncodeValue(value, out);
}

Result<StoredItem> ToStored(const Item& item) {
  std::string bytes;
  DOLMEN_RETURN_IF_ERROR(AppendStored(item, &bytes));
  return StoredItem::FromBytes(std::move(bytes));
}

bool HasKey(const ItemView& item, const Item& key) {
  return std::ranges::all_of(key, [&](const auto& attribute) {
    const AttributeView stored = item[attribute.first];
    if (!stored.exists()) return false;
    const Result<AttributeValue> value = stored.Copy();
    return value.ok() && *value == attribute.second;
  });
}

}  // namespace dolmen::internal
