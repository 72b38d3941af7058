#include <optional>
#include <string>
#include <utility>

#include "engine/expression/parser.h"
#include "engine/expression/placeholders.h"
#include "engine/expression/projection.h"
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
  auto placeholders = Placeholders::Make(
      input.names, kNoValues, {{ExpressionKind::kProjection, !input.projection.empty()}});
  if (!placeholders.ok()) return placeholders.status();
  std::optional<ProjectionSyntax> syntax;
  std::optional<Projection> projection;
  if (!input.projection.empty()) {
    auto parsed = ParseProjection(input.projection);
    if (!parsed.ok()) return parsed.status();
    syntax.emplace(*std::move(parsed));
    auto bound = BindProjection(*syntax, *placeholders);
    if (!bound.ok()) return bound.status();
    projection.emplace(*std::move(bound));
    if (Status valid = CheckKeyPaths(table, projection->paths()); !valid.ok()) return valid;
  }
  if (Status used = placeholders->CheckAllUsed(); !used.ok()) return used;
  const Result<KeyBytes> key = KeyOfRequest(table.keys, input.key);
  if (!key.ok()) return key.status();
  return Read(store, RowKey(table.keyspace, table.keys, *key), projection ? &*projection : nullptr);
}

}  // namespace dolmen::engine
