#include "dolmen/repair.h"

#include "database/openers.h"
#include "dolmen/table_backup.h"
#include "engine/backend.h"

namespace dolmen {

Result<RepairOutput> Repair(const std::string& from, const std::string& to,
                            const RepairOptions& options) {
  return internal::openers.repair(from, to, options);
}

Status ReadUndamaged(const TableRef& table, const ItemHandler& on_item,
                     const RepairLossHandler& on_loss) {
  return table.backend()->ReadUndamaged(table, on_item, on_loss);
}

}  // namespace dolmen
