#include "dolmen/testing/test_database.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/backup/backed_up_database.h"
#include "tests/support/files.h"
#include "tests/support/temp_directory.h"
#include "tests/support/value.h"

namespace dolmen::backup {
namespace {

using test::Value;

Status FillWithItems(const Database& db) {
  PutItems(CreateApp(db), 0, 100);
  return {};
}

TEST(TestDatabaseTest, GivesEachTestAForkOfItsOwn) {
  const TestDatabase contents(FillWithItems);
  const Database first = contents.Fork();
  PutItems(Value(first.OpenTable("app")), 100, 110);
  EXPECT_EQ(ReadState(contents.Fork()).items.size(), 100u);
  EXPECT_EQ(ReadState(first).items.size(), 110u);
}

TEST(TestDatabaseTest, IsFilledOnceByAllThreads) {
  std::atomic<int> fills = 0;
  const TestDatabase contents([&](const Database& db) {
    ++fills;
    return FillWithItems(db);
  });
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      const Database db = contents.Fork();
      const Table table = Value(db.OpenTable("app"));
      PutItems(table, 100, 101 + i);
      if (ReadState(db).items.size() == static_cast<std::size_t>(101 + i)) ++right;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(fills, 1);
  EXPECT_EQ(right, 8);
}

TEST(TestDatabaseTest, CopiesADirectoryAndLeavesItAlone) {
  const test::TempDirectory directory;
  { EXPECT_TRUE(FillWithItems(Value(Database::Open(directory / "db"))).ok()); }
  const auto before = test::FilesBelow(directory.path());
  const TestDatabase contents = TestDatabase::FromDirectory(directory / "db");
  const Database fork = contents.Fork();
  EXPECT_EQ(ReadState(fork).items.size(), 100u);
  EXPECT_TRUE(fork.DeleteTable("app").ok());
  EXPECT_EQ(test::FilesBelow(directory.path()), before);
}

TEST(TestDatabaseTest, StoresAForkInADirectoryWithoutALog) {
  const test::TempDirectory directory;
  const TestDatabase contents([](const Database& database) {
    EXPECT_TRUE(FillWithItems(database).ok());
    return Value(database.OpenTable("app")).WaitForIndexes();  // a fork would continue a backfill
  });
  { const Database stored = contents.Fork({.directory = directory / "db"}); }
  for (const auto& [name, bytes] : test::FilesBelow(directory.path())) {
    if (name.ends_with(".log")) {
      EXPECT_EQ(bytes, "") << name;
    }
  }
  EXPECT_EQ(ReadState(TestDatabase::FromDirectory(directory / "db").Fork()).items.size(), 100u);
}

TEST(TestDatabaseTest, WaitsForAProgramThatHasTheDirectoryOpen) {
  const test::TempDirectory directory;
  auto open = std::make_unique<Database>(Value(Database::Open(directory / "db")));
  EXPECT_TRUE(FillWithItems(*open).ok());
  const TestDatabase contents = TestDatabase::FromDirectory(directory / "db");
  std::thread closes([&] { open.reset(); });
  EXPECT_EQ(ReadState(contents.Fork()).items.size(), 100u);
  closes.join();
}

TEST(TestDatabaseDeathTest, AnErrorOfTheFunctionEndsTheProgram) {
  const TestDatabase contents([](const Database&) { return Status::Validation("no such file"); });
  EXPECT_DEATH(contents.Fork(), "no such file");
}

}  // namespace
}  // namespace dolmen::backup
