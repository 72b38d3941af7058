#include "engine/read/scan.h"

#include <string>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/read/read_page.h"
#include "engine/read/read_plan.h"
#include "engine/read/start_key.h"
#include "engine/value/violation.h"

namespace dolmen::engine {
namespace {

constexpr std::uint32_t kSegmentsMax = 1'000'000;
constexpr const char* kSegment = "Segment";
constexpr const char* kTotalSegments = "TotalSegments";

Status MissingParameter(const std::string& missing, const std::string& present) {
  return Status::Validation(
      "The " + missing + " parameter is required but was not present in the request when " +
      (missing == kSegment ? "parameter " + present : present + " parameter") + " is present");
}

Status SetSegment(const ScanInput& input, ReadPlan* plan) {
  if (!input.segment && !input.total_segments) return {};
  if (!input.total_segments) return MissingParameter(kTotalSegments, kSegment);
  if (!input.segment) return MissingParameter(kSegment, kTotalSegments);
  const std::uint32_t total = *input.total_segments;
  DOLMEN_RETURN_IF_ERROR(CheckRange(total, "totalSegments", 1, kSegmentsMax));
  if (*input.segment >= total) {
    return Status::Validation(
        "The Segment parameter is zero-based and must be less than parameter TotalSegments: "
        "Segment: " +
        std::to_string(*input.segment) +
        " is not less than TotalSegments: " + std::to_string(total));
  }
  plan->segment = {*input.segment, total};
  return {};
}

// Copies into the plan the parts of the request that do not depend on the table, and binds the
// request's expressions.
Status Bind(const ScanInput& input, ReadPlan* plan) {
  plan->is_scan = true;
  CopyOptions(input, plan);
  DOLMEN_RETURN_IF_ERROR(CheckLimit(*plan));
  DOLMEN_RETURN_IF_ERROR(CheckStartKey(input.exclusive_start_key));
  DOLMEN_RETURN_IF_ERROR(BindExpressions(input.names, input.values, &plan->placeholders,
                                         ExpressionSlot{input.filter, &plan->filter},
                                         ExpressionSlot{input.projection, &plan->projection}));
  DOLMEN_RETURN_IF_ERROR(SetSegment(input, plan));
  return CheckSelect(*plan, !input.index.empty());
}

Status PlanScan(const TableSchema& table, const ScanInput& input, ReadPlan* plan) {
  DOLMEN_RETURN_IF_ERROR(Bind(input, plan));
  DOLMEN_RETURN_IF_ERROR(SetIndex(table, input.index, plan));
  DOLMEN_RETURN_IF_ERROR(CheckKeyUses(*plan));
  plan->ranges.push_back(PrefixRange(EncodedKey(plan->keyspace())));
  DOLMEN_RETURN_IF_ERROR(ApplyStartKey(input.exclusive_start_key, plan));
  return ChooseSource(plan);
}

}  // namespace

Status ValidateScan(const ScanInput& input) {
  ReadPlan plan;
  return Bind(input, &plan);
}

Result<std::uint64_t> ApproximateBytes(const ReadContext& context, const TableSchema& table,
                                       const ScanInput& input) {
  ReadPlan plan;
  DOLMEN_RETURN_IF_ERROR(PlanScan(table, input, &plan));
  return ApproximateBytes(context.store, plan);
}

Status Scan(const ReadContext& context, const TableSchema& table, const ScanInput& input,
            ScanOutput* page, const ReadOrder* order) {
  ReadPlan plan;
  DOLMEN_RETURN_IF_ERROR(PlanScan(table, input, &plan));
  HideExpired(input.options.hide_expired, context.clock, &plan);
  if (order == nullptr) return ReadPage(context.store, plan, page);
  return ReadPageInOrder(context.store, input.exclusive_start_key, *order, &plan, page);
}

}  // namespace dolmen::engine
