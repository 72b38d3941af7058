// Tests of pages of a remote Query or Scan of one partition: their ends and their costs.

#include "remote/page_request.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/query.h"
#include "dolmen/scan.h"
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

  // Returns scanned_bytes() of all pages.
  template <typename Input, typename Read>
  static std::vector<std::uint64_t> ScannedBytes(Input input, const Read& read) {
    input.options.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
    std::vector<std::uint64_t> bytes;
    do {
      const QueryOutput page = Value(read(input));
      bytes.push_back(page.scanned_bytes());
      input.exclusive_start_key = page.last_evaluated_key();
    } while (!input.exclusive_start_key.empty());
    return bytes;
  }
  static std::vector<std::uint64_t> QueriedBytes(const Table& table, const QueryInput& input) {
    return ScannedBytes(input, [&](const QueryInput& one) { return table.Query(one); });
  }
  static std::vector<std::uint64_t> ScanBytes(const Table& table, const ScanInput& input) {
    return ScannedBytes(input, [&](const ScanInput& one) { return table.Scan(one); });
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

TEST_F(PageRequestTest, ScannedBytesAreThoseOfAnEmbeddedDatabase) {
  const std::vector<QueryInput> inputs = {{},
                                          {.projection = "n"},
                                          {.filter = "odd = :t", .values = {{":t", true}}},
                                          {.select = Select::kCount},
                                          {.index = "GSI1"}};
  for (QueryInput input : inputs) {
    input.key_condition = Partition(input.index.empty() ? "a" : "g");
    for (const std::optional<std::uint32_t> limit : {0u, 1u, 2u, 5u, 6u}) {
      if (*limit > 0) input.limit = limit;
      for (const bool exact_end : {false, true}) {
        if (exact_end && input.limit && input.projection.given()) continue;
        input.exact_end = exact_end;
        EXPECT_EQ(QueriedBytes(table_, input), QueriedBytes(embedded_, input))
            << input.index << ", limit " << *limit << ", exact end " << exact_end;
      }
    }
  }
  const ScanInput scan{.filter = "odd = :t", .values = {{":t", true}}, .limit = 2};
  EXPECT_EQ(ScanBytes(table_, scan), ScanBytes(embedded_, scan));
}

TEST_F(PageRequestTest, ScannedBytesHaveTheLeftOutAttributesOfTheItemAfterTheLimit) {
  const QueryInput input{.key_condition = Partition("a"), .projection = "n", .limit = 4};
  QueryInput exact = input;
  exact.exact_end = true;
  const std::uint64_t bytes = QueriedBytes(table_, input)[0];
  const std::uint64_t item = bytes / 4;  // all items have the same size
  EXPECT_GT(QueriedBytes(table_, exact)[0], bytes);
  EXPECT_LT(QueriedBytes(table_, exact)[0], bytes + item);
}

TEST_F(PageRequestTest, ScannedBytesAreThoseOfTheReturnedItemsIfTheCapacityIsNotAsked) {
  const QueryInput input{
      .key_condition = Partition("a"), .filter = "odd = :t", .values = {{":t", true}}};
  const QueryOutput page = Value(table_.Query(input));
  std::uint64_t bytes = 0;
  for (const ItemView item : page) bytes += item.size_bytes();
  EXPECT_EQ(page.scanned_bytes(), bytes);
}

}  // namespace
}  // namespace dolmen::remote
