// Tests of items that are over 400 KB together with their entries in local indexes. Earlier
// releases did not count the entries.

#include "engine/write/item_size.h"

#include <string>

#include "engine/value/codec.h"
#include "tests/engine/engine_tables.h"

namespace dolmen::engine {
namespace {

using testing::HasSubstr;

TEST_F(EngineTableTest, AnUpdateMayShrinkButNotGrowATooLargeItem) {
  auto live = engine().catalog().Create(
      {.name = "local", .local_secondary_indexes = {{.name = "by_l", .sort_key = {"l"}}}});
  ASSERT_THAT(live, IsOk());
  const TableSchema& table = *(*live)->schema();
  Item item = Key("large");
  item.insert({{"l", "l"}, {"body", std::string(300'000, 'x')}, {"n", 10}});
  std::string bytes;
  ASSERT_THAT(EncodeItem(item, &bytes), IsOk());
  WriteBatch batch;
  batch.Put(*RowOfRequest(table, Key("large")), bytes);
  ASSERT_THAT(engine().store().Write(std::move(batch)), IsOk());

  const auto update = [&](const std::string& expression, AttributeValue value) {
    return WriteItem(
               engine().write_context(), **live,
               UpdateItemInput{
                   .key = Key("large"), .update = expression, .values = {{":v", std::move(value)}}})
        .status();
  };
  EXPECT_THAT(update("SET body = :v", std::string(300'001, 'x')),
              StatusIs(StatusCode::kValidation,
                       HasSubstr("Item size to update has exceeded the maximum allowed size")));
  // The new item is smaller than the old item together with the old item's index entry. But the new
  // item alone exceeds the size limit of an item.
  EXPECT_THAT(update("SET body = :v REMOVE l", std::string(590'000, 'x')),
              StatusIs(StatusCode::kValidation,
                       HasSubstr("Item size to update has exceeded the maximum allowed size")));
  EXPECT_THAT(update("SET n = :v", 11), IsOk());
  EXPECT_THAT(update("SET body = :v", std::string(250'000, 'x')), IsOk());
  EXPECT_THAT(update("SET body = :v", std::string(250'001, 'x')),
              StatusIs(StatusCode::kValidation, HasSubstr("exceeded")));
  EXPECT_THAT(update("SET body = :v", "small"), IsOk());
}

}  // namespace
}  // namespace dolmen::engine
