// Tests that the calls of the API need little of the stack of the thread that makes them. Requests whose input
// nests are in tests/wire/small_stack_test.cc.

#include "tests/support/small_stack.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/condition_builder.h"
#include "dolmen/dolmen.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"

namespace dolmen::test {
namespace {

class SmallStackTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!kHasFramesOfUsers) GTEST_SKIP() << "this build has larger frames";
  }

  // Calls `run`, and checks that it has succeeded on the smallest stack.
  void Check(const std::string& call, const std::function<Status()>& run) {
    Status status;
    const std::size_t used = StackBytesOf([&] { status = run(); });
    EXPECT_LE(used, kUsableStackBytes) << call;
    EXPECT_THAT(status, IsOk()) << call;
  }

  std::string Path(const std::string& name) const { return (directory_ / name).string(); }

  TempDirectory directory_;
};

CreateTableInput WithIndex(const std::string& name) {
  CreateTableInput input;
  input.name = name;
  input.global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")};
  input.stream_specification = StreamSpecification{.view_type = StreamViewType::kNewAndOldImages};
  return input;
}

Item ItemOf(const std::string& key) {
  return {
      {"PK", key}, {"SK", "1"}, {"GSI1PK", "g"}, {"GSI1SK", key}, {"text", std::string(500, 'x')}};
}

// A condition whose operators nest as deep as they may.
ConditionBuilder DeepCondition() {
  ConditionBuilder condition = Attr("absent") == 1;
  for (int i = 0; i < 99; ++i) condition = !condition || Attr("absent") == 1;
  return condition;
}

TEST_F(SmallStackTest, CallsRunOnTheSmallestStack) {
  std::optional<Database> database;
  std::optional<Table> table;
  const auto keep = [](auto result, auto* to) {
    Status status = result.status();
    if (result.ok()) *to = *std::move(result);
    return status;
  };
  Check("Open of a new database", [&] { return keep(Database::Open(Path("db")), &database); });
  ASSERT_TRUE(database);
  Check("CreateTable", [&] { return keep(database->CreateTable(WithIndex("app")), &table); });
  ASSERT_TRUE(table);
  Check("PutItem", [&] {
    for (int i = 0; i < 200; ++i) {
      Status status = table->PutItem({.item = ItemOf(std::to_string(i))}).status();
      if (!status.ok()) return status;
    }
    return Status();
  });
  Check("UpdateItem", [&] {
    return table
        ->UpdateItem({.key = {{"PK", "1"}, {"SK", "1"}},
                      .update = UpdateExpression("SET n = :n"),
                      .values = {{":n", 1}}})
        .status();
  });
  Check("a deep condition of a builder", [&] {
    return table->DeleteItem({.key = {{"PK", "2"}, {"SK", "1"}}, .condition = DeepCondition()})
        .status();
  });
  Check("GetItem", [&] { return table->GetItem({.key = {{"PK", "1"}, {"SK", "1"}}}).status(); });
  Check("Query", [&] {
    return table
        ->Query({.index = "GSI1", .key_condition = Partition{"g"}, .filter = DeepCondition()})
        .status();
  });
  Check("Scan", [&] { return table->Scan({}).status(); });
  Check("TransactWriteItems", [&] {
    return Transaction(*database, *table).Put({.item = ItemOf("t")}).Commit().status();
  });
  Check("Execute", [&] { return database->Execute("SELECT * FROM app WHERE PK = '1'").status(); });
  Check("Subscribe", [&] {
    auto subscription = table->Subscribe({.name = "s"}, [](const auto&) { return Status(); });
    return subscription.status();
  });
  Check("UpdateTable", [&] {
    UpdateTableInput input = {.name = "app"};
    input.create_index = GlobalSecondaryIndex::Overloaded("GSI2");
    return database->UpdateTable(input).status();
  });
  Check("WaitForIndexes", [&] { return table->WaitForIndexes(); });
  Check("CreateBackup", [&] {
    return database->CreateBackup({.table_name = "app", .backup_name = "first"}).status();
  });
  Check("ListBackups", [&] { return database->ListBackups().status(); });
  Check("Backup", [&] { return database->Backup(Path("backup")).status(); });
  Check("Verify", [&] { return database->Verify().status(); });
  Check("Stats", [&] { return database->Stats().status(); });
  Check("Fork", [&] { return database->Fork().status(); });
  Check("DeleteTable", [&] {
    const auto other = database->CreateTable(WithIndex("other"));
    return other.ok() ? database->DeleteTable("other") : other.status();
  });
  std::filesystem::copy(Path("db"), Path("copy"), std::filesystem::copy_options::recursive);
  Check("Open that recovers a log", [&] { return Database::Open(Path("copy")).status(); });
  Check("Close", [&] {
    table.reset();
    database.reset();
    return Status();
  });
  Check("Restore", [&] { return Database::Restore(Path("backup"), Path("restored")).status(); });
  Check("Repair", [&] { return Repair(Path("restored"), Path("repaired")).status(); });
  Check("Open of a database with logs",
        [&] { return keep(Database::Open(Path("db")), &database); });
  Check("Close", [&] {
    database.reset();
    return Status();
  });
  Check("InMemory", [&] { return keep(Database::InMemory(), &database); });
  Check("InMemoryFrom", [&] { return keep(Database::InMemoryFrom(Path("db")), &database); });
}

TEST_F(SmallStackTest, AnEncryptedDatabaseOpensOnTheSmallestStack) {
  OpenOptions options;
  options.encryption_key.emplace();
  for (const char* const call : {"Open of a new database", "Open of a database with logs"}) {
    std::optional<Database> database;
    Check(call, [&] {
      auto opened = Database::Open(Path("db"), options);
      Status status = opened.status();
      if (opened.ok()) database = *std::move(opened);
      return status;
    });
    ASSERT_TRUE(database);
    Check("CreateBackup and Close", [&] {
      auto table = database->CreateTable(
          WithIndex(call == std::string("Open of a new database") ? "a1a" : "b1b"));
      if (!table.ok()) return table.status();
      Status status = table->PutItem({.item = ItemOf("1")}).status();
      database.reset();
      return status;
    });
  }
}

}  // namespace
}  // namespace dolmen::test
