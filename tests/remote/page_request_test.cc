// Tests of pages of a remote Query or Scan of one partition: their ends and their costs.

#include "remote/page_request.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/query.h"
#include "tests/remote/backend_fixture.h"

namespace dolmen::remote {
namespace {

class PageRequestTest : public BackendTest {
 protected:
  PageRequestTest() {
    for (const std::string sort : {"1", "2", "3", "4", "5"}) {
      Item item{{"PK", "a"}, {"SK", sort}, {"GSI1PK", "g"}, {"GSI1SK", "same"}, {"n", 1}};
      item["odd"] = sort == "1" || sort == "3";
      EXPECT_THAT(table_.PutItem({.item = item}), IsOk());
    }
  }

  // Returns the items and the counts of all pages.
  template <typename Input, typename Read>
  static std::vector<std::string> Pages(Input input, const Read& read) {
    std::vector<std::string> pages;
    do {
      const QueryOutput page = Value(read(input));
      std::string& text = pages.emplace_back(std::to_string(page.count()) + " of " +
                                             std::to_string(page.scanned_count()));
      for (const ItemView item : page) text += " " + item.ToString();
      input.exclusive_start_key = page.last_evaluated_key();
    } while (!input.exclusive_start_key.empty());
    return pages;
  }
  static std::vector<std::string> Queried(const Table& table, const QueryInput& input) {
    return Pages(input, [&](const QueryInput& one) { return table.Query(one); });
  }
  static std::vector<std::string> Scanned(const Table& table, const ScanInput& input) {
    return Pages(input, [&](const ScanInput& one) { return table.Scan(one); });
  }

  // Returns the read units of the first page with the limit.
  double UnitsOf(QueryInput input, std::uint32_t limit) const {
    input.key_condition = Partition("a");
    input.limit = limit;
    input.exact_end = true;
    input.options.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
    return Value(table_.Query(input)).consumed_capacity()->total.read_units;
  }

  const Table table_ = Value(remote_.CreateTable(
      {.name = "app", .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")}}));
  const Table embedded_ = Value(local_.OpenTable("app"));
};

TEST_F(PageRequestTest, PagesWithAnExactEndAreThoseOfAnEmbeddedDatabase) {
  QueryInput projected{.projection = "n"};
  QueryInput filtered{.filter = "odd = :t", .values = {{":t", true}}};
  for (QueryInput input : {QueryInput{}, projected, filtered, QueryInput{.select = Select::kCount},
                           QueryInput{.index = "GSI1"}}) {
    input.key_condition = Partition(input.index.empty() ? "a" : "g");
    input.exact_end = true;
    for (const bool forward : {true, false}) {
      input.forward = forward;
      for (std::uint32_t limit = 1; limit <= 6; ++limit) {
        input.limit = limit;
        EXPECT_EQ(Queried(table_, input), Queried(embedded_, input)) << forward << limit;
      }
    }
  }
  for (std::uint32_t limit = 1; limit <= 6; ++limit) {
    const ScanInput input{.limit = limit, .exact_end = true};
    EXPECT_EQ(Scanned(table_, input), Scanned(embedded_, input)) << limit;
  }
}

TEST_F(PageRequestTest, ALimitThatIsNotValidIsRefused) {
  EXPECT_THAT(table_.Query({.key_condition = Partition("a"), .limit = 0, .exact_end = true}),
              StatusIs(StatusCode::kValidation, testing::HasSubstr("greater than or equal to 1")));
}

// The item after the limit is in the same request. A filter hides it, so it needs a second request.
TEST_F(PageRequestTest, AnExactEndCostsARequestOnlyWithAFilter) {
  EXPECT_EQ(UnitsOf({}, 1), 0.5);
  EXPECT_EQ(UnitsOf({}, 5), 0.5);
  EXPECT_EQ(UnitsOf({.filter = "attribute_exists(n)"}, 1), 1);
}

}  // namespace
}  // namespace dolmen::remote
