#include "engine/verify/undamaged_items.h"

#include <string>
#include <string_view>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/verify/key_text.h"
#include "engine/verify/salvaging_cursor.h"
#include "engine/verify/table_check.h"

namespace dolmen::engine {

Status ReadUndamaged(const Store& store, const TableSchema& table, const ItemHandler& on_item,
                     const RepairLossHandler& on_loss) {
  const Snapshot snapshot(store);
  const auto on_gap = [&](const SalvagingCursor::Gap& gap) {
    on_loss({table.name, GapText("items", gap,
                                 [&](std::string_view key) { return KeyText(table.keys, key); })});
  };
  SalvagingCursor cursor(store, PrefixRange(EncodedKey(table.keyspace)), snapshot, on_gap,
                         [](const EncodedKey&) { return true; });
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
    if (std::optional<std::string> damage = FindRowDamage(table, cursor.key(), cursor.value())) {
      on_loss({table.name, *std::move(damage)});
      continue;
    }
    DOLMEN_ASSIGN_OR_RETURN(const ItemView item, ItemView::Parse(cursor.value()));
    DOLMEN_RETURN_IF_ERROR(on_item(item));
  }
  return cursor.status();
}

}  // namespace dolmen::engine
