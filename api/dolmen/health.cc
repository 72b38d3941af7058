#include "dolmen/health.h"

#include "engine/repair/repair.h"

namespace dolmen {

Result<RepairOutput> Repair(const std::string& from, const std::string& to,
                            const RepairProgressHandler& progress) {
  return engine::Repair(from, to, progress);
}

}  // namespace dolmen
