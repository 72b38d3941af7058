#include "engine/schema/update_checks.h"

namespace dolmen::engine {

Status CheckChanges(const UpdateTableInput& input) {
  const bool creates_index = input.create_index.has_value();
  const bool deletes_index = !input.delete_index.empty();
  if ((creates_index || deletes_index) && input.stream_specification) {
    return Status::Validation(
        "One call of UpdateTable cannot change both the stream and an index of a table. Call it "
        "once "
        "for each.");
  }
  if (creates_index && deletes_index) {
    return Status::LimitExceeded(
        "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously "
        "per table");
  }
  if (creates_index || deletes_index || input.stream_specification || input.deletion_protection ||
      input.annotations) {
    return {};
  }
  return Status::Validation(
      "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
      "GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required");
}

}  // namespace dolmen::engine
