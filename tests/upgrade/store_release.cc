// Stores a database of this release for tests/upgrade. The README of this folder describes the
// command.

#include <chrono>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "dolmen/dolmen.h"
#include "dolmen/wire.h"
#include "tests/support/items.h"
#include "tests/support/value.h"
#include "tests/upgrade/contents.h"

namespace dolmen::upgrade {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;
using test::B;
using test::N;
using test::Value;

void Check(const Status& status) {
  if (!status.ok()) throw std::runtime_error(status.ToString());
}

Item Row(int number) {
  return {{"PK", "row#" + std::to_string(number / 5)},
          {"SK", std::to_string(number)},
          {"kind", number % 3 == 0 ? "fizz" : "plain"},
          {"at", number * number - 50},
          {"country", number % 2 == 0 ? "FR" : "NL"},
          {"city", "city " + std::to_string(number % 4)},
          {"rank", 100 - number},
          {"note", "the note of row " + std::to_string(number)}};
}

Item KeyOfRow(int number) {
  const Item row = Row(number);
  return {{"PK", row.at("PK")}, {"SK", row.at("SK")}};
}

// Returns an item with a value of each of the ten types, nested and at their limits.
Item AllTypes() {
  Item item = {{"PK", B("all\0types"sv).bytes},
               {"SK", "Größe 🗿"},
               {"s", ""},
               {"n", N("-9.9999999999999999999999999999999999999E125")},
               {"b", B("\0\xff"sv)},
               {"bool", true},
               {"null", nullptr},
               {"m", Map{{"empty", Map{}}, {"list", List{Map{{"deep", false}}}}}},
               {"l", List{1, "one", nullptr, List{}}},
               {"ss", StringSet{"a", "b"}},
               {"ns", NumberSet{N("1E-130"), 0, N("1.5"), std::numeric_limits<int>::max()}},
               {"bs", BinarySet{B(""), B("\xff"sv)}}};
  item.insert({{"kind", "types"}, {"at", N("0.001")}, {"rank", -1}});
  return item;
}

Item Session(const char* name, Timestamp now, std::chrono::seconds expires_in) {
  const auto expires = std::chrono::floor<std::chrono::seconds>(now) + expires_in;
  return {{"PK", "session"}, {"SK", name}, {"expires", expires.time_since_epoch().count()}};
}

Table CreateThings(const Database& db) {
  const Table things = Value(db.CreateTable(
      {.name = kTable,
       .global_secondary_indexes = {{.name = "by_kind",
                                     .partition_key = {{"kind"}},
                                     .sort_key = {{"at", AttributeType::kN}}},
                                    {.name = "by_place",
                                     .partition_key = {{"country"}, {"city"}},
                                     .projection = ProjectionType::kInclude,
                                     .non_key_attributes = {"note"}}},
       .local_secondary_indexes = {{.name = "by_rank",
                                    .sort_key = {"rank", AttributeType::kN},
                                    .projection = ProjectionType::kKeysOnly}},
       .stream_specification = StreamSpecification{.view_type = StreamViewType::kNewAndOldImages},
       .deletion_protection = true,
       .annotations = {{"owner", Map{{"team", "blue"}, {"since", 2026}}}}}));
  Check(db.UpdateTimeToLive({.table_name = kTable, .specification = {.attribute_name = "expires"}})
            .status());
  return things;
}

void PutInTransaction(const Database& db, const Table& table, const char* token, int row) {
  Check(db.TransactWriteItems({.actions = {{table, PutItemInput{.item = Row(row)}},
                                           {table, PutItemInput{.item = Row(row + 1)}}},
                               .client_request_token = token})
            .status());
}

// Delivers `count` records to the subscription. The subscription then stores its position, which is
// after the last delivered record.
void Deliver(const Table& table, int count) {
  Subscription subscription = Value(table.Subscribe(
      {.name = kSubscription, .in_background = false}, [&count](const StreamRecord&) {
        return count-- > 0 ? Status() : Status::Validation("enough");
      }));
  if (subscription.Deliver().ok()) throw std::runtime_error("the stream has too few records");
}

// Creates tables whose keys are numbers and binaries, and deletes a table with a stream.
void CreateOtherTables(const Database& db) {
  const Table numbers = Value(db.CreateTable(
      {.name = "numbers",
       .partition_key = {"id", AttributeType::kN},
       .sort_key = std::nullopt,
       .stream_specification = StreamSpecification{.view_type = StreamViewType::kKeysOnly}}));
  for (const char* id : {"-1.5", "0", "1E-130", "7", "12345678901234567890123456789012345678"}) {
    Check(numbers.PutItem({.item = {{"id", N(id)}}}).status());
  }
  Check(db.UpdateTable({.name = "numbers", .stream_specification = StreamSpecification{false}})
            .status());
  const EndpointResponse created = Endpoint(db).Execute("CreateTable", R"({
      "TableName": "binaries",
      "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "B"},
                               {"AttributeName": "at", "AttributeType": "N"}],
      "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"},
                    {"AttributeName": "at", "KeyType": "RANGE"}],
      "ProvisionedThroughput": {"ReadCapacityUnits": 3, "WriteCapacityUnits": 4},
      "Tags": [{"Key": "team", "Value": "blue"}]})");
  if (created.status != 200) throw std::runtime_error(created.body);
  const Table binaries = Value(db.OpenTable("binaries"));
  for (const std::string_view id : {"\0"sv, "\0\xff"sv, "\xff\xff"sv}) {
    Check(binaries.PutItem({.item = {{"id", B(id)}, {"at", -1}}}).status());
    Check(binaries.PutItem({.item = {{"id", B(id)}, {"at", 1}}}).status());
  }
  const Table dropped = Value(db.CreateTable(
      {.name = "dropped",
       .stream_specification = StreamSpecification{.view_type = StreamViewType::kNewImage}}));
  Check(dropped.PutItem({.item = {{"PK", "p"}, {"SK", "s"}}}).status());
  Check(db.DeleteTable("dropped"));
}

constexpr StreamSpecification kOneMinute{.view_type = StreamViewType::kNewImage,
                                         .retention = std::chrono::minutes(1)};

// Creates a table with two streams. At the last opening, the database deletes the first stream,
// which is disabled, and trims the records of the second stream.
void CreateTrimmed(const Database& db, ManualClock* clock) {
  const Table trimmed =
      Value(db.CreateTable({.name = "trimmed", .stream_specification = kOneMinute}));
  Check(trimmed.PutItem({.item = {{"PK", "p"}, {"SK", "1"}}}).status());
  Check(db.UpdateTable({.name = "trimmed", .stream_specification = StreamSpecification{false}})
            .status());
  clock->Advance(std::chrono::seconds(1));
  Check(db.UpdateTable({.name = "trimmed", .stream_specification = kOneMinute}).status());
  Check(trimmed.PutItem({.item = {{"PK", "p"}, {"SK", "2"}}}).status());
}

// Writes the data that are in a table file of the stored database. The next opening moves them
// from the log to this file.
void WriteFirst(const fs::path& path) {
  const auto clock = ClockAtFirstWrite();
  const Database db = Value(Database::Open(path, OptionsWith(clock)));
  const Table things = CreateThings(db);
  Check(things.WaitForIndexes());
  Check(things.PutItem({.item = AllTypes()}).status());
  for (int number = 0; number < 24; ++number) {
    Check(things.PutItem({.item = Row(number)}).status());
  }
  const Timestamp now = clock->Now();
  Check(things.PutItem({.item = Session("expired", now, -std::chrono::hours(1))}).status());
  if (Value(things.ExpireNow()) != 1) throw std::runtime_error("no item has expired");
  Check(things.PutItem({.item = Session("expires", now, std::chrono::minutes(2))}).status());
  Check(things.PutItem({.item = Session("lives", now, std::chrono::hours(24))}).status());
  PutInTransaction(db, things, kOlderToken, 24);
  Deliver(things, 3);
  CreateOtherTables(db);
  CreateTrimmed(db, clock.get());
}

// Writes the data that are in the log of the stored database. Returns the contents of the database.
std::string WriteLast(const fs::path& path) {
  const auto clock = ClockAtFirstWrite();
  clock->Advance(kLastOpening);
  const Database db = Value(Database::Open(path, OptionsWith(clock)));
  const Table things = Value(db.OpenTable(kTable));
  Check(things
            .UpdateItem({.key = KeyOfRow(3),
                         .update = "SET kind = :k, #r = #r + :one REMOVE city",
                         .names = {{"#r", "rank"}},
                         .values = {{":k", "moved"}, {":one", 1}}})
            .status());
  Check(things.DeleteItem({.key = KeyOfRow(4)}).status());
  PutInTransaction(db, things, kNewerToken, 26);
  Deliver(things, 2);
  const StreamSpecification old_images{.view_type = StreamViewType::kOldImage};
  Check(db.UpdateTable({.name = "numbers", .stream_specification = old_images}).status());
  Check(Value(db.OpenTable("numbers")).DeleteItem({.key = {{"id", 7}}}).status());
  Check(Value(db.OpenTable("trimmed")).PutItem({.item = {{"PK", "p"}, {"SK", "3"}}}).status());
  return ReadContents(db);
}

void Store(const fs::path& folder) {
  if (fs::exists(folder)) {
    throw std::runtime_error(folder.string() +
                             " exists already: the database of a release is stored only once");
  }
  fs::create_directories(folder);
  try {
    WriteFirst(folder / kDatabaseFolder);
    std::ofstream(folder / kContentsFile) << WriteLast(folder / kDatabaseFolder);
  } catch (...) {
    fs::remove_all(folder);
    throw;
  }
  std::cout << "Stored a database of release " DOLMEN_VERSION " in " << folder.string() << ".\n";
}

}  // namespace
}  // namespace dolmen::upgrade

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: store_release FOLDER\n";
    return 2;
  }
  try {
    dolmen::upgrade::Store(std::filesystem::path(argv[1]) / DOLMEN_VERSION);
  } catch (const std::exception& error) {
    std::cerr << "store_release: " << error.what() << '\n';
    return 1;
  }
}
