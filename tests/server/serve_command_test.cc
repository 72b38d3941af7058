// Tests of `dolmen serve` as a process: its output, its exit, and the durability of its data.

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <list>
#include <string>
#include <thread>
#include <vector>

#include "dolmen/database.h"
#include "tests/server/http_client.h"
#include "tests/server/serve_fixture.h"
#include "tests/support/child_process.h"
#include "tests/support/sanitizer.h"
#include "tests/support/status_matchers.h"
#include "tests/support/system_call_filter.h"
#include "tests/support/temp_directory.h"

namespace dolmen::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Optional;
using ::testing::StartsWith;

// Runs a server that has descriptors for few clients only.
constexpr rlim_t kFewDescriptors = 128;
int CrampedDolmen(const ChildArguments& arguments) {
  const rlimit few = {kFewDescriptors, kFewDescriptors};
  ::setrlimit(RLIMIT_NOFILE, &few);
  return Dolmen(arguments);
}
const ChildRole kCrampedDolmen("cramped_dolmen", CrampedDolmen);

// Runs a server that cannot write much to a file at once. The server notices this only when a write
// fails.
int StuntedDolmen(const ChildArguments& arguments) {
  if (!FailLargeWrites()) return 1;
  return Dolmen(arguments);
}
const ChildRole kStuntedDolmen("stunted_dolmen", StuntedDolmen);

// Runs a server whose environment variable for access keys contains no key.
int KeylessDolmen(const ChildArguments& arguments) {
  ::setenv("DOLMEN_ACCESS_KEYS", "# none yet\n", 1);
  return Dolmen(arguments);
}
const ChildRole kKeylessDolmen("keyless_dolmen", KeylessDolmen);

class ServeCommandTest : public ServeFixture {
 protected:
  // Starts a new server on the directory and returns its response to a Scan that counts the items.
  std::string CountIn(const std::string& path) {
    Running server = Run({"serve", "--path", path, "--port", "0"});
    return CountAt(server.Port());
  }
};

TEST_F(ServeCommandTest, BeginsWithTheItemsOfAFixture) {
  const std::string path = directory_ / "db";
  {
    Running server = Run({"serve", "--path", path, "--port", "0"});
    HttpClient client(server.Port());
    ASSERT_EQ(client.Ask(CreateApp())->status, 200);
    ASSERT_EQ(client.Ask(Put("1"))->status, 200);
  }
  for (int round = 0; round < 2; ++round) {
    Running server = Run({"serve", "--memory", "--fixture", path, "--port", "0"});
    const std::uint16_t port = server.Port();
    EXPECT_THAT(CountAt(port), HasSubstr(R"("Count":1)")) << "the fixture stays unchanged";
    EXPECT_EQ(HttpClient(port).Ask(Put("2"))->status, 200);
  }
}

TEST_F(ServeCommandTest, GivesEachAccessKeyADatabaseOfItsOwn) {
  Running server = Run({"serve", "--memory", "--database-per-access-key", "--port", "0"});
  HttpClient client(server.Port());
  EXPECT_EQ(client.Ask(CreateApp())->status, 200);
  const std::string other_key =
      "AWS4-HMAC-SHA256 Credential=other/20260101/eu-north-1/dynamodb/aws4_request, "
      "SignedHeaders=host, Signature=00";
  EXPECT_EQ(client.Ask(RequestText("{}", {.authorization = other_key}))->body,
            R"({"TableNames":[]})");
}

TEST_F(ServeCommandTest, ExecutesControlRequestsOnRequest) {
  Running server = Run({"serve", "--memory", "--control", "--clock", "2026-04-15T10:30:00Z",
                        "--expiry-lag", "0", "--port", "0"});
  HttpClient client(server.Port());
  EXPECT_EQ(client.Ask(CreateApp())->status, 200);
  EXPECT_EQ(client.Ask(RequestText("", {.target = "/_dolmen/clock?advance=1"}))->body,
            R"({"Now":"2026-04-15T10:30:01Z"})");
  EXPECT_EQ(client.Ask(RequestText("", {.target = "/_dolmen/reset"}))->body, "{}");
  EXPECT_EQ(client.Ask(RequestText("{}"))->body, R"({"TableNames":[]})");
}

TEST_F(ServeCommandTest, ProducesTheFaultsOfAFile) {
  std::ofstream(directory_ / "faults.json")
      << R"({"Rules":[{"Operation":"PutItem","Fault":"DroppedConnection","CallsMax":1}]})";
  Running server =
      Run({"serve", "--memory", "--simulate", directory_ / "faults.json", "--port", "0"});
  const std::uint16_t port = server.Port();
  EXPECT_EQ(HttpClient(port).Ask(CreateApp())->status, 200);
  EXPECT_EQ(HttpClient(port).Ask(Put("1")), std::nullopt);
  EXPECT_EQ(HttpClient(port).Ask(Put("1"))->status, 200);
}

TEST_F(ServeCommandTest, AFileThatIsNoSimulationIsAnError) {
  std::ofstream(directory_ / "faults.json") << R"({"Rules":[{"Fault":"Rain"}]})";
  Running server =
      Run({"serve", "--memory", "--simulate", directory_ / "faults.json", "--port", "0"});
  EXPECT_EQ(server.child().Finish(), 1);
  EXPECT_THAT(Errors(), HasSubstr("faults.json: the simulation is rejected: Rules[0].Fault"));
}

TEST_F(ServeCommandTest, ArnsHaveTheGivenRegionAndAccount) {
  Running server = Run(
      {"serve", "--memory", "--region", "ap-south-1", "--account", "123456789012", "--port", "0"});
  EXPECT_THAT(HttpClient(server.Port()).Ask(CreateApp())->body,
              HasSubstr("arn:aws:dynamodb:ap-south-1:123456789012:table/app"));
}

TEST_F(ServeCommandTest, LeavesOutOperations) {
  Running server = Run({"serve", "--memory", "--without", "Scan,DescribeLimits", "--like",
                        "alternator", "--port", "0"});
  HttpClient client(server.Port());
  for (const std::string operation : {"Scan", "DescribeLimits", "ListBackups"}) {
    const std::string request = RequestText("{}", {.operation = "DynamoDB_20120810." + operation});
    EXPECT_THAT(client.Ask(request)->body, HasSubstr("UnknownOperationException"));
  }
  EXPECT_EQ(client.Ask(RequestText("{}"))->body, R"({"TableNames":[]})");
}

TEST_F(ServeCommandTest, ExplainsAStatementIfItMayHaveAdditions) {
  const std::string request = RequestText(R"({"Statement":"EXPLAIN SELECT * FROM app"})",
                                          {.operation = "DynamoDB_20120810.ExecuteStatement"});
  Running without = Run({"serve", "--memory", "--port", "0"});
  EXPECT_THAT(HttpClient(without.Port()).Ask(request)->body, HasSubstr("wasn't well formed"));
  Running with = Run({"serve", "--memory", "--statement-additions", "--port", "0"});
  HttpClient client(with.Port());
  client.Ask(CreateApp());
  EXPECT_THAT(client.Ask(request)->body, HasSubstr(R"("FullScan":{"BOOL":true})"));
}

TEST_F(ServeCommandTest, PrintsOneLineAndServesUntilASignal) {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    Running server = Run({"serve", "--memory", "--port", "0"});
    HttpClient client(server.Port());
    EXPECT_EQ(client.Ask(RequestText("{}"))->body, R"({"TableNames":[]})");
    server.Signal(signal);
    EXPECT_EQ(client.ReadToEnd(), "");
    EXPECT_EQ(server.child().ReadLine(), std::nullopt) << "more than one line";
    EXPECT_EQ(server.child().Finish(), 0);
    EXPECT_EQ(Errors(), "");
  }
}

TEST_F(ServeCommandTest, BacksUpAtEachUserSignal) {
  const std::string backup = directory_ / "backup";
  Running server =
      Run({"serve", "--path", directory_ / "db", "--port", "0", "--backup-to", backup});
  HttpClient client(server.Port());
  ASSERT_TRUE(client.Ask(CreateApp()).has_value());
  for (const int count : {1, 2}) {
    ASSERT_TRUE(client.Ask(Put(std::to_string(count))).has_value());
    server.Signal(SIGUSR1);
    EXPECT_THAT(server.child().ReadLine(), Optional(StartsWith("Backed up to " + backup + ": ")));
    const std::string restored = directory_ / std::to_string(count);
    ASSERT_THAT(Database::Restore(backup, restored), IsOk());
    EXPECT_THAT(CountIn(restored), HasSubstr("\"Count\":" + std::to_string(count)));
  }
  std::filesystem::rename(backup, directory_ / "moved");
  std::ofstream(backup) << "a file";
  server.Signal(SIGUSR1);
  while (Errors().empty()) std::this_thread::yield();
  EXPECT_THAT(Errors(), HasSubstr("the backup failed"));
  server.Signal(SIGTERM);
  EXPECT_EQ(server.child().Finish(), 0);
}

TEST_F(ServeCommandTest, EndsCleanlyAfterTwoSignals) {
  Running server = Run({"serve", "--path", directory_ / "db", "--port", "0"});
  server.Port();
  server.Signal(SIGINT);
  server.Signal(SIGTERM);
  EXPECT_EQ(server.child().Finish(), 0);
}

// After a failed write the database is read-only until it is reopened. So the server ends, and a
// supervisor can restart the server with a writable database.
TEST_F(ServeCommandTest, EndsWhenTheDatabaseBecomesReadOnly) {
  const std::string path = directory_ / "db";
  const std::string text(200'000, 'x');
  Running server = Run({"serve", "--path", path, "--port", "0"}, kStuntedDolmen);
  HttpClient client(server.Port());
  ASSERT_EQ(client.Ask(CreateApp())->status, 200);
  ASSERT_EQ(client.Ask(Put("0"))->status, 200);
  EXPECT_EQ(client.Ask(Put("1", text))->status, 500);
  EXPECT_EQ(client.ReadToEnd(), "");
  EXPECT_EQ(server.child().Finish(), 1);
  EXPECT_THAT(Errors(), HasSubstr("start the server again"));
  EXPECT_THAT(CountIn(path), HasSubstr("\"Count\":1"));
}

TEST_F(ServeCommandTest, LeavesDescriptorsForTheDatabase) {
  Running server =
      Run({"serve", "--path", directory_ / "db", "--port", "0", "--threads", "2"}, kCrampedDolmen);
  const std::uint16_t port = server.Port();
  std::list<HttpClient> clients;
  for (int i = 0; i < 200; ++i) clients.emplace_back(port);
  EXPECT_EQ(clients.front().Ask(CreateApp())->status, 200);
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(clients.front().Ask(Put(std::to_string(i)))->status, 200);
  }
  EXPECT_LE(server.OpenDescriptors(), kFewDescriptors - 8);
}

TEST_F(ServeCommandTest, AVariableWithoutAnAccessKeyIsAnError) {
  Running server = Run({"serve", "--memory", "--port", "0"}, kKeylessDolmen);
  EXPECT_EQ(server.child().ReadLine(), std::nullopt);
  EXPECT_EQ(server.child().Finish(), 2);
  EXPECT_THAT(Errors(), HasSubstr("no access key in DOLMEN_ACCESS_KEYS"));
}

TEST_F(ServeCommandTest, KeepsTheTablesInItsDirectory) {
  const std::string path = directory_ / "db";
  for (const std::string durability : {"sync", "buffered"}) {
    Running server = Run({"serve", "--path", path, "--port", "0", "--durability", durability});
    HttpClient client(server.Port());
    EXPECT_EQ(client.Ask(CreateApp())->status, durability == "sync" ? 200 : 400);
    EXPECT_EQ(client.Ask(Put(durability))->status, 200);
    server.Signal(SIGTERM);
    EXPECT_EQ(server.child().Finish(), 0);
  }
  EXPECT_THAT(CountIn(path), HasSubstr(R"("Count":2)"));
}

TEST_F(ServeCommandTest, ServesAnEncryptedDatabaseOnlyWithItsKey) {
  std::ofstream(directory_ / "key") << std::string(64, '7') << "\n";
  const std::vector<std::string> words = {"serve", "--path", directory_ / "db", "--port", "0"};
  std::vector<std::string> words_with_key = words;
  words_with_key.insert(words_with_key.end(), {"--encryption-key-file", directory_ / "key"});
  for (const int status : {200, 400}) {
    Running server = Run(words_with_key);
    EXPECT_EQ(HttpClient(server.Port()).Ask(CreateApp())->status, status);
    server.Signal(SIGTERM);
    EXPECT_EQ(server.child().Finish(), 0);
  }
  Running server = Run(words);
  EXPECT_EQ(server.child().Finish(), 1);
  EXPECT_THAT(Errors(), HasSubstr("is encrypted: open it with its key"));
}

// An acknowledged write survives a crash of the process.
TEST_F(ServeCommandTest, KeepsAcknowledgedWritesWhenItIsKilled) {
  const std::string path = directory_ / "db";
  {
    Running server = Run({"serve", "--path", path, "--port", "0"});
    HttpClient client(server.Port());
    ASSERT_EQ(client.Ask(CreateApp())->status, 200);
    for (int i = 0; i < 20; ++i) ASSERT_EQ(client.Ask(Put(std::to_string(i)))->status, 200);
    server.child().Kill();
  }
  EXPECT_THAT(CountIn(path), HasSubstr(R"("Count":20)"));
}

TEST_F(ServeCommandTest, VerifiesSignaturesIfAccessKeysAreGiven) {
  std::ofstream(directory_ / "keys") << "id=secret\n";
  Running server =
      Run({"serve", "--memory", "--port", "0", "--access-key-file", directory_ / "keys",
           "--access-key", "other=secret", "--require-signed-payload"});
  HttpClient client(server.Port());
  EXPECT_THAT(client.Ask(RequestText("{}"))->body, HasSubstr("InvalidSignatureException"));
  EXPECT_THAT(
      client.Ask(RequestText("{}", {.more = "X-Amz-Content-SHA256: UNSIGNED-PAYLOAD\r\n"}))->body,
      HasSubstr("requires a signed payload"));
}

TEST_F(ServeCommandTest, WarnsAboutAPublicAddressWithoutAccessKeys) {
  Running open = Run({"serve", "--memory", "--port", "0", "--host", "0.0.0.0"});
  EXPECT_THAT(open.child().ReadLine().value_or(""), HasSubstr("http://0.0.0.0:"));
  EXPECT_THAT(Errors(), HasSubstr("--access-key"));
  std::ofstream(directory_ / "keys") << "id=secret\n";
  Running closed = Run({"serve", "--memory", "--port", "0", "--host", "0.0.0.0",
                        "--access-key-file", directory_ / "keys"});
  EXPECT_THAT(closed.child().ReadLine().value_or(""), HasSubstr("http://0.0.0.0:"));
  EXPECT_EQ(Errors(), "");
}

TEST_F(ServeCommandTest, WarnsAboutAccessKeysInTheListOfProcesses) {
  Running server = Run({"serve", "--memory", "--port", "0", "--access-key", "id=secret"});
  server.Port();
  EXPECT_THAT(Errors(), HasSubstr("use --access-key-file or the variable DOLMEN_ACCESS_KEYS"));
}

TEST_F(ServeCommandTest, KeepsServingWhenDescriptorsRunOut) {
  if (kUnderAddressSanitizer) {
    GTEST_SKIP() << "ubsan checks addresses through a pipe, and a failed pipe means a bad address";
  }
  Running server = Run({"serve", "--memory", "--port", "0", "--threads", "2"}, kCrampedDolmen);
  const std::uint16_t port = server.Port();
  std::list<HttpClient> clients;
  for (int i = 0; i < 200; ++i) clients.emplace_back(port);
  EXPECT_EQ(clients.front().Ask(RequestText("{}"))->status, 200) << "the first client is served";
  // Clients that had to wait are accepted after other clients have left.
  while (clients.size() > 30) clients.pop_front();
  EXPECT_EQ(clients.back().Ask(RequestText("{}"))->status, 200);
}

TEST_F(ServeCommandTest, AnswersAThousandClients) {
  rlimit limit = {};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  Running server = Run({"serve", "--memory", "--port", "0"});
  const std::uint16_t port = server.Port();
  std::vector<HttpClient> clients;
  for (int i = 0; i < 1000; ++i) clients.emplace_back(port);
  for (HttpClient& client : clients) ASSERT_EQ(client.Ask(RequestText("{}"))->status, 200);
}

struct Misuse {
  std::vector<std::string> words;
  int exit_code;
  std::string says;
};

TEST_F(ServeCommandTest, PrintsOneLineForAnErrorAndEnds) {
  std::ofstream(directory_ / "file") << "x";
  Running other = Run({"serve", "--memory", "--port", "0"});
  const std::string port = std::to_string(other.Port());
  Running holder = Run({"serve", "--path", directory_ / "held", "--port", "0"});
  holder.Port();
  const std::vector<Misuse> misuses = {
      {{"serve", "--memory", "--port", port}, 1, "Port " + port + " is in use"},
      {{"serve", "--memory", "--host", "nowhere"}, 1, "\"nowhere\" is not an address"},
      {{"serve", "--memory", "--host", "192.0.2.1"}, 1, "192.0.2.1"},
      {{"serve", "--path", directory_ / "file", "--port", "0"}, 1, "is a file"},
      {{"serve", "--path", directory_.path(), "--port", "0"}, 1, "holds no Dolmen database"},
      {{"serve", "--path", "", "--port", "0"}, 1, "its path is empty"},
      {{"serve", "--path", directory_ / "held", "--port", "0"}, 1, "held"},
      {{"serve", "--memory", "--access-key", "x"}, 2, "ID=SECRET"},
      {{"serve", "--memory", "--encryption-key-file", "x"}, 2, "requires --path"},
      {{"serve", "--memory", "--fixture", directory_ / "none.json"}, 1, "can't read the fixture"},
      {{"serve", "--path", "x", "--fixture", "y"}, 2, "requires --memory"},
      {{"serve", "--path", "x", "--database-per-access-key"}, 2, "requires --memory"},
      {{"serve", "--memory", "--databases-max", "5"}, 2, "requires --database-per-access-key"},
      {{"serve", "--path", "x", "--control"}, 2, "requires --memory"},
      {{"serve", "--memory", "--control", "--backup-to", "x"}, 2, "--control excludes --backup-to"},
      {{"serve", "--memory", "--clock", "noon"}, 2, "noon is not a clock"},
      {{"serve", "--memory", "--clock=-001-01-01T00:00:00Z"}, 2, "is not a clock"},
      {{"serve", "--memory", "--clock", "10000-01-01T00:00:00Z"}, 2, "is not a clock"},
      {{"serve", "--memory", "--clock", "0000-01-01T00:00:00Z"}, 2, "in the years 1970 to 9998"},
      {{"serve", "--memory", "--clock", "1969-12-31T23:59:59Z"}, 2, "in the years 1970 to 9998"},
      {{"serve", "--memory", "--clock", "9999-01-01T00:00:00Z"}, 2, "in the years 1970 to 9998"},
      {{"serve", "--memory", "--region", "EU"}, 2, "EU is not a region"},
      {{"serve", "--memory", "--account", "12"}, 2, "12 is not an account"},
      {{"serve", "--memory", "--without", "Vacuum"}, 2, "Vacuum is not an operation"},
      {{"serve", "--memory", "--access-key-file", directory_.path()}, 2, directory_.path()},
      {{"serve", "--memory", "--require-signed-payload"}, 2, "needs access keys"},
      {{"serve", "--memory", "--cors-origin", "app.example"}, 2, "app.example is not an origin"},
      {{"serve", "--memory", "--cors-origin", "http://app.example/page"},
       2,
       "is not an origin; give http://app.example."},
      {{"serve", "--memory", "--cors-origin", "https://app.example:443"},
       2,
       "is not an origin; give https://app.example."},
      {{"serve", "--memory", "--cors-origin", "ftp://app.example"}, 2, "ftp://app.example is not"},
      {{"serve"}, 2, "--memory"},
      {{"serve", "--memory", "--path", "x"}, 2, "--memory"},
      {{"serve", "--memory", "--durability", "sync"}, 2, "--path"},
      {{"serve", "--memory", "--port", "99999"}, 2, "99999 not in range"},
      {{"serve", "--memory", "--port", "http"}, 2, "http"},
      {{"serve", "--nonsense"}, 2, "--nonsense"},
      {{"nonsense"}, 2, "nonsense"},
      {{}, 2, "--help"},
  };
  for (const Misuse& misuse : misuses) {
    Running wrong = Run(misuse.words);
    EXPECT_EQ(wrong.child().ReadLine(), std::nullopt);
    EXPECT_EQ(wrong.child().Finish(), misuse.exit_code) << misuse.says;
    const std::string errors = Errors();
    EXPECT_THAT(errors, StartsWith("dolmen: "));
    EXPECT_THAT(errors, HasSubstr(misuse.says));
    EXPECT_EQ(errors.find('\n'), errors.size() - 1) << "one line: " << errors;
  }
}

TEST_F(ServeCommandTest, HelpAndVersionSucceed) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--help"}, {"serve", "--help"}, {"--version"}}) {
    Running help = Run(words);
    EXPECT_THAT(help.child().ReadLine(), testing::Ne(std::nullopt));
    while (help.child().ReadLine()) {
    }
    EXPECT_EQ(help.child().Finish(), 0);
    EXPECT_EQ(Errors(), "");
  }
}

}  // namespace
}  // namespace dolmen::test
