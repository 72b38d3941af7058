#include "engine/write/write_item.h"

#include <utility>

#include "engine/base/status_macros.h"
#include "engine/read/capacity.h"
#include "engine/write/atomic_write.h"
#include "engine/write/prepare.h"

namespace dolmen::engine {
namespace {

WriteItemOutput ToOutput(const WriteAction& action, ReturnConsumedCapacity which,
                         ActionOutcome outcome) {
  WriteItemOutput output{.attributes = std::move(outcome.attributes)};
  if (which == ReturnConsumedCapacity::kNone) return output;
  CapacityMeter meter(which);
  meter.AddWrite(*action.table, outcome.size_before, outcome.size_after, outcome.index_changes);
  output.consumed_capacity = meter.TakeOne();
  return output;
}

}  // namespace

// Applies the request as an atomic write of one action. Repeats the write if the schema changes
// before the row is locked.
template <typename Input>
Result<WriteItemOutput> WriteItem(const WriteContext& context, const LiveTable& table,
                                  const Input& input) {
  for (;;) {
    const TableSchema* const schema = table.schema();
    if (schema == nullptr) return NoSuchTable();
    WriteAction action;
    action.live = &table;
    DOLMEN_RETURN_IF_ERROR(Prepare(*schema, input, &action));
    const WriteAction* const actions[] = {&action};
    ActionOutcome outcome;
    const Result<WriteVerdict> verdict = WriteAtomically(context, actions, {&outcome, 1});
    if (!verdict.ok()) return verdict.status();
    if (*verdict == WriteVerdict::kSchemaChanged) continue;
    if (!outcome.status.ok()) return outcome.status;
    return ToOutput(action, input.options.return_consumed_capacity, std::move(outcome));
  }
}

template Result<WriteItemOutput> WriteItem(const WriteContext&, const LiveTable&,
                                           const PutItemInput&);
template Result<WriteItemOutput> WriteItem(const WriteContext&, const LiveTable&,
                                           const UpdateItemInput&);
template Result<WriteItemOutput> WriteItem(const WriteContext&, const LiveTable&,
                                           const DeleteItemInput&);

}  // namespace dolmen::engine
