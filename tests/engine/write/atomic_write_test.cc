// Tests of WriteAtomically(): what it commits, what it leaves after an error, its locks, its time
// and its durability. transaction_conflict_test.cc tests its conflicts.

#include "engine/write/atomic_write.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/storage/files/directory.h"
#include "tests/engine/engine_tables.h"
#include "tests/engine/faulty_disk.h"
#include "tests/support/encrypted_run.h"
#include "tests/support/temp_directory.h"

namespace dolmen::engine {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const EncodedKey kExtraKey = MetaKey("extra");

// A clock that notes how often it is asked, and whether a row is locked then.
class WatchingClock : public Clock {
 public:
  WatchingClock(Clock& clock, const LockTable& locks, LockTable::RowHash row)
      : clock_(clock), locks_(locks), row_(row) {}

  Timestamp Now() override {
    ++calls;
    row_was_locked = locks_.IsBeingWritten(row_);
    return clock_.Now();
  }

  int calls = 0;
  bool row_was_locked = false;

 private:
  Clock& clock_;
  const LockTable& locks_;
  const LockTable::RowHash row_;
};

// The table "app" has an index, a stream and a time to live that hides expired items.
class AtomicWriteTest : public EngineTableTest {
 protected:
  void SetUp() override {
    EngineTableTest::SetUp();
    UpdateTableInput index{.name = "app"};
    index.create_index = GlobalSecondaryIndex{.name = "by_g", .partition_key = {{"g"}}};
    ASSERT_THAT(engine().UpdateTable(index), IsOk());
    ASSERT_THAT(engine().UpdateTimeToLive(
                    {.table_name = "app",
                     .specification = {.attribute_name = "ttl", .hide_expired = true}}),
                IsOk());
    ASSERT_THAT(engine().backfiller().Wait(live()), IsOk());
    UpdateTableInput stream{.name = "app"};
    stream.stream_specification = StreamSpecification{.view_type = StreamViewType::kKeysOnly};
    ASSERT_THAT(engine().UpdateTable(stream), IsOk());
  }

  static Item With(const std::string& sort, const Item& attributes) {
    Item item = Key(sort);
    for (const auto& [name, value] : attributes) item.emplace(name, value);
    return item;
  }
  // Returns an item that expires `after` seconds after the clock's time.
  Item Expiring(const std::string& sort, int after) {
    const auto now = std::chrono::floor<seconds>(clock_->Now()).time_since_epoch().count();
    return With(sort, {{"ttl", now + after}});
  }

  void Put(const Item& item) {
    ASSERT_THAT(WriteItem(engine().write_context(), live(), PutItemInput{.item = item}), IsOk());
  }

  static std::uint32_t SizeOf(const Item& item) {
    const StoredItem stored = test::StoreItem(item);
    return stored.view().size_bytes();
  }

  // Adds an action to the writes, and keeps the request as long as the test.
  template <typename Input>
  void Add(PreparedWrites* writes, Input input) {
    const auto kept = std::make_shared<const Input>(std::move(input));
    requests_.push_back(kept);
    ASSERT_THAT(writes->Add(live(), *kept), IsOk());
  }

  // Writes the actions, together with a batch that holds kExtraKey, and keeps their outcomes.
  Result<WriteVerdict> Write(const PreparedWrites& writes, const WriteOptions& options = {}) {
    return Write(engine().write_context(), writes, options);
  }
  Result<WriteVerdict> Write(const WriteContext& context, const PreparedWrites& writes,
                             const WriteOptions& options = {}) {
    WriteBatch batch;
    batch.Put(kExtraKey, "extra");
    outcomes_ = std::vector<ActionOutcome>(writes.actions().size());
    return WriteAtomically(context, writes.actions(), outcomes_, options, std::move(batch));
  }

  bool HasExtraKey() {
    PinnedValue value;
    return *engine().store().Get(kExtraKey, &value);
  }

  std::uint32_t EntriesOfIndex() {
    ScanOutput page;
    const ScanInput input{.index = "by_g", .options = {.hide_expired = false}};
    EXPECT_THAT(Scan(engine().read_context(), schema(), input, &page), IsOk());
    return page.count();
  }

  // Returns the events of the stream's records.
  std::vector<std::string> Events() {
    const auto page =
        engine().write_context().changes.Read(*schema().enabled_stream(), schema().keys, 0, 100);
    EXPECT_THAT(page, IsOk());
    std::vector<std::string> events;
    for (const StreamRecord& record : page->records) {
      events.emplace_back(EventNameText(record.event_name));
    }
    return events;
  }

  std::vector<ActionOutcome> outcomes_;

 private:
  std::vector<std::shared_ptr<const void>> requests_;
};

TEST_F(AtomicWriteTest, CommitsRowsEntriesRecordsAndTheBatch) {
  Put(With("changed", {{"g", "G"}}));
  Put(Key("deleted"));
  PreparedWrites writes;
  Add(&writes, PutItemInput{.item = With("new", {{"g", "G"}})});
  Add(&writes, UpdateItemInput{.key = Key("changed"), .update = "REMOVE g"});
  Add(&writes, DeleteItemInput{.key = Key("deleted")});
  EXPECT_THAT(Write(writes), IsOkAndHolds(WriteVerdict::kCommitted));
  EXPECT_TRUE(Exists("new"));
  EXPECT_TRUE(Exists("changed"));
  EXPECT_FALSE(Exists("deleted"));
  EXPECT_EQ(EntriesOfIndex(), 1u);
  EXPECT_THAT(Events(), ElementsAre("INSERT", "INSERT", "INSERT", "MODIFY", "REMOVE"));
  EXPECT_TRUE(HasExtraKey());
}

TEST_F(AtomicWriteTest, OutcomesHoldTheSizesAndTheReturnedAttributes) {
  Put(With("old", {{"n", 1}}));
  const std::uint32_t key_bytes = SizeOf(Key("old"));
  PreparedWrites writes;
  Add(&writes, PutItemInput{.item = Key("new")});
  Add(&writes, DeleteItemInput{.key = Key("old"), .return_values = ReturnValues::kAllOld});
  EXPECT_THAT(Write(writes), IsOkAndHolds(WriteVerdict::kCommitted));
  EXPECT_EQ(outcomes_[0].size_before, 0u);
  EXPECT_EQ(outcomes_[0].size_after, key_bytes);
  EXPECT_FALSE(outcomes_[0].attributes.has_value());
  EXPECT_EQ(outcomes_[1].size_before, key_bytes + 3);
  EXPECT_EQ(outcomes_[1].size_after, 0u);
  ASSERT_TRUE(outcomes_[1].attributes.has_value());
  EXPECT_EQ(*outcomes_[1].attributes->view().Copy(), With("old", {{"n", 1}}));
}

TEST_F(AtomicWriteTest, ADamagedItemFailsTheWholeWrite) {
  WriteBatch damage;
  damage.Put(*RowOfRequest(schema(), Key("damaged")), "\1");
  ASSERT_THAT(engine().store().Write(std::move(damage)), IsOk());
  PreparedWrites writes;
  Add(&writes, PutItemInput{.item = Key("new")});
  Add(&writes, PutItemInput{.item = Key("damaged")});
  const std::uint64_t sequence = engine().store().LatestSequence();
  EXPECT_THAT(Write(writes), StatusIs(StatusCode::kCorruption, testing::_));
  EXPECT_EQ(engine().store().LatestSequence(), sequence);
}

TEST_F(AtomicWriteTest, ActionsForAFormerSchemaWriteNothing) {
  PreparedWrites writes;
  Add(&writes, PutItemInput{.item = Key("a")});
  ASSERT_THAT(engine().UpdateTable({.name = "app", .deletion_protection = false}), IsOk());
  EXPECT_THAT(Write(writes), IsOkAndHolds(WriteVerdict::kSchemaChanged));
  EXPECT_FALSE(Exists("a"));
  EXPECT_FALSE(HasExtraKey());

  PreparedWrites again;
  Add(&again, PutItemInput{.item = Key("a")});
  ASSERT_THAT(engine().DeleteTable("app"), IsOk());
  EXPECT_THAT(Write(again), IsOkAndHolds(WriteVerdict::kSchemaChanged));
  EXPECT_FALSE(HasExtraKey());
}

TEST_F(AtomicWriteTest, ActionsWithoutALiveTableAreWrittenForTheirSchema) {
  WriteAction action;
  const PutItemInput input{.item = Key("a")};
  ASSERT_THAT(Prepare(schema(), input, &action), IsOk());
  ASSERT_THAT(engine().UpdateTable({.name = "app", .deletion_protection = false}), IsOk());
  const WriteAction* const actions[] = {&action};
  ActionOutcome outcome;
  EXPECT_THAT(WriteAtomically(engine().write_context(), actions, {&outcome, 1}),
              IsOkAndHolds(WriteVerdict::kCommitted));
  EXPECT_TRUE(Exists("a"));
}

TEST_F(AtomicWriteTest, AsksTheClockOnceAndWhileItHoldsTheRows) {
  Put(Expiring("a", 60));
  Put(Expiring("b", 60));
  WatchingClock clock(*clock_, engine().locks(), RowOf("a"));
  const WriteContext own = engine().write_context();
  const WriteContext context{own.store, own.locks, own.tokens, own.changes, clock};
  PreparedWrites writes;
  for (const char* sort : {"a", "b"}) {
    Add(&writes, DeleteItemInput{.key = Key(sort)});
  }
  EXPECT_THAT(Write(context, writes), IsOkAndHolds(WriteVerdict::kCommitted));
  EXPECT_EQ(clock.calls, 1);
  EXPECT_TRUE(clock.row_was_locked);
  EXPECT_FALSE(engine().locks().IsBeingWritten(RowOf("a")));
}

TEST_F(AtomicWriteTest, JudgesExpiryAtTheGivenTime) {
  Put(Expiring("a", 60));
  WatchingClock clock(*clock_, engine().locks(), RowOf("a"));
  const WriteContext own = engine().write_context();
  const WriteContext context{own.store, own.locks, own.tokens, own.changes, clock};
  PreparedWrites writes;
  Add(&writes, ConditionCheckInput{.key = Key("a"), .condition = "attribute_exists(PK)"});
  EXPECT_THAT(Write(context, writes, {.now = clock_->Now() + seconds(59)}),
              IsOkAndHolds(WriteVerdict::kCommitted));
  EXPECT_THAT(Write(context, writes, {.now = clock_->Now() + seconds(61)}),
              IsOkAndHolds(WriteVerdict::kRefused));
  EXPECT_EQ(clock.calls, 0);
}

TEST_F(AtomicWriteTest, AnActionWithoutEffectWritesNothing) {
  PreparedWrites writes;
  Add(&writes, DeleteItemInput{.key = Key("absent")});
  Add(&writes, ConditionCheckInput{.key = Key("checked"), .condition = "attribute_not_exists(PK)"});
  const std::uint64_t sequence = engine().store().LatestSequence();
  std::vector<ActionOutcome> outcomes(2);
  EXPECT_THAT(WriteAtomically(engine().write_context(), writes.actions(), outcomes),
              IsOkAndHolds(WriteVerdict::kCommitted));
  EXPECT_EQ(engine().store().LatestSequence(), sequence);
  EXPECT_THAT(Events(), IsEmpty());
}

// A database on a disk that the test controls.
class AtomicWriteOnDiskTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_THAT(PrepareDirectory(path_, true, test::KeyInThisRun(path_)), IsOk());
    Open({});
    ASSERT_THAT(engine_->catalog().Create({.name = "app"}), IsOk());
  }

  void Open(const OpenOptions& options) {
    engine_.reset();
    StoreOptions store = Engine::StoreOptionsFor(path_, options);
    store.encryption_key = test::KeyInThisRun(path_);
    store.file_system = std::make_shared<FaultyDisk>(faults_);
    auto engine = Engine::OpenStore(store, options);
    ASSERT_THAT(engine, IsOk());
    engine_ = *std::move(engine);
  }

  template <typename Input>
  Result<WriteVerdict> Write(const Input& input, const WriteOptions& options = {}) {
    const LiveTableRef table = *engine_->catalog().Find("app");
    PreparedWrites writes;
    EXPECT_THAT(writes.Add(*table, input), IsOk());
    ActionOutcome outcome;
    return WriteAtomically(engine_->write_context(), writes.actions(), {&outcome, 1}, options);
  }

  const test::TempDirectory directory_;
  const std::filesystem::path path_ = directory_ / "db";
  const std::shared_ptr<DiskFaults> faults_ = std::make_shared<DiskFaults>();
  std::shared_ptr<Engine> engine_;
  const PutItemInput put_{.item = {{"PK", "p"}, {"SK", "s"}}};
};

TEST_F(AtomicWriteOnDiskTest, AWriteThatTheStoreRejectsIsNotVisible) {
  faults_->writes_fail = true;
  EXPECT_THAT(Write(put_), StatusIs(StatusCode::kStorage, HasSubstr("Input/output error")));
  const LiveTableRef table = *engine_->catalog().Find("app");
  GetItemOutput got;
  ASSERT_THAT(GetItem(engine_->read_context(), *table->schema(), {.key = put_.item}, &got), IsOk());
  EXPECT_FALSE(got.item.has_value());
}

// The failed put may be there after the database is opened again.
TEST_F(AtomicWriteOnDiskTest, ADeletionOfAnItemWhosePutFailedIsRejected) {
  faults_->writes_fail = true;
  EXPECT_THAT(Write(put_), StatusIs(StatusCode::kStorage, HasSubstr("Input/output error")));
  EXPECT_THAT(Write(DeleteItemInput{.key = put_.item}),
              StatusIs(StatusCode::kStorage, HasSubstr("an earlier write failed")));
}

TEST_F(AtomicWriteOnDiskTest, TheOptionsDecideWhetherTheLogIsSynced) {
  faults_->log_syncs = 0;
  EXPECT_THAT(Write(put_, {.durability = WriteDurability::kLater}), IsOk());
  EXPECT_EQ(faults_->log_syncs, 0);
  EXPECT_THAT(Write(put_), IsOk());
  EXPECT_EQ(faults_->log_syncs, 1);
}

// The condition is false. The store is checked first.
TEST_F(AtomicWriteOnDiskTest, AReadOnlyDatabaseRejectsEvenAWriteWithAFalseCondition) {
  Open({.read_only = true});
  PutItemInput input = put_;
  input.condition = "attribute_exists(PK)";
  EXPECT_THAT(Write(input), StatusIs(StatusCode::kValidation, HasSubstr("read_only")));
}

}  // namespace
}  // namespace dolmen::engine
