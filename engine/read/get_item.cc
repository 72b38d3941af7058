#include "engine/read/get_item.h"

#include <string>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/key/key_codec.h"
#include "engine/read/capacity.h"
#include "engine/read/read_context.h"
#include "engine/schema/key_paths.h"
#include "engine/value/codec.h"

namespace dolmen::engine {
namespace {

const Values kNoValues;

}  // namespace

Status GetProjection::Validate(std::span<const Item> keys, const ProjectionExpression& source,
                               const Names& names) {
  for (const Item& key : keys) {
    DOLMEN_RETURN_IF_ERROR(CheckItem(key));
  }
  return BindExpressions(names, kNoValues, &placeholders, ExpressionSlot{source, &projection});
}

Status GetProjection::CheckKeyUses(const TableSchema& table) const {
  return projection ? CheckKeyPaths(table, projection->paths()) : Status();
}

Status GetProjection::Apply(const ItemView& item, StoredItem* output) const {
  std::string bytes = std::move(*output).TakeBytes();
  if (projection) {
    bytes.clear();
    DOLMEN_RETURN_IF_ERROR(projection->Apply(item, &bytes));
  } else {
    bytes = item.bytes();
  }
  DOLMEN_ASSIGN_OR_RETURN(*output, StoredItem::FromBytes(std::move(bytes)));
  return {};
}

Result<EncodedKey> RowOfRequest(const TableSchema& table, const Item& key) {
  DOLMEN_ASSIGN_OR_RETURN(const KeyBytes& bytes, KeyOfRequest(table.keys, key));
  return RowKey(table.keyspace, bytes);
}

Result<std::optional<ItemView>> VisibleItem(std::string_view bytes,
                                            const std::optional<ExpiryCutoff>& hidden) {
  DOLMEN_ASSIGN_OR_RETURN(const ItemView item, ItemView::Parse(bytes));
  if (hidden && hidden->IsExpired(item)) return std::optional<ItemView>();
  return std::optional(item);
}

Status GetItem(const ReadContext& context, const TableSchema& table, const GetItemInput& input,
               GetItemOutput* output) {
  GetProjection projection;
  DOLMEN_RETURN_IF_ERROR(projection.Validate({&input.key, 1}, input.projection, input.names));
  DOLMEN_RETURN_IF_ERROR(projection.CheckKeyUses(table));
  DOLMEN_ASSIGN_OR_RETURN(const KeyBytes& key, KeyOfRequest(table.keys, input.key));
  const EncodedKey row = RowKey(table.keyspace, key);
  PinnedValue bytes;
  DOLMEN_ASSIGN_OR_RETURN(const bool found,
                          context.store.Get(row, &bytes, {.fills_row_cache = true}));
  std::optional<ItemView> item;
  if (found) {
    OperationTime instant(context.clock);
    const std::optional<ExpiryCutoff> hidden =
        HiddenItems(table, input.options.hide_expired, &instant);
    DOLMEN_ASSIGN_OR_RETURN(item, VisibleItem({bytes.data(), bytes.size()}, hidden));
  }
  std::uint32_t size_bytes = 0;
  if (item) {
    size_bytes = item->size_bytes();
    if (!output->item) output->item.emplace();
    DOLMEN_RETURN_IF_ERROR(projection.Apply(*item, &*output->item));
  } else {
    output->item.reset();
  }
  CapacityMeter meter(input.options.return_consumed_capacity);
  meter.AddRead(table, nullptr, ReadUnits(size_bytes, input.consistent_read));
  output->consumed_capacity = meter.TakeOne();
  return {};
}

}  // namespace dolmen::engine
