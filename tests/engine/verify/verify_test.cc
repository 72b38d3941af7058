// Tests of Verify against faults that the tests plant in the store. No operation of Dolmen causes
// these faults.

#include "engine/verify/verify.h"

#include <functional>
#include <string>
#include <vector>

#include "engine/key/key_codec.h"
#include "engine/stream/change_record.h"
#include "engine/stream/stream_arn.h"
#include "engine/verify/report.h"
#include "engine/verify/table_check.h"
#include "engine/write/index_upkeep.h"
#include "tests/engine/engine_tables.h"

namespace dolmen::engine {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class VerifyTest : public EngineTableTest {
 protected:
  void SetUp() override {
    EngineTableTest::SetUp();
    CreateTableInput input{.name = "things"};
    input.global_secondary_indexes = {{.name = "global",
                                       .partition_key = {{"g"}},
                                       .projection = ProjectionType::kInclude,
                                       .non_key_attributes = {"x"}}};
    input.local_secondary_indexes = {
        {.name = "local", .sort_key = {"l"}, .projection = ProjectionType::kKeysOnly}};
    auto made = engine().catalog().Create(input);
    ASSERT_THAT(made, IsOk());
    things_ = *made;
    ASSERT_THAT(engine().UpdateTimeToLive(
                    {.table_name = "things", .specification = {.attribute_name = "ttl"}}),
                IsOk());
    ASSERT_THAT(engine().backfiller().Wait(*things_), IsOk());
    Write(Thing("1"));
    Write(Thing("2"));
  }

  const TableSchema& things() const { return *things_->schema(); }
  const IndexSchema& Index(const std::string& name) const {
    return name == "ttl" ? things().expiry->index : *things().FindIndex(name);
  }

  static Item Thing(const std::string& sort) {
    return {{"PK", "p"},
            {"SK", sort},
            {"g", "G"},
            {"l", "L"},
            {"x", 1},
            {"y", "not in any index"},
            {"ttl", std::int64_t{1} << 40}};
  }

  void Write(const Item& item) {
    ASSERT_THAT(WriteItem(engine().write_context(), *things_, PutItemInput{.item = item}), IsOk());
  }

  static EncodedKey RowKeyFor(const TableSchema& table, const std::string& sort) {
    return RowKey(table.keyspace, {"p", sort});
  }
  EncodedKey EntryKeyFor(const std::string& index, const Item& item) const {
    const StoredItem stored = test::StoreItem(item);
    IndexEntry entry;
    EXPECT_THAT(MakeEntry(things(), Index(index), stored.view(), &entry), IsOkAndHolds(true));
    return entry.key;
  }

  void Plant(const EncodedKey& key, std::string_view bytes) {
    WriteBatch batch;
    batch.Put(key, bytes);
    ASSERT_THAT(engine().store().Write(std::move(batch)), IsOk());
  }
  void Plant(const EncodedKey& key, const Item& item) {
    const StoredItem stored = test::StoreItem(item);
    Plant(key, stored.view().bytes());
  }
  void Remove(const EncodedKey& key) {
    WriteBatch batch;
    batch.Delete(key);
    ASSERT_THAT(engine().store().Write(std::move(batch)), IsOk());
  }

  VerifyOutput RunVerify(const VerifyProgressHandler& progress = {}) {
    const auto output = Verify(engine().store(), engine().catalog().Tables(), {}, progress);
    EXPECT_THAT(output, IsOk());
    return output.ok() ? *output : VerifyOutput();
  }

  // Returns "index: message" for each finding.
  std::vector<std::string> Findings() {
    const VerifyOutput output = RunVerify();
    EXPECT_EQ(output.finding_count, output.findings.size());
    std::vector<std::string> found;
    for (const VerifyFinding& finding : output.findings) {
      EXPECT_EQ(finding.table, "things");
      found.push_back(finding.index + ": " + finding.message);
    }
    return found;
  }

 private:
  LiveTableRef things_;
};

TEST_F(VerifyTest, FindsNothingInAnUndamagedTable) {
  Item without_entries = Thing("3");
  for (const char* key : {"g", "l", "ttl"}) without_entries.erase(key);
  Write(without_entries);
  const VerifyOutput output = RunVerify();
  EXPECT_EQ(output.items, 3u);
  EXPECT_EQ(output.index_entries, 4u);
  EXPECT_EQ(output.finding_count, 0u);
  EXPECT_THAT(output.findings, IsEmpty());
  EXPECT_TRUE(output.complete);
}

TEST_F(VerifyTest, FindsMissingEntries) {
  for (const char* index : {"global", "local", "ttl"}) Remove(EntryKeyFor(index, Thing("1")));
  EXPECT_THAT(Findings(),
              UnorderedElementsAre(
                  R"(global: the entry of the item {PK: "p", SK: "1"} is missing)",
                  R"(local: the entry of the item {PK: "p", SK: "1"} is missing)",
                  R"(: time to live: the entry of the item {PK: "p", SK: "1"} is missing)"));
}

TEST_F(VerifyTest, FindsEntriesWithoutTheirItem) {
  Remove(RowKeyFor(things(), "2"));
  const std::string missing =
      R"(: an entry exists for the item {PK: "p", SK: "2"}, which does not exist)";
  EXPECT_THAT(Findings(), UnorderedElementsAre("global" + missing, "local" + missing,
                                               ": time to live" + missing));
}

TEST_F(VerifyTest, FindsEntriesThatDoNotMatchTheirItem) {
  Item before = Thing("1");
  before["g"] = "as it was";
  Plant(EntryKeyFor("global", before), before);
  Item without = Thing("2");
  without.erase("l");
  Plant(RowKeyFor(things(), "2"), without);
  EXPECT_THAT(
      Findings(),
      UnorderedElementsAre(
          R"(global: an entry exists for the item {PK: "p", SK: "1"} that does not match the item)",
          R"(local: an entry exists for the item {PK: "p", SK: "2"} )"
          "that does not match the item"));
}

TEST_F(VerifyTest, FindsEntriesWithOtherAttributesThanTheirItem) {
  Plant(EntryKeyFor("global", Thing("1")), Thing("1"));  // y is not projected
  Plant(EntryKeyFor("ttl", Thing("2")), "x");
  EXPECT_THAT(Findings(),
              UnorderedElementsAre(R"(global: the entry of the item {PK: "p", SK: "1"} )"
                                   "does not match the item's attributes",
                                   R"(: time to live: the entry of the item {PK: "p", SK: "2"} )"
                                   "does not match the item's attributes"));
}

// The entries of a damaged item are not findings, because the right contents of the entries are
// unknown.
TEST_F(VerifyTest, FindsDamagedItems) {
  const StoredItem sound = test::StoreItem(Thing("1"));
  std::string bytes(sound.view().bytes());
  bytes[1] = static_cast<char>(bytes[1] + 1);  // the stored size of the item
  Plant(RowKeyFor(things(), "1"), bytes);
  Plant(RowKeyFor(things(), "2"), "\x02 of a newer release");
  EXPECT_THAT(Findings(),
              ElementsAre(testing::StartsWith(R"(: the item {PK: "p", SK: "1"} is damaged: )"),
                          testing::StartsWith(R"(: the item {PK: "p", SK: "2"} is damaged: )")));
}

TEST_F(VerifyTest, FindsItemsUnderAnotherKey) {
  Plant(RowKeyFor(things(), "3"), Item{{"PK", "p"}, {"SK", "7"}});
  EXPECT_THAT(
      Findings(),
      ElementsAre(R"(: the item under the key {PK: "p", SK: "3"} has the key {PK: "p", SK: "7"})"));
}

TEST_F(VerifyTest, AllowsOnlyMissingEntriesInABackfillingIndex) {
  TableSchema making = things();
  making.indexes.at(1).backfilling = true;
  ASSERT_EQ(making.indexes[1].name, "global");
  Remove(EntryKeyFor("global", Thing("1")));
  const auto findings = [&] {
    const VerifyProgressHandler no_progress;
    Report report(no_progress);
    const Snapshot snapshot(engine().store());
    EXPECT_THAT(TableCheck(engine().store(), snapshot, making, &report).Run(), IsOk());
    return report.TakeOutput().finding_count;
  };
  EXPECT_EQ(findings(), 0u);
  Plant(EntryKeyFor("global", Thing("2")), Item());
  EXPECT_EQ(findings(), 1u);
}

// While an index is backfilled, Verify cannot find the entries that the index lacks. Verify returns
// the name of the index, so the caller knows that the index was not fully checked.
TEST_F(VerifyTest, NamesTheBackfillingIndexes) {
  EXPECT_THAT(RunVerify().unfinished_indexes, IsEmpty());
  TableSchema making = things();
  for (IndexSchema& index : making.indexes) index.backfilling = index.name == "global";
  making.expiry->index.backfilling = true;
  const VerifyProgressHandler no_progress;
  Report report(no_progress);
  const Snapshot snapshot(engine().store());
  ASSERT_THAT(TableCheck(engine().store(), snapshot, making, &report).Run(), IsOk());
  std::vector<std::string> named;
  for (const UnfinishedIndex& index : report.TakeOutput().unfinished_indexes) {
    named.push_back(index.table + "." + index.index);
  }
  EXPECT_THAT(named, ElementsAre("things.global", "things."));
}

TEST_F(VerifyTest, FindsDamagedStreamRecords) {
  const StreamSpecification images{.view_type = StreamViewType::kNewImage};
  ASSERT_THAT(engine().UpdateTable({.name = "things", .stream_specification = images}), IsOk());
  for (const char* sort : {"3", "4", "5"}) Write(Thing(sort));
  EXPECT_EQ(RunVerify().stream_records, 3u);
  EXPECT_THAT(Findings(), IsEmpty());
  const StreamSchema& stream = things().streams.at(0);
  const auto record = [&](SequenceNumber after_first) {
    EncodedKey key(stream.keyspace);
    key.AppendBigEndian(stream.first + after_first);
    return key;
  };
  Plant(record(100), "\x01 no record");
  Plant(record(101), "\x02 of a newer release");
  EncodedKey no_number(stream.keyspace);
  no_number.AppendRaw("\xFFno number");
  Plant(no_number, "");
  const auto damaged = [&](const std::string& what) {
    return testing::StartsWith(": stream " + StreamLabel(stream) + ": the record " + what +
                               " is damaged: ");
  };
  EXPECT_THAT(Findings(),
              ElementsAre(damaged(ToText(stream.first + 100)), damaged(ToText(stream.first + 101)),
                          damaged("without a number")));
  EXPECT_EQ(RunVerify().stream_records, 6u);
}

TEST_F(VerifyTest, KeepsTheFirstHundredFindings) {
  for (int i = 0; i < 150; ++i) {
    Plant(RowKeyFor(things(), std::to_string(1000 + i)), "\x01");
  }
  const VerifyOutput output = RunVerify();
  EXPECT_EQ(output.finding_count, 150u);
  EXPECT_EQ(output.findings.size(), 100u);
  EXPECT_EQ(output.items, 152u);
}

TEST_F(VerifyTest, ReportsProgressAndStopsWhenTheHandlerReturnsFalse) {
  for (int i = 0; i < 3000; ++i) Write({{"PK", "p"}, {"SK", std::to_string(i)}});
  std::vector<VerifyProgress> told;
  const VerifyOutput whole = RunVerify([&](const VerifyProgress& progress) {
    told.push_back(progress);
    return true;
  });
  EXPECT_TRUE(whole.complete);
  ASSERT_GE(told.size(), 4u);
  for (std::size_t i = 0; i < told.size(); ++i) {
    EXPECT_LE(told[i].fraction, 1.0);
    if (i == 0) continue;
    EXPECT_GE(told[i].fraction, told[i - 1].fraction);
    EXPECT_GE(told[i].items_read, told[i - 1].items_read);
  }
  EXPECT_EQ(told.back().table, "things");
  EXPECT_GT(told.back().fraction, 0.5);

  const VerifyOutput part =
      RunVerify([](const VerifyProgress& progress) { return progress.items_read < 1000; });
  EXPECT_FALSE(part.complete);
  EXPECT_EQ(part.items, 1000u);
  EXPECT_EQ(part.index_entries, 0u);
}

}  // namespace
}  // namespace dolmen::engine
