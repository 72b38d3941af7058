// Tests of the copy that a repair makes of single records. No record that would prevent an opening
// of the new database is copied.

#include "engine/repair/copier.h"

#include <gmock/gmock.h>

#include <memory>
#include <string>

#include "engine/key/key_codec.h"
#include "engine/schema/catalog_entries.h"
#include "engine/schema/schema_codec.h"
#include "engine/storage/cursor.h"
#include "engine/stream/change_record.h"
#include "engine/stream/positions.h"
#include "engine/value/codec.h"
#include "tests/engine/keyspaces.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::engine {
namespace {

using test::IsOk;
using test::Value;
using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

class CopierTest : public testing::Test {
 protected:
  void Copy(std::string_view key, std::string_view value) {
    ASSERT_THAT(copier_.Copy(key, value), IsOk());
  }
  void CopyTable(const std::string& name, KeyspaceId keyspace) {
    const TableSchema schema = Value(MakeTableSchema({.name = name}, keyspace, {}, 1));
    std::string entry;
    ASSERT_THAT(EncodeItem(EncodeTableSchema(schema), &entry), IsOk());
    EncodedKey key(KeyspaceId::kCatalog);
    key.AppendRaw(name);
    Copy(key.bytes(), entry);
  }
  // Returns the number of keys in the keyspace of the new database.
  std::size_t CountOf(KeyspaceId keyspace) {
    EXPECT_THAT(copier_.Finish(), IsOk());
    std::size_t count = 0;
    Cursor cursor(*store_, PrefixRange(EncodedKey(keyspace)));
    for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) ++count;
    return count;
  }
  const std::vector<RepairLoss>& losses() { return copier_.output().losses; }

  const std::unique_ptr<Store> store_ =
      Value(Store::Open({.directory = "/copier", .in_memory = true}));
  Copier copier_{store_.get()};
};

TEST_F(CopierTest, DropsDamagedNumbersOfStreams) {
  Copy(MetaKey("next_number").bytes(), std::string(8, '\0'));
  Copy(MetaKey("trimmed", kTable).bytes(), "short");
  EXPECT_EQ(CountOf(KeyspaceId::kMeta), 2u) << "next_number and next_keyspace";
  EXPECT_THAT(losses(), ElementsAre(Field(&RepairLoss::message, HasSubstr("sequence number"))));
}

TEST_F(CopierTest, DropsDamagedPositionsOfSubscriptions) {
  EncodedKey position(KeyspaceId::kPositions);
  position.AppendRaw(EncodedKey(kTable).bytes());
  position.AppendRaw("a");
  Copy(position.bytes(), std::string(8, '\0'));
  position.AppendRaw("b");
  Copy(position.bytes(), std::string(8, '\xFF'));
  position.AppendRaw("c");
  Copy(position.bytes(), "short");
  EXPECT_EQ(CountOf(KeyspaceId::kPositions), 1u);
  const auto is_position = Field(&RepairLoss::message, HasSubstr("position of a subscription"));
  EXPECT_THAT(losses(), ElementsAre(is_position, is_position));
}

TEST_F(CopierTest, DropsATableThatClaimsTheKeysOfAnotherTable) {
  CopyTable("one", kTable);
  CopyTable("two", kTable);
  EXPECT_EQ(CountOf(KeyspaceId::kCatalog), 1u);
  EXPECT_THAT(losses(), ElementsAre(AllOf(Field(&RepairLoss::table, "two"),
                                          Field(&RepairLoss::message, HasSubstr("whole table")))));
}

// The rows of a deleted table are gone. If keys remain in their keyspace, no table owns them.
TEST_F(CopierTest, KeepsTheStreamsOfADeletedTable) {
  CreateTableInput input{.name = "gone"};
  input.stream_specification = StreamSpecification{.view_type = StreamViewType::kKeysOnly};
  const TableSchema schema = DeletedTable(Value(MakeTableSchema(input, kTable, {}, 1)), {});
  const StreamSchema& stream = schema.streams.at(0);
  std::string entry;
  ASSERT_THAT(EncodeItem(EncodeTableSchema(schema), &entry), IsOk());
  Copy(MetaKey("deleted_table", kTable).bytes(), entry);
  Copy(MetaKey("deleted_table", kFirstIndex).bytes(), "damaged");
  std::string item;
  ASSERT_THAT(EncodeItem({{"PK", "p"}, {"SK", "s"}}, &item), IsOk());
  const ItemView view = Value(ItemView::Parse(item));
  std::string record;
  ASSERT_THAT(EncodeChange({.before = std::nullopt, .after = view}, schema.keys, stream.view_type,
                           {}, &record),
              IsOk());
  EncodedKey key(stream.keyspace);
  key.AppendBigEndian(1);
  Copy(key.bytes(), record);
  EXPECT_EQ(CountOf(stream.keyspace), 1u);
  EXPECT_EQ(CountOf(KeyspaceId::kMeta), 2u) << "the deleted table and next_keyspace";
  EXPECT_EQ(copier_.output().tables, 0u);
  EXPECT_THAT(losses(), ElementsAre(Field(&RepairLoss::message, HasSubstr("deleted table"))));
}

// A table may have no rows, and the record of the next keyspace may be lost.
TEST_F(CopierTest, ReservesTheKeyspacesOfEmptyTables) {
  CopyTable("empty", kFirstIndex);
  EXPECT_EQ(CountOf(KeyspaceId::kCatalog), 1u);
  EXPECT_THAT(losses(), IsEmpty());
  EXPECT_EQ(Value(ReadNextKeyspace(*store_)), static_cast<std::uint32_t>(kFirstIndex) + 1);
}

}  // namespace
}  // namespace dolmen::engine
