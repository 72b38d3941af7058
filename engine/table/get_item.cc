#include <optional>
#include <string>
#include <utility>

#include "engine/expression/request_expression.h"
#include "engine/key/key_codec.h"
#include "engine/table/key_paths.h"
#include "engine/table/read.h"

namespace dolmen::engine {
namespace {

const Values kNoValues;

Result<GetItemOutput> Found(std::string bytes) {
  Result<StoredItem> item = StoredItem::FromBytes(std::move(bytes));
  if (!item.ok()) return item.status();
  return GetItemOutput{*std::move(item)};
}

Result<GetItemOutput> Read(const Store& store, const EncodedKey& row,
                           const Projection* projection) {
  PinnedValue value;
  const Result<bool> found = store.Get(row, &value);
  if (!found.ok()) return found.status();
  if (!*found) return GetItemOutput();
  if (projection == nullptr) return Found(value.ToString());
  const Result<ItemView> item = ItemView::Parse({value.data(), value.size()});
  if (!item.ok()) return item.status();
  std::string projected;
  if (Status applied = projection->Apply(*item, &projected); !applied.ok()) return applied;
  return Found(std::move(projected));
}

}  // namespace

Result<GetItemOutput> GetItem(const Store& store, const TableSchema& table,
                              const GetItemInput& input) {
  std::optional<Placeholders> placeholders;
  RequestProjection projection;
  Status bound = BindExpressions(input.names, kNoValues, &placeholders,
                                 ExpressionSlot{input.projection, &projection});
  if (!bound.ok()) return bound;
  if (projection) {
    if (Status valid = CheckKeyPaths(table, projection->paths()); !valid.ok()) return valid;
  }
  const Result<KeyBytes> key = KeyOfRequest(table.keys, input.key);
  if (!key.ok()) return key.status();
  return Read(store, RowKey(table.keyspace, table.keys, *key), projection ? &*projection : nullptr);
}

}  // namespace dolmen::engine
