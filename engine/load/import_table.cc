#include "engine/load/import_table.h"

#include <utility>

#include "dolmen/batch.h"
#include "engine/base/status_macros.h"
#include "engine/load/new_table.h"
#include "engine/write/prepare.h"

namespace dolmen::engine {
namespace {

// Adds the item to the rows. Calls the input's handler if the table cannot hold the item.
Status AddItem(const TableSchema& table, const ImportTableInput& input, Item item,
               NewTableRows* rows) {
  WriteAction put;
  const Status prepared = Prepare(table, PutRequest{std::move(item)}, &put);
  if (prepared.ok()) return rows->Put(put.row, put.item);
  return input.on_rejected ? input.on_rejected(prepared) : prepared;
}

Status AddItems(const TableSchema& table, const ImportTableInput& input, NewTableRows* rows) {
  for (;;) {
    Item item;
    DOLMEN_ASSIGN_OR_RETURN(const bool has_item, input.next_item(&item));
    if (!has_item) return {};
    DOLMEN_RETURN_IF_ERROR(AddItem(table, input, std::move(item), rows));
  }
}

}  // namespace

Result<ImportTableOutput> ImportTable(Store* store, Catalog* catalog,
                                      const ImportTableInput& input) {
  if (!input.next_item) return Status::Validation("an import needs next_item");
  ImportTableOutput output;
  const auto fill = [&](const TableSchema& table, NewTableRows* rows) -> Result<bool> {
    DOLMEN_RETURN_IF_ERROR(AddItems(table, input, rows));
    Result<bool> complete = rows->Finish(input.progress);
    output.items = rows->items();
    return complete;
  };
  DOLMEN_ASSIGN_OR_RETURN(output.complete, CreateFilledTable(store, catalog, input.table, fill));
  if (!output.complete) output.items = 0;
  return output;
}

}  // namespace dolmen::engine
