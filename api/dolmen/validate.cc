#include "dolmen/validate.h"

#include "engine/read/get_item.h"
#include "engine/read/read_plan.h"
#include "engine/write/write_action.h"

namespace dolmen {
namespace {

template <typename Input>
Status ValidateWrite(const Input& input) {
  engine::WriteAction action;
  return engine::Validate(input, &action);
}

}  // namespace

Status Validate(const GetItemInput& input) {
  engine::GetProjection projection;
  return projection.Validate({&input.key, 1}, input.projection, input.names);
}

Status Validate(const PutItemInput& input) { return ValidateWrite(input); }
Status Validate(const UpdateItemInput& input) { return ValidateWrite(input); }
Status Validate(const DeleteItemInput& input) { return ValidateWrite(input); }
Status Validate(const ConditionCheckInput& input) { return ValidateWrite(input); }

Status Validate(const QueryInput& input) {
  engine::ReadPlan plan;
  return engine::ValidateQuery(input, &plan);
}

Status Validate(const ScanInput& input) {
  engine::ReadPlan plan;
  return engine::ValidateScan(input, &plan);
}

}  // namespace dolmen
