#include "engine/base/status_macros.h"
#include "tests/behaviour/driver.h"
#include "tests/support/items.h"
#include "tests/support/status_matchers.h"

namespace dolmen::behaviour {
namespace {

using test::IsOk;
using test::IsOkAndHolds;

class ApiDriver : public Driver {
 public:
  ApiDriver(const Table& table, const std::string& pk) : Driver(pk), table_(table) {}

  std::string name() const override { return "API"; }

  void Put(const Item& item) override { EXPECT_THAT(table_.PutItem({.item = item}), IsOk()); }
  void Delete() override { EXPECT_THAT(table_.DeleteItem({.key = Key()}), IsOk()); }
  Item Get() override {
    const auto got = table_.GetItem({.key = Key()});
    EXPECT_THAT(got, IsOk());
    return got.ok() && got->item ? *got->item->Copy() : Item();
  }

  Result<bool> Holds(ExpressionKind kind, const ExpressionInput& condition) override {
    if (kind == ExpressionKind::kFilter) {
      DOLMEN_ASSIGN_OR_RETURN(const QueryOutput page,
                              table_.Query({.key_condition = Partition(pk()),
                                            .filter = condition.text,
                                            .names = condition.names,
                                            .values = condition.values}));
      return page.count() == 1;
    }
    const Status written = table_
                               .UpdateItem({.key = Key(),
                                            .condition = condition.text,
                                            .names = condition.names,
                                            .values = condition.values})
                               .status();
    if (written.code() == StatusCode::kConditionalCheckFailed) {
      EXPECT_EQ(written.message(), "The conditional request failed");
      return false;
    }
    DOLMEN_RETURN_IF_ERROR(written);
    return true;
  }

  Status Update(const ExpressionInput& update) override {
    return table_
        .UpdateItem(
            {.key = Key(), .update = update.text, .names = update.names, .values = update.values})
        .status();
  }

  // Projects the item in a GetItem and in a Query, which must have the same outcome.
  Result<Item> Project(const ExpressionInput& projection) override {
    const auto page = table_.Query({.key_condition = Partition(pk()),
                                    .projection = projection.text,
                                    .names = projection.names});
    const auto got =
        table_.GetItem({.key = Key(), .projection = projection.text, .names = projection.names});
    EXPECT_EQ(got.status().message(), page.status().message());
    DOLMEN_RETURN_IF_ERROR(got.status());
    if (!page.ok() || page->size() != 1 || !got->item) return Status::Storage("no item");
    EXPECT_EQ((*page)[0].ToString(), got->item->view().ToString());
    return got->item->Copy();
  }

  // Reads the items forwards, backwards, and backwards in pages of one item.
  Result<std::vector<std::string>> Select(const ExpressionInput& key_condition,
                                          const std::string& index) override {
    QueryInput input{.index = index,
                     .key_condition = key_condition.text,
                     .names = key_condition.names,
                     .values = key_condition.values};
    DOLMEN_ASSIGN_OR_RETURN(const std::vector<std::string> forward, SortKeys(input));
    const std::vector<std::string> backward(forward.rbegin(), forward.rend());
    input.forward = false;
    EXPECT_THAT(SortKeys(input), IsOkAndHolds(backward));
    input.limit = 1;
    EXPECT_THAT(SortKeys(input), IsOkAndHolds(backward));
    return forward;
  }

 private:
  Result<std::vector<std::string>> SortKeys(QueryInput input) const {
    std::vector<std::string> sort_keys;
    do {
      DOLMEN_ASSIGN_OR_RETURN(const QueryOutput page, table_.Query(input));
      for (const ItemView item : page) sort_keys.emplace_back(*item["SK"].AsString());
      input.exclusive_start_key = page.last_evaluated_key();
    } while (!input.exclusive_start_key.empty());
    return sort_keys;
  }

  Table table_;
};

}  // namespace

std::unique_ptr<Driver> MakeApiDriver(const Table& table, const std::string& pk) {
  return std::make_unique<ApiDriver>(table, pk);
}

}  // namespace dolmen::behaviour
