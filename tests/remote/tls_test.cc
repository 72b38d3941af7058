// A service behind TLS and behind a proxy, with real sockets.

#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "dolmen/database.h"
#include "dolmen/wire.h"
#include "remote/client.h"
#include "server/server.h"
#include "tests/remote/scripted_server.h"
#include "tests/remote/sockets.h"
#include "tests/remote/test_system.h"
#include "tests/support/child_process.h"
#include "tests/support/small_stack.h"
#include "tests/support/source_directory.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"
#include "tests/support/value.h"
#include "tests/support/watchdog.h"

namespace dolmen::test {
namespace {

using remote::Repeat;
using ::testing::AllOf;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

const ChildRole kProgram("program", BecomeProgram);

class TlsTest : public ::testing::Test {
 protected:
  ~TlsTest() override {
    for (const char* const name : {"http_proxy", "HTTPS_PROXY", "NO_PROXY"}) ::unsetenv(name);
  }

  // Makes a certificate for the names, which is its own authority, and its key. Returns its file.
  std::string MakeCertificate(const std::string& stem, const std::string& names) const {
    ChildProcess openssl(kProgram,
                         {"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                          "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-batch", "-subj",
                          "/CN=dolmen test", "-addext", "subjectAltName=" + names, "-keyout",
                          directory_ / (stem + ".key"), "-out", directory_ / (stem + ".pem")});
    EXPECT_EQ(openssl.Finish(), 0) << "install the package openssl";
    return directory_ / (stem + ".pem");
  }

  // Starts front.py and returns its port.
  std::string StartFront(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"python3", "-B", SourceFile("/tests/remote/front.py")});
    fronts_.push_back(std::make_unique<ChildProcess>(kProgram, arguments));
    return fronts_.back()->ReadLine().value_or("");
  }

  // Returns the port of a server behind TLS.
  std::string StartTls(const std::string& names) {
    MakeCertificate("server", names);
    return StartFront({"tls", std::to_string(server_->port()), directory_ / "server.pem",
                       directory_ / "server.key"});
  }

  Result<std::string> Call(const std::string& url, const std::string& ca_file) {
    system_.variables["AWS_CA_BUNDLE"] = ca_file;
    options_.endpoint = url;
    const auto client = Value(remote::Client::Create(options_, system_.Functions()));
    return client->Call("ListTables", "{}", Repeat::kSafe);
  }

  TempDirectory directory_;
  TestSystem system_;
  ConnectOptions options_ = {
      .access_key_id = "KEY", .secret_access_key = "secret", .connect_timeout = 60s};
  std::unique_ptr<server::Server> server_ = Value(server::Server::Start(
      server::Service{.endpoint = Endpoint(Value(Database::InMemory({.expiry_lag = std::nullopt}))),
                      .clock = Clock::System(),
                      .access_keys = {{"KEY", "secret"}}},
      {.port = 0, .threads = 2}));
  std::vector<std::unique_ptr<ChildProcess>> fronts_;
};

constexpr const char* kNoTables = R"({"TableNames":[]})";

TEST_F(TlsTest, TheCertificateOfTheServiceIsChecked) {
  const std::string port = StartTls("DNS:localhost");
  const std::string other = MakeCertificate("other", "DNS:localhost");
  EXPECT_EQ(Value(Call("https://localhost:" + port, directory_ / "server.pem")), kNoTables);
  const auto is_refused = StatusIs(
      StatusCode::kServiceUnavailable,
      AllOf(HasSubstr("certificate"), HasSubstr("AWS_CA_BUNDLE"), HasSubstr("was not executed")));
  EXPECT_THAT(Call("https://localhost:" + port, other), is_refused);
  EXPECT_THAT(Call("https://localhost:" + port, ""), is_refused) << "the system's certificates";
  EXPECT_THAT(Call("https://localhost:" + port, directory_ / "missing.pem"), is_refused);
  EXPECT_THAT(Call("https://127.0.0.1:" + port, directory_ / "server.pem"), is_refused)
      << "the certificate is for another name";
  EXPECT_THAT(system_.pauses(), ::testing::IsEmpty()) << "a certificate is refused each time";
}

TEST_F(TlsTest, AHandshakeRunsOnTheSmallestStack) {
  if (!kHasFramesOfUsers) GTEST_SKIP() << "this build has larger frames";
  const std::string url = "https://localhost:" + StartTls("DNS:localhost");
  const std::size_t used =
      StackBytesOf([&] { EXPECT_EQ(Value(Call(url, directory_ / "server.pem")), kNoTables); });
  EXPECT_LE(used, kUsableStackBytes);
}

TEST_F(TlsTest, AProxyIsUsedForAServiceOnAnotherMachine) {
  const std::string port = StartTls("DNS:service.test,DNS:localhost");
  const std::string proxy = StartFront({"proxy", port});
  const std::string ca_file = directory_ / "server.pem";
  ::setenv("HTTPS_PROXY", ("http://127.0.0.1:" + proxy).c_str(), 1);
  EXPECT_EQ(Value(Call("https://service.test", ca_file)), kNoTables);
  EXPECT_EQ(fronts_.back()->ReadLine(), "CONNECT service.test:443 HTTP/1.1");
  EXPECT_EQ(Value(Call("https://localhost:" + port, ca_file)), kNoTables);

  ::setenv("NO_PROXY", "service.test", 1);
  options_.attempts_max = 1;
  options_.connect_timeout = 200ms;  // no network may answer the question for the name
  EXPECT_THAT(Call("https://service.test", ca_file),
              StatusIs(StatusCode::kServiceUnavailable, HasSubstr("was not executed")));
  fronts_.back()->Kill();
  EXPECT_EQ(fronts_.back()->ReadLine(), std::nullopt) << "only one request has used the proxy";
}

TEST_F(TlsTest, Http2IsUsedIfTheServiceOffersIt) {
  constexpr const char* kNghttpx = "/usr/sbin/nghttpx";
  if (!std::filesystem::exists(kNghttpx)) GTEST_SKIP() << "install the package nghttp2-proxy";
  const Watchdog watchdog("TlsTest.Http2IsUsedIfTheServiceOffersIt");
  const std::string ca_file = MakeCertificate("server", "DNS:localhost");
  const ReservedPort reserved;
  const std::uint16_t port = reserved.number();
  const std::string local = "127.0.0.1,";
  fronts_.push_back(std::make_unique<ChildProcess>(
      kProgram,
      ChildArguments{kNghttpx, "--conf=/dev/null", "--frontend=" + local + std::to_string(port),
                     "--backend=" + local + std::to_string(server_->port()), "--workers=1",
                     "--accesslog-file=/dev/stdout", "--accesslog-format=$request",
                     "--log-level=ERROR", "--no-ocsp", directory_ / "server.key",
                     directory_ / "server.pem"}));
  int socket = -1;
  while (socket < 0) socket = ConnectTo(port);
  ::close(socket);
  EXPECT_EQ(Value(Call("https://localhost:" + std::to_string(port), ca_file)), kNoTables);
  EXPECT_EQ(fronts_.back()->ReadLine(), "POST / HTTP/2");
}

TEST_F(TlsTest, AProxyGetsRequestsWithoutTlsAsAWhole) {
  ScriptedServer proxy({ResponseText(200, "{}")});
  ::setenv("http_proxy", proxy.url().c_str(), 1);
  EXPECT_EQ(Value(Call("http://service.test:8000", "")), "{}");
  EXPECT_EQ(proxy.requests().at(0).line, "POST http://service.test:8000/ HTTP/1.1");
  EXPECT_EQ(proxy.requests().at(0).fields.at("host"), "service.test:8000");
}

}  // namespace
}  // namespace dolmen::test
