#include "dolmen/database.h"

#include <algorithm>
#include <deque>
#include <utility>
#include <variant>

#include "engine/table/engine.h"
#include "engine/table/write_action.h"
#include "engine/table/writer.h"

namespace dolmen {
namespace {

constexpr std::size_t kActionsMax = 100;

Status CheckReturnsNothing(ReturnValues values) {
  if (values == ReturnValues::kNone) return {};
  return Status::Validation("ReturnValues can not be asked for in a transaction");
}

Status CheckCount(std::size_t actions) {
  if (actions >= 1 && actions <= kActionsMax) return {};
  return Status::Validation(
      std::string("1 validation error detected: Value at 'transactItems' failed to satisfy "
                  "constraint: Member must have length ")
          .append(actions == 0 ? "greater than or equal to 1" : "less than or equal to 100"));
}

// What a single write may be but an action may not.
Status CheckAction(const PutItemInput& input) { return CheckReturnsNothing(input.return_values); }
Status CheckAction(const DeleteItemInput& input) {
  return CheckReturnsNothing(input.return_values);
}
Status CheckAction(const ConditionCheckInput&) { return {}; }
Status CheckAction(const UpdateItemInput& input) {
  if (!input.update.given()) {
    return Status::Validation("Invalid UpdateExpression: The expression can not be empty;");
  }
  return CheckReturnsNothing(input.return_values);
}

// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
Status CheckSize(const std::vector<const engine::WriteAction*>& actions) {
  constexpr std::size_t kItemsBytesMax = std::size_t{4} << 20;
  std::size_t bytes = 0;
  for (const engine::WriteAction* action : actions) {
    if (action->item.empty()) continue;
    const Result<ItemView> item = ItemView::Parse(action->item);
    if (!item.ok()) return item.status();
    bytes += item->size_bytes();
  }
  if (bytes <= kItemsBytesMax) return {};
  return Status::Validation(  // text unverified
      "The aggregate size of the items in the transaction exceeds 4 MB");
}

Status CheckDistinct(const std::vector<const engine::WriteAction*>& actions) {
  std::vector<std::string_view> rows;
  rows.reserve(actions.size());
  for (const engine::WriteAction* action : actions) rows.push_back(action->row.bytes());
  std::sort(rows.begin(), rows.end());
  if (std::adjacent_find(rows.begin(), rows.end()) == rows.end()) return {};
  return Status::Validation("Transaction request cannot include multiple operations on one item");
}

}  // namespace

Result<Database> Database::Open(const std::filesystem::path& directory,
                                const OpenOptions& options) {
  Result<std::shared_ptr<engine::Engine>> engine = engine::Engine::Open(directory, options);
  if (!engine.ok()) return engine.status();
  return Database(*std::move(engine));
}

Result<Database> Database::InMemory(const OpenOptions& options) {
  Result<std::shared_ptr<engine::Engine>> engine = engine::Engine::InMemory(options);
  if (!engine.ok()) return engine.status();
  return Database(*std::move(engine));
}

Result<Table> Database::CreateTable(const CreateTableInput& input) {
  Result<engine::TableSchemaRef> schema = engine_->catalog().Create(input);
  if (!schema.ok()) return schema.status();
  return Table(engine_, *std::move(schema));
}

Result<Table> Database::OpenTable(std::string_view name) const {
  Result<engine::TableSchemaRef> schema = engine_->catalog().Find(name);
  if (!schema.ok()) return schema.status();
  return Table(engine_, *std::move(schema));
}

Status Database::TransactWriteItems(const std::vector<TransactWriteItem>& actions) const {
  if (Status count = CheckCount(actions.size()); !count.ok()) return count;
  std::deque<engine::WriteAction> prepared;  // they stay where they are made
  std::vector<const engine::WriteAction*> pointers;
  for (const TransactWriteItem& action : actions) {
    if (action.table.engine_ != engine_) {
      return Status::Validation("A transaction's tables must be of the database that runs it: " +
                                action.table.name());
    }
    engine::WriteAction& target = prepared.emplace_back();
    Status valid = std::visit(
        [&](const auto& input) {
          Status allowed = CheckAction(input);
          return allowed.ok() ? Prepare(*action.table.schema_, input, &target) : allowed;
        },
        action.action);
    if (!valid.ok()) return valid;
    pointers.push_back(&target);
  }
  if (Status distinct = CheckDistinct(pointers); !distinct.ok()) return distinct;
  if (Status size = CheckSize(pointers); !size.ok()) return size;
  std::vector<engine::ActionOutcome> outcomes(pointers.size());
  Status written = WriteAtomically(engine_->store(), engine_->locks(), pointers, outcomes);
  if (!written.ok()) return written;
  std::vector<Status> reasons;
  for (engine::ActionOutcome& outcome : outcomes) reasons.push_back(std::move(outcome.status));
  const bool all_ok = std::all_of(reasons.begin(), reasons.end(), [](auto& r) { return r.ok(); });
  return all_ok ? Status() : Status::TransactionCanceled(std::move(reasons));
}

const std::shared_ptr<Clock>& Database::clock() const { return engine_->clock(); }

}  // namespace dolmen
