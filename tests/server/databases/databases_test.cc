// Tests of the databases of access keys: their number and their lifetime.

#include "server/databases/databases.h"

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

using server::Databases;
using server::ServedDatabase;
using testing::HasSubstr;
using SteadyTime = ServedDatabase::SteadyTime;

class DatabasesTest : public testing::Test {
 protected:
  DatabasesTest() { EXPECT_THAT(original_.CreateTable({.name = "app"}), IsOk()); }

  Databases Make(std::size_t databases_max = 1000) const {
    return Databases(original_, {.databases_max = databases_max,
                                 .idle_max = std::chrono::seconds(10),
                                 .now = [this] { return now_; }});
  }
  static std::string Ask(const std::shared_ptr<ServedDatabase>& database,
                         const std::string& operation, const std::string& json) {
    EndpointResponse response;
    database->Execute(operation, json, kDefaultRegion, &response);
    return response.body;
  }

  const Database original_ = Value(Database::InMemory({.expiry_lag = std::nullopt}));
  SteadyTime now_ = SteadyTime(std::chrono::hours(1));
};

TEST_F(DatabasesTest, AnAccessKeyKeepsItsDatabase) {
  Databases databases = Make();
  const auto a = Value(databases.Find("a"));
  EXPECT_EQ(Value(databases.Find("a")), a);
  EXPECT_NE(Value(databases.Find("b")), a);
  EXPECT_EQ(databases.size(), 2);
}

TEST_F(DatabasesTest, NoAccessKeyMeansTheOriginal) {
  Databases databases = Make();
  const auto original = Value(databases.Find(""));
  EXPECT_EQ(databases.size(), 0);
  Ask(original, "DeleteTable", R"({"TableName":"app"})");
  EXPECT_EQ(Ask(Value(databases.Find("a")), "ListTables", "{}"), R"({"TableNames":[]})")
      << "a fork has the contents that the original has at the first request";
}

TEST_F(DatabasesTest, AnIdleDatabaseIsDropped) {
  Databases databases = Make();
  Ask(Value(databases.Find("a")), "DeleteTable", R"({"TableName":"app"})");
  Value(databases.Find("b"));
  now_ += std::chrono::seconds(6);
  Value(databases.Find("b"));
  now_ += std::chrono::seconds(6);
  databases.DropIdle();
  EXPECT_EQ(databases.size(), 1);
  EXPECT_EQ(Ask(Value(databases.Find("a")), "ListTables", "{}"), R"({"TableNames":["app"]})")
      << "the next request gets a new fork";
}

TEST_F(DatabasesTest, ADroppedDatabaseLivesAsLongAsItsRequest) {
  Databases databases = Make();
  const auto a = Value(databases.Find("a"));
  now_ += std::chrono::seconds(11);
  databases.DropIdle();
  EXPECT_EQ(databases.size(), 0);
  EXPECT_EQ(Ask(a, "ListTables", "{}"), R"({"TableNames":["app"]})");
}

TEST_F(DatabasesTest, TheNumberOfDatabasesIsLimited) {
  Databases databases = Make(2);
  Value(databases.Find("a"));
  Value(databases.Find("b"));
  EXPECT_THAT(databases.Find("c"), StatusIs(StatusCode::kValidation, HasSubstr("--databases-max")));
  EXPECT_THAT(databases.Find("a"), IsOk());
  now_ += std::chrono::seconds(11);
  EXPECT_THAT(databases.Find("c"), IsOk()) << "an idle database gives way";
  EXPECT_EQ(databases.size(), 1);
}

TEST_F(DatabasesTest, ThreadsWithOneAccessKeyShareADatabase) {
  Databases databases = Make();
  std::vector<std::shared_ptr<ServedDatabase>> found(8);
  std::vector<std::thread> threads;
  for (auto& database : found) {
    threads.emplace_back([&] { database = Value(databases.Find("a")); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& database : found) EXPECT_EQ(database, found.front());
}

}  // namespace
}  // namespace dolmen::test
