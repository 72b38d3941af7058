// 200 tests, each with its own fork of 10,000 orders. ctest runs them in two processes, by the lines of
// README.md ("In tests"). seconds.py times them, and needs two more ways to run this program:
//
//   orders_test --threads=16       runs the tests in 16 threads of one process
//   orders_test --store=DIRECTORY  stores the orders, for processes with ORDERS=DIRECTORY

#include <dolmen/testing/test_database.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace dolmen::processes {
namespace {

constexpr int kTests = 200;
constexpr int kOrders = 10000;

Item KeyOf(int order) {
  return {{"PK", "CUSTOMER#" + std::to_string(order % 100)},
          {"SK", "ORDER#" + std::to_string(order)}};
}

Status PutOrders(const Database& db) {
  const Result<Table> table = db.CreateTable({.name = "orders"});
  if (!table.ok()) return table.status();
  for (int order = 0; order < kOrders; ++order) {
    Item item = KeyOf(order);
    item["state"] = "paid";
    item["note"] = std::string(300, 'n');
    if (const auto put = table->PutItem({.item = item}); !put.ok()) return put.status();
  }
  return {};
}

const TestDatabase& Orders() {
  static const char* const directory = std::getenv("ORDERS");
  static const TestDatabase filled(PutOrders);
  static const TestDatabase stored = TestDatabase::FromDirectory(directory ? directory : "");
  return directory ? stored : filled;
}

// Deletes an order, and expects that the orders before it are those of a new fork: a test that shared
// its database with another test would lack one of them.
bool DeletesOneOrder(int test) {
  const Database db = Orders().Fork();
  const Result<Table> table = db.OpenTable("orders");
  if (!table.ok() || !table->DeleteItem({.key = KeyOf(test)}).ok()) return false;
  const auto has = [&](int order) {
    const auto read = table->GetItem({.key = KeyOf(order)});
    return read.ok() && read->item.has_value();
  };
  return !has(test) && has((test + 1) % kTests) && has((test + 2) % kTests) && has(kOrders - 1);
}

class OrdersTest : public testing::TestWithParam<int> {};

TEST_P(OrdersTest, HasAForkOfItsOwn) { EXPECT_TRUE(DeletesOneOrder(GetParam())); }

INSTANTIATE_TEST_SUITE_P(Test, OrdersTest, testing::Range(0, kTests));

// Runs all tests. Returns the number of tests that failed.
int RunInThreads(int count) {
  std::atomic<int> next = 0;
  std::atomic<int> failed = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&] {
      for (int test = next++; test < kTests; test = next++) {
        if (!DeletesOneOrder(test)) ++failed;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return failed;
}

// Returns the value of the argument `--name=value`, or null.
const char* ValueOf(const char* argument, std::string_view name) {
  return std::string_view(argument).starts_with(name) ? argument + name.size() : nullptr;
}

int Run(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc == 1) return RUN_ALL_TESTS();
  if (const char* threads = ValueOf(argv[1], "--threads=")) {
    return RunInThreads(std::atoi(threads)) == 0 ? 0 : 1;
  }
  if (const char* directory = ValueOf(argv[1], "--store=")) {
    std::filesystem::remove_all(directory);
    Orders().Fork({.directory = directory});
    return 0;
  }
  std::cerr << "unknown argument " << argv[1] << ": use --threads=N or --store=DIRECTORY\n";
  return 2;
}

}  // namespace
}  // namespace dolmen::processes

int main(int argc, char** argv) { return dolmen::processes::Run(argc, argv); }
