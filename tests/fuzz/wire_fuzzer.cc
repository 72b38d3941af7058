// Fuzzes the wire protocol: sends requests to an endpoint, one after the other. The database has a
// table "app" with indexes, a stream and a time to live.
//
// Input: lines. Each line is an operation's name, a space and its JSON. A line with "Wait" and a
// number advances the clock by that many seconds and deletes expired items. If the first line is
// "Threads" and a number, that many threads execute the other lines at the same time. The lines are
// dealt out to the threads in turn, and each thread executes its lines three times.

#include <simdjson.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <latch>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "dolmen/create_table.h"
#include "dolmen/database.h"
#include "dolmen/list_tables.h"
#include "dolmen/table.h"
#include "dolmen/wire.h"
#include "tests/fuzz/require.h"
#include "tests/support/wire_response.h"

namespace dolmen::fuzz {
namespace {

// The name of a table that stays unchanged, because the fuzzer sends no request that names it.
constexpr std::string_view kKept = "kept-apart";
constexpr std::size_t kThreadsMax = 4;

void Check(const Status& status) { Require(status.ok(), status.ToString()); }

std::string_view TakeUntil(char end, std::string_view* rest) {
  const std::size_t at = std::min(rest->find(end), rest->size());
  const std::string_view taken = rest->substr(0, at);
  rest->remove_prefix(std::min(at + 1, rest->size()));
  return taken;
}

std::uint32_t ReadNumber(std::string_view text) {
  std::uint32_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

CreateTableInput TheTable() {
  CreateTableInput input;
  input.name = "app";
  input.global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")};
  input.local_secondary_indexes = {{.name = "by_age",
                                    .sort_key = {"age", AttributeType::kN},
                                    .projection = ProjectionType::kKeysOnly}};
  input.stream_specification = StreamSpecification{.view_type = StreamViewType::kNewAndOldImages};
  return input;
}

// A database that serves many inputs. End() undoes the changes of one input before the next input.
class World {
 public:
  World() {
    Result<Database> database = Database::InMemory({.clock = clock_, .expiry_lag = std::nullopt});
    Check(database.status());
    database_ = std::make_unique<Database>(*std::move(database));
    endpoint_ = std::make_unique<Endpoint>(*database_);
    const Result<Table> kept = database_->CreateTable({.name = std::string(kKept)});
    Check(kept.status());
    for (const char* const sort : {"1", "2"}) {
      Check(kept->PutItem({.item = {{"PK", "p"}, {"SK", sort}, {"n", 1}}}).status());
    }
    kept_ = Kept();
  }

  void Begin() {
    const Result<Table> table = database_->CreateTable(TheTable());
    Check(table.status());
    Check(database_
              ->UpdateTimeToLive({.table_name = "app", .specification = {.attribute_name = "ttl"}})
              .status());
    Item item = {{"PK", "p"},
                 {"age", 5},
                 {"GSI1PK", "g"},
                 {"GSI1SK", "s"},
                 {"n", 1},
                 {"l", List{1, "x"}},
                 {"ss", StringSet{"a", "b"}},
                 {"m", Map{{"k", List{Map{{"k", 1}}}}}}};
    for (const char* const sort : {"1", "2"}) {
      item.insert_or_assign("SK", sort);
      Check(table->PutItem({.item = item}).status());
    }
  }

  // Executes a line of the input. If `is_alone` is false, other threads may execute lines
  // meanwhile.
  void ExecuteLine(std::string_view json, bool is_alone) {
    const std::string_view operation = TakeUntil(' ', &json);
    if (operation == "Wait") {
      Wait(json);
      return;
    }
    if (MayNameKept(json)) return;
    const auto unreadable = endpoint_->Unreadable(operation, json);
    const EndpointResponse response = endpoint_->Execute(operation, json);
    const std::string fault = test::FaultOf(operation, response);
    Require(fault.empty(), fault);
    if (unreadable) {
      Require(unreadable->status == response.status && unreadable->body == response.body,
              "Execute and Unreadable give the same answer");
    }
    if (operation == "UpdateTable") index_may_be_made_ = true;
    if (is_alone && IsRead(operation)) RequireSameTwice(operation, json);
  }

  void ExecuteTogether(const std::vector<std::string_view>& lines, std::size_t thread_count) {
    constexpr int kRounds = 3;
    std::latch all_threads(static_cast<std::ptrdiff_t>(thread_count));
    std::vector<std::jthread> threads;
    for (std::size_t begin = 0; begin < thread_count; ++begin) {
      threads.emplace_back([&, begin] {
        all_threads.arrive_and_wait();
        for (int round = 0; round < kRounds; ++round) {
          for (std::size_t i = begin; i < lines.size(); i += thread_count) {
            ExecuteLine(lines[i], false);
          }
        }
      });
    }
  }

  // Checks all tables and drops the tables that the input created. Returns false if it could not
  // drop all of them.
  bool End() {
    Require(Kept() == kept_, "a table that no request names does not change");
    WaitForIndexes();
    const Result<VerifyOutput> verified = database_->Verify();
    Check(verified.status());
    for (const VerifyFinding& finding : verified->findings) Require(false, finding.message);
    const ListTablesOutput tables = Tables();
    if (!tables.last_evaluated_table_name.empty()) return false;
    return std::all_of(tables.table_names.begin(), tables.table_names.end(),
                       [&](const std::string& name) { return name == kKept || Drop(name); });
  }

 private:
  void Wait(std::string_view seconds) {
    clock_->Advance(std::chrono::seconds(ReadNumber(seconds)));
    if (const Result<Table> table = database_->OpenTable("app"); table.ok()) {
      const Status expired = table->ExpireNow().status();
      // Another thread may have deleted the table.
      if (expired.code() != StatusCode::kResourceNotFound) Check(expired);
    }
  }

  static bool IsRead(std::string_view operation) {
    return operation == "GetItem" || operation == "Query" || operation == "Scan" ||
           operation == "BatchGetItem" || operation == "TransactGetItems";
  }

  // Returns true if the JSON may contain the name of the kept table, plain or written with escapes.
  // Also returns true if simdjson cannot read a number in the JSON, because the endpoint may be
  // able to read the number.
  static bool MayNameKept(std::string_view json) {
    if (json.find(kKept) != json.npos) return true;
    if (json.find('\\') == json.npos) return false;
    simdjson::dom::parser parser;
    simdjson::dom::element request;
    const simdjson::error_code error = parser.parse(json.data(), json.size()).get(request);
    if (error != simdjson::SUCCESS) return error == simdjson::NUMBER_ERROR;
    return simdjson::minify(request).find(kKept) != std::string::npos;
  }

  void RequireSameTwice(std::string_view operation, std::string_view json) {
    WaitForIndexes();
    const EndpointResponse once = endpoint_->Execute(operation, json);
    const EndpointResponse again = endpoint_->Execute(operation, json);
    Require(again.status == once.status && again.body == once.body,
            "a read gives the same answer twice");
  }

  // Waits until no backfill runs. A backfill that ends between two equal reads could change the
  // second response.
  void WaitForIndexes() {
    if (!index_may_be_made_.exchange(false)) return;
    for (const std::string& name : Tables().table_names) {
      const Result<Table> table = database_->OpenTable(name);
      Check(table.status());
      Check(table->WaitForIndexes());
    }
  }

  ListTablesOutput Tables() const {
    Result<ListTablesOutput> tables = database_->ListTables({});
    Check(tables.status());
    return *std::move(tables);
  }

  std::string Kept() const {
    return endpoint_->Execute("Scan", R"({"TableName":")" + std::string(kKept) + R"("})").body;
  }

  bool Drop(const std::string& name) {
    if (database_->DeleteTable(name).ok()) return true;
    return database_->UpdateTable({.name = name, .deletion_protection = false}).ok() &&
           database_->DeleteTable(name).ok();
  }

  std::shared_ptr<ManualClock> clock_ = std::make_shared<ManualClock>();
  std::unique_ptr<Database> database_;
  std::unique_ptr<Endpoint> endpoint_;
  std::string kept_;
  std::atomic<bool> index_may_be_made_ = false;
};

// Returns the database. If `renew` is true, first replaces the database with a new database,
// because the streams of deleted tables accumulate. Never closes the last database, because at the
// exit of the process RocksDB's static objects are destroyed first.
World& TheWorld(bool renew) {
  static World* world = nullptr;
  if (renew || world == nullptr) {
    delete world;
    world = new World();
  }
  return *world;
}

void Try(std::string_view input) {
  static int runs = 0;
  constexpr int kRunsMax = 200;
  static bool dirty = false;
  World& world = TheWorld(dirty || ++runs % kRunsMax == 0);
  world.Begin();
  std::vector<std::string_view> lines;
  while (!input.empty()) lines.push_back(TakeUntil('\n', &input));
  constexpr std::string_view kThreads = "Threads ";
  if (!lines.empty() && lines.front().starts_with(kThreads)) {
    const std::size_t count = ReadNumber(lines.front().substr(kThreads.size()));
    lines.erase(lines.begin());
    world.ExecuteTogether(lines, std::clamp<std::size_t>(count, 1, kThreadsMax));
  } else {
    for (const std::string_view line : lines) world.ExecuteLine(line, true);
  }
  dirty = !world.End();
}

}  // namespace
}  // namespace dolmen::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  dolmen::fuzz::Try({reinterpret_cast<const char*>(data), size});
  return 0;
}
