#include "dolmen/entity/scan.h"

#include "dolmen/internal/status_macros.h"

namespace dolmen::entity {

Status SetScanStart(const EntitySpec& entity, const std::string& cursor, ScanInput* input) {
  const KeySpec* key = entity.FindKey(input->index);
  if (key == nullptr) {
    return Status::Validation(std::string(entity.name) + " has no key in " + input->index);
  }
  if (cursor.empty()) return {};
  DOLMEN_ASSIGN_OR_RETURN(input->exclusive_start_key, DecodeCursor(cursor, entity.primary(), *key));
  return {};
}

}  // namespace dolmen::entity
