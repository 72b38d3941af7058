// Tests of the functions of the C interface: their results, errors and rules for null arguments.

#include "c/dolmen.h"

#include <cstdint>
#include <filesystem>
#include <string>

#include "tests/c/c_database.h"
#include "tests/support/temp_directory.h"

namespace dolmen::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kValidation = "ValidationException";
constexpr const char* kManual = R"({"Clock": "2026-04-15T10:30:00Z", "ExpiryLagSeconds": 0})";

std::string OptionsFor(const std::filesystem::path& directory, const std::string& more = "") {
  return R"({"Directory": ")" + directory.string() + "\"" + more + "}";
}

CResponse OpenFails(const std::string& options) {
  dolmen_database* database = reinterpret_cast<dolmen_database*>(1);
  CResponse response = AnswerOf(
      [&](dolmen_buffer* buffer) { return dolmen_open(options.c_str(), &database, buffer); });
  EXPECT_EQ(database, nullptr);
  return response;
}

CDatabase OpenDirectoryC(const std::string& directory, const char* options = "{}") {
  dolmen_database* database = nullptr;
  const CResponse response = AnswerOf([&](dolmen_buffer* buffer) {
    return dolmen_open_directory(directory.c_str(), options, &database, buffer);
  });
  EXPECT_EQ(response.status, 200) << response.body;
  return CDatabase(database);
}

CResponse OpenDirectoryFails(const char* directory, const char* options) {
  dolmen_database* database = reinterpret_cast<dolmen_database*>(1);
  CResponse response = AnswerOf([&](dolmen_buffer* buffer) {
    return dolmen_open_directory(directory, options, &database, buffer);
  });
  EXPECT_EQ(database, nullptr);
  return response;
}

CResponse Backup(dolmen_database* database, const std::filesystem::path& directory) {
  return AnswerOf(
      [&](dolmen_buffer* buffer) { return dolmen_backup(database, directory.c_str(), buffer); });
}

CResponse Restore(const std::filesystem::path& backup, const std::filesystem::path& directory,
                  const char* key = nullptr) {
  return AnswerOf([&](dolmen_buffer* buffer) {
    return dolmen_restore(backup.c_str(), directory.c_str(), key, buffer);
  });
}

CDatabase ForkC(dolmen_database* database, const char* directory = nullptr) {
  dolmen_database* fork = nullptr;
  const CResponse response = AnswerOf(
      [&](dolmen_buffer* buffer) { return dolmen_fork(database, directory, &fork, buffer); });
  EXPECT_EQ(response.status, 200) << response.body;
  return CDatabase(fork);
}

std::int64_t ClockOf(dolmen_database* database) {
  std::int64_t milliseconds = 0;
  EXPECT_EQ(dolmen_clock(database, &milliseconds, nullptr), 200);
  return milliseconds;
}

CResponse SetClock(dolmen_database* database, std::int64_t milliseconds) {
  return AnswerOf(
      [&](dolmen_buffer* buffer) { return dolmen_set_clock(database, milliseconds, buffer); });
}

TEST(DolmenCTest, TheLibraryHasTheVersionsOfTheHeader) {
  EXPECT_EQ(dolmen_abi(), DOLMEN_ABI);
  EXPECT_THAT(dolmen_version(), testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
}

TEST(DolmenCTest, AnOperationHasTheResponseOfTheWire) {
  const CDatabase database = OpenC();
  CreateApp(database.get());
  EXPECT_EQ(Put(database.get(), "a").body, "{}");
  EXPECT_EQ(Get(database.get(), "a"), Stored("a"));
  EXPECT_THAT(Execute(database.get(), "PutItem", R"({"TableName": "app", "Item": {}})"),
              IsAnswer(400, kValidation, HasSubstr("Missing the key PK")));
  EXPECT_THAT(Execute(database.get(), "Get\xff", "{}"),
              IsAnswer(400, "UnknownOperationException", HasSubstr("__type")));
  EXPECT_THAT(Execute(database.get(), "GetItem", "{"),
              IsAnswer(400, "SerializationException", HasSubstr("__type")));
}

TEST(DolmenCTest, ASuccessWithoutAResultIsAnEmptyText) {
  const CDatabase database = OpenC();
  const CResponse response =
      AnswerOf([&](dolmen_buffer* buffer) { return dolmen_wait(database.get(), buffer); });
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "");
}

TEST(DolmenCTest, TheCallerMayDropEachResponse) {
  const CDatabase database = OpenC();
  EXPECT_EQ(dolmen_execute(database.get(), "ListTables", "{}", 2, nullptr), 200);
  EXPECT_EQ(dolmen_execute(database.get(), "ListTables", "[]", 2, nullptr), 400);
  dolmen_free(nullptr);
  dolmen_close(nullptr);
  dolmen_unsubscribe(nullptr);
}

TEST(DolmenCTest, ANullArgumentIsAnError) {
  const CDatabase database = OpenC();
  const auto fails = [](const CResponse& response, const std::string& name) {
    EXPECT_THAT(response, IsAnswer(400, kValidation, HasSubstr("argument " + name + " is NULL")));
  };
  using Buffer = dolmen_buffer*;
  fails(Execute(nullptr, "ListTables", "{}"), "database");
  fails(Execute(database.get(), nullptr, "{}"), "operation");
  fails(AnswerOf([&](Buffer b) { return dolmen_execute(database.get(), "Scan", nullptr, 1, b); }),
        "request");
  fails(AnswerOf([&](Buffer b) { return dolmen_open("{}", nullptr, b); }), "database");
  fails(AnswerOf([&](Buffer b) { return dolmen_open_directory("a", "{}", nullptr, b); }),
        "database");
  fails(AnswerOf([&](Buffer b) { return dolmen_fork(database.get(), nullptr, nullptr, b); }),
        "fork");
  fails(AnswerOf([&](Buffer b) { return dolmen_reset(nullptr, b); }), "database");
  fails(AnswerOf([&](Buffer b) { return dolmen_load_seed(database.get(), nullptr, 1, b); }),
        "json");
  fails(AnswerOf([&](Buffer b) { return dolmen_clock(database.get(), nullptr, b); }),
        "milliseconds");
  fails(AnswerOf([&](Buffer b) { return dolmen_backup(database.get(), nullptr, b); }), "directory");
  fails(AnswerOf([&](Buffer b) { return dolmen_restore(nullptr, "a", nullptr, b); }), "backup");
  fails(AnswerOf([&](Buffer b) { return dolmen_expire(nullptr, b); }), "database");
}

TEST(DolmenCTest, ADatabaseOnDiskKeepsItsItems) {
  const TempDirectory directory;
  const std::string options = OptionsFor(directory / "app", R"(, "Durability": "buffered")");
  CDatabase database = OpenC(options);
  CreateApp(database.get());
  EXPECT_EQ(Put(database.get(), "a").status, 200);
  EXPECT_THAT(OpenFails(options), IsAnswer(400, "ResourceInUseException", HasSubstr("open")));
  database.reset();
  database = OpenC(OptionsFor(directory / "app", R"(, "ReadOnly": true)"));
  EXPECT_EQ(Get(database.get(), "a"), Stored("a"));
  EXPECT_THAT(Put(database.get(), "b"), IsAnswer(400, kValidation, HasSubstr("read")));
}

// The bytes of a path are those of the file system, and an error shows them in a text that is JSON.
TEST(DolmenCTest, ADirectoryMayHaveANameThatIsNotUtf8) {
  const TempDirectory directory;
  const std::string path = directory / "\xff\xfe";
  CDatabase database = OpenDirectoryC(path);
  CreateApp(database.get());
  EXPECT_EQ(Put(database.get(), "a").status, 200);
  EXPECT_TRUE(std::filesystem::is_directory(path));
  EXPECT_THAT(OpenDirectoryFails(path.c_str(), "{}"),
              IsAnswer(400, "ResourceInUseException", HasSubstr("\\\\xff\\\\xfe")));

  EXPECT_EQ(Backup(database.get(), path + "backup").status, 200);
  EXPECT_EQ(Restore(path + "backup", path + "restored").status, 200);
  ForkC(database.get(), (path + "fork").c_str());
  for (const char* copy : {"", "restored", "fork"}) {
    database.reset();
    database = OpenDirectoryC(path + copy, R"({"CreateIfMissing": false})");
    EXPECT_EQ(Get(database.get(), "a"), Stored("a")) << copy;
  }
}

TEST(DolmenCTest, ADirectoryIsGivenOnceOrNotAtAll) {
  EXPECT_THAT(OpenDirectoryFails("", nullptr), IsAnswer(400, kValidation, HasSubstr("empty")));
  EXPECT_THAT(OpenDirectoryFails("a", R"({"Directory": "b"})"),
              IsAnswer(400, kValidation, HasSubstr("option Directory")));
  EXPECT_THAT(OpenDirectoryFails("a", R"({"Colour": 1})"),
              IsAnswer(400, kValidation, HasSubstr("no option Colour")));
  EXPECT_FALSE(std::filesystem::exists("a"));
  dolmen_database* database = nullptr;
  EXPECT_EQ(dolmen_open_directory(nullptr, nullptr, &database, nullptr), 200);
  const CDatabase in_memory(database);
  EXPECT_EQ(AnswerOf([&](dolmen_buffer* b) { return dolmen_reset(database, b); }).status, 200);
}

TEST(DolmenCTest, AMissingDatabaseIsAnErrorIfItMayNotBeCreated) {
  const TempDirectory directory;
  EXPECT_THAT(OpenFails(OptionsFor(directory / "app", R"(, "CreateIfMissing": false)")),
              IsAnswer(400, kValidation, HasSubstr("app")));
}

TEST(DolmenCTest, AForkIsIndependent) {
  const TempDirectory directory;
  CDatabase original = OpenC(kManual);
  CreateApp(original.get());
  Put(original.get(), "a");
  const CDatabase memory = ForkC(original.get());
  const CDatabase disk = ForkC(original.get(), (directory / "fork").c_str());
  Put(original.get(), "b");
  EXPECT_EQ(SetClock(original.get(), 0).status, 200);
  original.reset();
  for (dolmen_database* fork : {memory.get(), disk.get()}) {
    EXPECT_EQ(Get(fork, "a"), Stored("a"));
    EXPECT_EQ(Get(fork, "b"), "{}");
    EXPECT_GT(ClockOf(fork), 0) << "a fork has the time of its original and a clock of its own";
  }
}

TEST(DolmenCTest, AForkNeedsADirectoryOfItsOwn) {
  const TempDirectory directory;
  std::filesystem::create_directory(directory / "other");
  const CDatabase database = OpenC();
  for (const std::string& taken : {std::string(), directory.path().string()}) {
    dolmen_database* fork = nullptr;
    const CResponse response = AnswerOf([&](dolmen_buffer* buffer) {
      return dolmen_fork(database.get(), taken.c_str(), &fork, buffer);
    });
    EXPECT_THAT(response, IsAnswer(400, kValidation, HasSubstr("empty")));
    EXPECT_EQ(fork, nullptr);
  }
}

TEST(DolmenCTest, ResetBringsAForkBackToItsBeginning) {
  const CDatabase original = OpenC(kManual);
  CreateApp(original.get());
  Put(original.get(), "a");
  const CDatabase fork = ForkC(original.get());
  Put(fork.get(), "b");
  const auto reset = [](dolmen_database* database) {
    return AnswerOf([&](dolmen_buffer* buffer) { return dolmen_reset(database, buffer); });
  };
  EXPECT_EQ(reset(fork.get()).status, 200);
  EXPECT_EQ(Get(fork.get(), "a"), Stored("a"));
  EXPECT_EQ(Get(fork.get(), "b"), "{}");
  EXPECT_EQ(reset(original.get()).status, 200);
  EXPECT_EQ(Execute(original.get(), "ListTables", "{}").body, R"({"TableNames":[]})");
  const TempDirectory directory;
  const CDatabase disk = OpenC(OptionsFor(directory / "app"));
  EXPECT_THAT(reset(disk.get()), IsAnswer(400, kValidation, HasSubstr("in memory")));
}

TEST(DolmenCTest, ASeedFillsADatabase) {
  const CDatabase database = OpenC();
  const std::string seed = R"({"Tables": [{"TableName": "app", "BillingMode": "PAY_PER_REQUEST",
      "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
      "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
      "Items": [{"PK": {"S": "a"}}]}]})";
  const auto load = [&](std::string_view text) {
    return AnswerOf([&](dolmen_buffer* buffer) {
      return dolmen_load_seed(database.get(), text.data(), text.size(), buffer);
    });
  };
  EXPECT_EQ(load(seed).status, 200);
  EXPECT_EQ(Get(database.get(), "a"), Stored("a"));
  EXPECT_THAT(load(seed), IsAnswer(400, "ResourceInUseException", HasSubstr("app")));
  EXPECT_THAT(load("{}"), IsAnswer(400, kValidation, HasSubstr("no tables")));
}

TEST(DolmenCTest, AManualClockExpiresItems) {
  const CDatabase database = OpenC(kManual);
  CreateApp(database.get());
  Execute(database.get(), "PutItem",
          R"({"TableName": "app", "Item": {"PK": {"S": "a"}, "expires": {"N": "1776249100"}}})");
  const auto expire = [&] {
    return AnswerOf([&](dolmen_buffer* buffer) { return dolmen_expire(database.get(), buffer); });
  };
  EXPECT_EQ(ClockOf(database.get()), 1776249000000);
  EXPECT_EQ(expire().body, R"({"ExpiredItems":0})");
  EXPECT_EQ(SetClock(database.get(), 1776249101000).status, 200);
  EXPECT_EQ(ClockOf(database.get()), 1776249101000);
  EXPECT_EQ(expire().body, R"({"ExpiredItems":1})");
}

TEST(DolmenCTest, OnlyAManualClockCanBeSetAndOnlyToAYearOfFourDigits) {
  EXPECT_THAT(SetClock(OpenC().get(), 0), IsAnswer(400, kValidation, HasSubstr("manual")));
  const CDatabase database = OpenC(R"({"Clock": "manual"})");
  EXPECT_GT(ClockOf(database.get()), 1776249000000) << "a manual clock begins with the real time";
  EXPECT_EQ(SetClock(database.get(), 253370764799999).status, 200);  // the end of 9998
  for (const std::int64_t wrong : {std::int64_t{253370764800000}, std::int64_t{-1}, INT64_MIN}) {
    EXPECT_THAT(SetClock(database.get(), wrong), IsAnswer(400, kValidation, HasSubstr("1970")));
  }
}

TEST(DolmenCTest, ASimulationProducesFailuresAndListsThem) {
  const CDatabase database = OpenC(R"({"Simulate": {}})");
  CreateApp(database.get());
  const auto simulate = [](dolmen_database* simulated, std::string_view json) {
    return AnswerOf([&](dolmen_buffer* buffer) {
      return dolmen_simulate(simulated, json.data(), json.size(), buffer);
    });
  };
  const auto trace = [](dolmen_database* simulated) {
    return AnswerOf([&](dolmen_buffer* buffer) { return dolmen_trace(simulated, buffer); });
  };
  EXPECT_EQ(
      simulate(database.get(), R"({"Rules": [{"Fault": "Throttling", "CallsMax": 1}]})").status,
      200);
  EXPECT_THAT(Put(database.get(), "a"), IsAnswer(400, "ThrottlingException", HasSubstr("message")));
  EXPECT_EQ(Put(database.get(), "a").status, 200);
  EXPECT_EQ(trace(database.get()).body,
            R"({"Trace":["PutItem table=app key=a call=1 fault=Throttling"]})");
  EXPECT_EQ(simulate(database.get(), "").status, 200);
  EXPECT_EQ(trace(database.get()).body, R"({"Trace":[]})");
  EXPECT_THAT(simulate(database.get(), R"({"Rule": []})"),
              IsAnswer(400, kValidation, HasSubstr("Rule is unknown")));
  const CDatabase plain = OpenC();
  EXPECT_EQ(simulate(plain.get(), "").status, 400);
  EXPECT_EQ(trace(plain.get()).status, 400);
}

TEST(DolmenCTest, ASimulationContinuesAfterAReset) {
  const CDatabase original = OpenC(R"({"Simulate": {}})");
  CreateApp(original.get());
  const CDatabase fork = ForkC(original.get());
  const std::string always = R"({"Rules": [{"Fault": "InternalServerError"}]})";
  ASSERT_EQ(dolmen_simulate(fork.get(), always.data(), always.size(), nullptr), 200);
  ASSERT_EQ(dolmen_reset(fork.get(), nullptr), 200);
  EXPECT_EQ(Put(fork.get(), "a").status, 500);
}

TEST(DolmenCTest, ABackupIsRestored) {
  const TempDirectory directory;
  const std::string key(64, 'a');
  const CDatabase database =
      OpenC(OptionsFor(directory / "app", R"(, "EncryptionKey": ")" + key + "\""));
  CreateApp(database.get());
  Put(database.get(), "a");
  EXPECT_THAT(Backup(database.get(), directory / "backup").body, StartsWith(R"({"Bytes":)"));
  EXPECT_THAT(Backup(database.get(), directory / "app"),
              IsAnswer(400, kValidation, HasSubstr("directory")));
  EXPECT_THAT(Restore(directory / "backup", directory / "restored"),
              IsAnswer(400, kValidation, HasSubstr("key")));
  EXPECT_THAT(Restore(directory / "backup", directory / "restored", "wrong"),
              IsAnswer(400, kValidation, HasSubstr("64 hexadecimal digits")));
  const CResponse restored = Restore(directory / "backup", directory / "restored", key.c_str());
  EXPECT_EQ(restored.status, 200) << restored.body;
  EXPECT_THAT(restored.body, HasSubstr("CopiedBytes"));
  const CDatabase copy =
      OpenC(OptionsFor(directory / "restored", R"(, "EncryptionKey": ")" + key + "\""));
  EXPECT_EQ(Get(copy.get(), "a"), Stored("a"));
}

}  // namespace
}  // namespace dolmen::test
