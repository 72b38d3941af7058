// Tests of the stored positions of subscriptions.

#include "engine/stream/positions.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/storage/cursor.h"
#include "tests/engine/engine_tables.h"
#include "tests/engine/keyspaces.h"

namespace dolmen::engine {
namespace {

using namespace std::string_view_literals;

constexpr auto kNeighbourTable = static_cast<KeyspaceId>(17);

class PositionsTest : public EngineTableTest {
 protected:
  void PutAt(KeyspaceId table, std::string_view name, SequenceNumber position) {
    WriteBatch batch;
    PutPosition(table, name, position, &batch);
    ASSERT_THAT(engine().store().Write(std::move(batch)), IsOk());
  }

  std::optional<SequenceNumber> At(KeyspaceId table, std::string_view name) {
    const auto position = ReadPosition(engine().store(), table, name);
    EXPECT_THAT(position, IsOk());
    return *position;
  }
};

TEST_F(PositionsTest, APositionIsReadBack) {
  EXPECT_EQ(At(kTable, "name"), std::nullopt);
  for (const SequenceNumber position :
       {SequenceNumber{0}, SequenceNumber{1}, SequenceNumber{256}, SequenceNumber{3} << 61}) {
    PutAt(kTable, "name", position);
    EXPECT_EQ(At(kTable, "name"), position);
  }
}

TEST_F(PositionsTest, APositionAboveTheGreatestIsDamaged) {
  PutAt(kTable, "name", (SequenceNumber{3} << 61) + 1);
  EXPECT_THAT(ReadPosition(engine().store(), kTable, "name"),
              test::StatusIs(StatusCode::kCorruption, testing::_));
}

TEST_F(PositionsTest, NamesAndTablesAreSeparate) {
  std::uint64_t next = 0;
  for (const std::string_view name : {"a"sv, "ab"sv, "a\0"sv, "a\xff"sv}) {
    PutAt(kTable, name, ++next);
    PutAt(kNeighbourTable, name, ++next);
  }
  next = 0;
  for (const std::string_view name : {"a"sv, "ab"sv, "a\0"sv, "a\xff"sv}) {
    EXPECT_EQ(At(kTable, name), ++next);
    EXPECT_EQ(At(kNeighbourTable, name), ++next);
  }
}

TEST_F(PositionsTest, ADeletedPositionIsAbsentAndOthersStay) {
  PutAt(kTable, "a", 1);
  PutAt(kTable, "ab", 2);
  WriteBatch batch;
  DeletePosition(kTable, "a", &batch);
  DeletePosition(kTable, "never stored", &batch);
  ASSERT_THAT(engine().store().Write(std::move(batch)), IsOk());
  EXPECT_EQ(At(kTable, "a"), std::nullopt);
  EXPECT_EQ(At(kTable, "ab"), 2U);
}

TEST_F(PositionsTest, TheRangeOfATableHoldsAllItsPositionsAndNoOthers) {
  PutAt(kTable, "", 1);
  PutAt(kTable, "\xff\xff", 2);
  PutAt(kNeighbourTable, "a", 3);
  Cursor cursor(engine().store(), PositionRange(kTable));
  int count = 0;
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) ++count;
  EXPECT_THAT(cursor.status(), IsOk());
  EXPECT_EQ(count, 2);
}

TEST_F(PositionsTest, AValueOfAnotherLengthIsCorruption) {
  for (const std::string& bytes : {std::string(), std::string(7, '\0'), std::string(9, '\0')}) {
    EncodedKey key = PositionRange(kTable).lower;
    key.AppendRaw("name");
    WriteBatch batch;
    batch.Put(key, bytes);
    ASSERT_THAT(engine().store().Write(std::move(batch)), IsOk());
    EXPECT_THAT(ReadPosition(engine().store(), kTable, "name"),
                StatusIs(StatusCode::kCorruption, testing::_));
  }
}

}  // namespace
}  // namespace dolmen::engine
