#include "dolmen/health.h"

#include "engine/backend.h"
#include "engine/repair/repair.h"

namespace dolmen {

Result<RepairOutput> Repair(const std::string& from, const std::string& to,
                            const RepairOptions& options) {
  return engine::Repair(from, to, options);
}

Status ReadUndamaged(const TableRef& table, const ItemHandler& on_item,
                     const RepairLossHandler& on_loss) {
  return table.backend()->ReadUndamaged(table, on_item, on_loss);
}

}  // namespace dolmen
