#include <map>
#include <optional>

#include "engine/base/status_macros.h"
#include "engine/expression/request_expression.h"
#include "engine/key/key_codec.h"
#include "engine/value/codec.h"
#include "engine/write/item_size.h"
#include "tests/behaviour/driver.h"
#include "tests/support/items.h"

namespace dolmen::behaviour {
namespace {

class EngineDriver : public Driver {
 public:
  EngineDriver(const TableDescription& table, const std::string& pk) : Driver(pk) {
    keys_.emplace("", engine::KeySchema(table.partition_key, table.sort_key));
    for (const GlobalSecondaryIndexDescription& described : table.global_secondary_indexes) {
      const GlobalSecondaryIndex& index = described.index;
      keys_.emplace(index.name, engine::KeySchema(index.partition_key, index.sort_key));
    }
  }

  std::string name() const override { return "engine"; }

  void Put(const Item& item) override {
    items_.insert_or_assign(*item.at("SK").get_if<std::string>(), test::StoreItem(item));
  }
  void Delete() override { items_.erase("a"); }
  Item Get() override { return items_.contains("a") ? *items_.at("a").Copy() : Item(); }

  Result<bool> Holds(ExpressionKind kind, const ExpressionInput& condition) override {
    if (kind == ExpressionKind::kFilter) return Evaluate<engine::RequestFilter>(condition);
    return Evaluate<engine::RequestCondition>(condition);
  }

  Status Update(const ExpressionInput& update) override {
    engine::RequestUpdate bound;
    DOLMEN_RETURN_IF_ERROR(Bind(update, &bound));
    DOLMEN_RETURN_IF_ERROR(bound->CheckKeyUnchanged(std::vector<std::string_view>{"PK", "SK"}));
    if (!items_.contains("a")) Put(Key());
    std::string bytes;
    const Status applied = bound->Apply(items_.at("a").view(), &bytes);
    if (!applied.ok()) {
      EXPECT_EQ(bytes, "");
      return applied;
    }
    DOLMEN_ASSIGN_OR_RETURN(const ItemView changed, ItemView::Parse(bytes));
    DOLMEN_RETURN_IF_ERROR(engine::CheckItemSize(changed, engine::SizeSource::kUpdate));
    DOLMEN_ASSIGN_OR_RETURN(const Item item, Decode(bytes));
    Put(item);
    return {};
  }

  Result<Item> Project(const ExpressionInput& projection) override {
    engine::RequestProjection bound;
    DOLMEN_RETURN_IF_ERROR(Bind(projection, &bound));
    std::string bytes;
    DOLMEN_RETURN_IF_ERROR(bound->Apply(items_.at("a").view(), &bytes));
    return Decode(bytes);
  }

  Result<std::vector<std::string>> Select(const ExpressionInput& key_condition,
                                          const std::string& index) override {
    engine::RequestKeyCondition bound;
    DOLMEN_RETURN_IF_ERROR(Bind(key_condition, &bound));
    const engine::KeySchema& keys = keys_.at(index);
    DOLMEN_ASSIGN_OR_RETURN(const engine::KeyCondition condition,
                            engine::ResolveKeyCondition(*bound, keys, index));
    const engine::KeyRange range = RangeOfIndex(condition);
    std::map<std::string, std::string> selected;  // from the key of the entry to the sort key
    for (const auto& [sort_key, item] : items_) {
      const auto index_key = engine::KeyOfStoredItem(keys, item.view());
      if (!index_key) continue;
      const auto table_key = engine::KeyOfStoredItem(keys_.at(""), item.view());
      const auto entry = engine::IndexEntryKey(kKeyspace, *index_key, *table_key);
      if (range.Contains(entry.bytes())) selected.emplace(entry.bytes(), sort_key);
    }
    std::vector<std::string> sort_keys;
    for (const auto& [entry, sort_key] : selected) sort_keys.push_back(sort_key);
    return sort_keys;
  }

 private:
  static constexpr auto kKeyspace = engine::KeyspaceId::kFirst;

  // Parses and binds the expression as a request does.
  template <typename Bound>
  Status Bind(const ExpressionInput& input, Bound* bound) {
    return engine::BindExpressions(
        input.names, input.values, &placeholders_,
        engine::ExpressionSlot{typename Bound::Source(input.text), bound});
  }

  template <typename Bound>
  Result<bool> Evaluate(const ExpressionInput& condition) {
    Bound bound;
    DOLMEN_RETURN_IF_ERROR(Bind(condition, &bound));
    return bound->Evaluate(items_.at("a").view());
  }

  // Returns the item that the bytes encode. Equal items must have equal bytes.
  static Result<Item> Decode(const std::string& bytes) {
    DOLMEN_ASSIGN_OR_RETURN(const ItemView view, ItemView::Parse(bytes));
    Result<Item> item = view.Copy();
    std::string encoded;
    if (item.ok()) DOLMEN_RETURN_IF_ERROR(engine::EncodeItem(*item, &encoded));
    EXPECT_EQ(bytes, encoded);
    return item;
  }

  static engine::KeyRange RangeOfIndex(const engine::KeyCondition& condition) {
    const auto prefix =
        engine::KeyPrefix(kKeyspace, {condition.equal.data(), condition.equal.size()});
    if (!condition.last) return engine::PrefixRange(prefix);
    const engine::KeyTerm& term = *condition.last;
    return engine::SortKeyRange(prefix, {term.op, term.value.payload(), term.upper.payload()},
                                engine::SortKeyForm::kTerminated);
  }

  std::map<std::string, engine::KeySchema> keys_;  // by the name of the index
  std::map<std::string, StoredItem> items_;        // by the sort key
  std::optional<engine::Placeholders> placeholders_;
};

}  // namespace

std::unique_ptr<Driver> MakeEngineDriver(const TableDescription& table, const std::string& pk) {
  return std::make_unique<EngineDriver>(table, pk);
}

}  // namespace dolmen::behaviour
