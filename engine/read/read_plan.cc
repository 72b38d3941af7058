#include "engine/read/read_plan.h"

#include <xxhash.h>

#include <algorithm>
#include <utility>

#include "engine/schema/key_paths.h"
#include "engine/value/invalid_parameter.h"
#include "engine/value/violation.h"

namespace dolmen::engine {
namespace {

// Returns true if one of the paths begins with an attribute that the index does not project.
bool UsesUnprojected(const IndexSchema& index, std::span<const DocumentPath> paths) {
  return std::any_of(paths.begin(), paths.end(),
                     [&](const DocumentPath& path) { return !index.Projects(path.attribute()); });
}

// Returns the names of the attributes that the index does not project, separated by commas.
std::string UnprojectedNames(const IndexSchema& index, std::span<const DocumentPath> paths) {
  std::string names;
  for (const DocumentPath& path : paths) {
    if (index.Projects(path.attribute())) continue;
    names.append(names.empty() ? "" : ", ").append(path.attribute());
  }
  return names;
}

Status CheckGlobalIndex(const ReadPlan& plan) {
  const IndexSchema& index = *plan.index;
  if (plan.consistent) {
    return Status::Validation("Consistent reads are not supported on global secondary indexes");
  }
  if (index.projection == ProjectionType::kAll) return {};
  if (plan.select == Select::kAllAttributes) {
    return InvalidParameter(
        "Select type ALL_ATTRIBUTES is not supported for global secondary index " + index.name +
        " because its projection type is not ALL");
  }
  if (plan.projection && UsesUnprojected(index, plan.projection->paths())) {
    return InvalidParameter("Global secondary index " + index.name + " does not project [" +
                            UnprojectedNames(index, plan.projection->paths()) + "]");
  }
  return {};
}

// Returns true if the filter needs attributes that the local index lacks. The filter of a statement
// sees only the entries of the index.
bool FilterFetchesItems(const ReadPlan& plan) {
  return plan.filter && plan.filter->dialect() != Dialect::kStatement &&
         UsesUnprojected(*plan.index, plan.filter->paths());
}

}  // namespace

void HideExpired(const std::optional<bool>& asked, Clock& clock, ReadPlan* plan) {
  OperationTime instant(clock);
  plan->hidden = HiddenItems(*plan->table, asked, &instant);
  plan->fetches_expiry =
      plan->hidden && plan->index != nullptr && !plan->index->Projects(plan->hidden->attribute());
}

std::uint64_t ApproximateBytes(const Store& store, const ReadPlan& plan) {
  std::uint64_t bytes = 0;
  for (const KeyRange& range : plan.ranges) bytes += store.ApproximateBytes(range);
  return bytes;
}

bool ScanSegment::Contains(std::string_view partition) const {
  partition.remove_prefix(std::min(kKeyspaceBytes, partition.size()));
  const std::uint64_t hash = XXH3_64bits(partition.data(), partition.size());
  return (hash >> 32) * total >> 32 == number;
}

Status CheckLimit(const ReadPlan& plan) {
  if (plan.limit != 0u) return {};
  // DynamoDB names the limit in one way for Scan and in another way for Query.
  const std::string at_least = AtLeast("value", 1);
  return DetectedOne(plan.is_scan ? Violation("0", "limit", at_least)
                                  : UnquotedViolation("Limit", at_least));
}

Status CheckSelect(const ReadPlan& plan, bool has_index) {
  const bool has_projection = static_cast<bool>(plan.projection);
  // DynamoDB counts the error of a Query, as it does for Limit.
  const auto invalid = [&](std::string_view message) {
    return plan.is_scan ? Status::Validation(std::string(message)) : DetectedOne(message);
  };
  if (plan.select == Select::kAllProjectedAttributes && !has_index) {
    return invalid("ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName");
  }
  if (plan.select == Select::kSpecificAttributes && !has_projection) {
    return invalid(
        "Must specify the AttributesToGet or ProjectionExpression when choosing to get "
        "SPECIFIC_ATTRIBUTES");
  }
  if (!has_projection || plan.select == Select::kDefault ||
      plan.select == Select::kSpecificAttributes) {
    return {};
  }
  const std::string start =
      std::string("Cannot specify the ")
          .append(plan.projection.tree()->dialect == Dialect::kLegacy ? "AttributesToGet"
                                                                      : "ProjectionExpression")
          .append(" when choosing to get ");
  switch (plan.select) {
    case Select::kAllAttributes:
      return invalid(start + "ALL_ATTRIBUTES");
    case Select::kAllProjectedAttributes:
      return invalid(start + "ALL_PROJECTED_ATTRIBUTES");
    default:
      return invalid(start + "only the Count");
  }
}

Status SetIndex(const TableSchema& table, const std::string& index, ReadPlan* plan) {
  plan->table = &table;
  if (index.empty()) return {};
  plan->index = table.FindIndex(index);
  if (plan->index == nullptr) {
    return Status::Validation("The table does not have the specified index: " + index);
  }
  if (plan->index->backfilling) {
    return Status::Validation("Cannot read from backfilling global secondary index: " + index);
  }
  return {};
}

Status CheckKeyUses(const ReadPlan& plan) {
  Status valid;
  if (plan.filter) valid = CheckKeyPaths(*plan.table, plan.filter->paths());
  if (valid.ok() && plan.projection) {
    valid = CheckKeyPaths(*plan.table, plan.projection->paths());
  }
  return valid;
}

Status ChooseSource(ReadPlan* plan) {
  if (plan->index == nullptr) return {};
  if (!plan->index->is_local()) return CheckGlobalIndex(*plan);
  const IndexSchema& index = *plan->index;
  plan->fetches_items = index.projection != ProjectionType::kAll &&
                        (plan->select == Select::kAllAttributes ||
                         (plan->projection && UsesUnprojected(index, plan->projection->paths())) ||
                         FilterFetchesItems(*plan));
  return {};
}

}  // namespace dolmen::engine
