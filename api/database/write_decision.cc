#include "database/write_decision.h"

#include <type_traits>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/read/expiry_cutoff.h"
#include "engine/schema/table_schema.h"
#include "engine/write/decide.h"

namespace dolmen::internal {

struct TableRules::State {
  engine::TableSchema schema;
};

TableRules::TableRules(std::unique_ptr<State> state) : state_(std::move(state)) {}
TableRules::~TableRules() = default;

bool HiddenItems::Hides(const ItemView& item) const {
  const std::optional<Number> time = item[attribute].AsNumber();
  return time && from <= *time && *time < until;
}

Result<std::shared_ptr<const TableRules>> TableRules::Make(
    const TableDescription& table, const TimeToLiveDescription& time_to_live) {
  CreateTableInput input{
      .name = table.name, .partition_key = table.partition_key, .sort_key = table.sort_key};
  for (const auto& described : table.global_secondary_indexes) {
    input.global_secondary_indexes.push_back(described.index);
  }
  for (const auto& described : table.local_secondary_indexes) {
    input.local_secondary_indexes.push_back(described.index);
  }
  // Decisions do not depend on the numbers of the keyspaces.
  constexpr engine::KeyspaceId kFirst{1};
  DOLMEN_ASSIGN_OR_RETURN(engine::TableSchema schema,
                          engine::MakeTableSchema(input, kFirst, table.created_at, {}));
  if (!time_to_live.attribute_name.empty()) {
    const TimeToLiveSpecification specification{.attribute_name = time_to_live.attribute_name,
                                                .hide_expired = time_to_live.hide_expired};
    DOLMEN_ASSIGN_OR_RETURN(schema, engine::WithExpiry(schema, specification, kFirst));
  }
  return std::shared_ptr<const TableRules>(
      new TableRules(std::make_unique<State>(State{std::move(schema)})));
}

std::optional<HiddenItems> TableRules::HiddenFrom(const std::optional<bool>& asked,
                                                  Timestamp now) const {
  const auto& expiry = state_->schema.expiry;
  if (!expiry || !asked.value_or(expiry->hide_expired)) return std::nullopt;
  const engine::ExpiryCutoff cutoff(*expiry, now);
  return HiddenItems{cutoff.attribute(), cutoff.from(), cutoff.until()};
}

template <typename Input>
Result<WriteDecision> DecideWrite(const TableRules& rules, const Input& input,
                                  const std::optional<ItemView>& old) {
  engine::WriteAction action;
  DOLMEN_RETURN_IF_ERROR(engine::Prepare(rules.state_->schema, input, &action));
  engine::WriteEffect effect;
  DOLMEN_RETURN_IF_ERROR(engine::Decide(action, old, &effect));
  WriteDecision decision;
  using Kind = engine::WriteEffect::Kind;
  if (effect.kind == Kind::kDelete) decision.kind = WriteDecision::Kind::kDelete;
  if (effect.kind == Kind::kPut) {
    decision.kind = WriteDecision::Kind::kPut;
    DOLMEN_ASSIGN_OR_RETURN(decision.item,
                            StoredItem::FromBytes(std::string(effect.item->bytes())));
  }
  DOLMEN_ASSIGN_OR_RETURN(decision.attributes,
                          engine::ReturnedAttributes(action, old, effect.item));
  return decision;
}

template Result<WriteDecision> DecideWrite(const TableRules&, const PutItemInput&,
                                           const std::optional<ItemView>&);
template Result<WriteDecision> DecideWrite(const TableRules&, const UpdateItemInput&,
                                           const std::optional<ItemView>&);
template Result<WriteDecision> DecideWrite(const TableRules&, const DeleteItemInput&,
                                           const std::optional<ItemView>&);
template Result<WriteDecision> DecideWrite(const TableRules&, const ConditionCheckInput&,
                                           const std::optional<ItemView>&);

}  // namespace dolmen::internal
