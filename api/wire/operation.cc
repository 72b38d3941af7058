#include "wire/operation.h"

namespace dolmen::wire {
namespace {

// The operations that programs call most often come first.
constexpr std::span<const Operation> (*kSubjects[])() = {
    ItemOperations,
    QueryOperations,
    TransactOperations,
    BatchOperations,
    TableOperations,
    TagOperations,
    StreamOperations,
    StatementOperations,
    BackupOperations,
    RestoreOperations,
    KinesisOperations,
    AutoScalingOperations,
    ContributorInsightsOperations,
    ResourcePolicyOperations,
    ConstantOperations,
    ExportOperations,
    ImportOperations,
    BulkOperations,
};

}  // namespace

const Operation* FindOperation(std::string_view name) {
  for (const auto operations : kSubjects) {
    for (const Operation& operation : operations()) {
      if (operation.name == name) return &operation;
    }
  }
  return nullptr;
}

bool IsLong(std::string_view name) {
  const Operation* const operation = FindOperation(name);
  return operation != nullptr && operation->is_long;
}

}  // namespace dolmen::wire
