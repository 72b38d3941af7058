#include "tests/server/serve_fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "command/run_command.h"
#include "tests/server/http_client.h"

namespace dolmen::test {
namespace {

constexpr std::string_view kServes = "Dolmen serves DynamoDB at http://127.0.0.1:";

}  // namespace

int Dolmen(const ChildArguments& arguments) {
  TellParent(std::to_string(::getpid()));
  ::dup2(3, STDOUT_FILENO);
  ::dup2(::open(arguments.front().c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
  ::signal(SIGHUP, SIG_DFL);  // nohup sets SIGHUP to be ignored
  std::vector<const char*> words{"dolmen"};
  for (std::size_t i = 1; i < arguments.size(); ++i) words.push_back(arguments[i].c_str());
  return command::RunCommand(static_cast<int>(words.size()), words.data());
}
const ChildRole kDolmen("dolmen", Dolmen);

std::string Put(const std::string& id, const std::string& text) {
  return RequestText(
      R"({"TableName":"app","Item":{"id":{"S":")" + id + R"("},"text":{"S":")" + text + R"("}}})",
      {.operation = "DynamoDB_20120810.PutItem"});
}

std::string CreateApp() {
  return RequestText(R"({"TableName":"app","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],)"
                     R"("AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],)"
                     R"("BillingMode":"PAY_PER_REQUEST"})",
                     {.operation = "DynamoDB_20120810.CreateTable"});
}

ServeFixture::Running::Running(const ChildRole& role, const ChildArguments& arguments)
    : child_(role, arguments), pid_(std::atoi(child_.ReadLine().value_or("0").c_str())) {}

std::uint16_t ServeFixture::Running::Port() {
  const std::string line = child_.ReadLine().value_or("");
  EXPECT_THAT(line, testing::StartsWith(std::string(kServes)));
  if (!line.starts_with(kServes)) return 0;
  return static_cast<std::uint16_t>(std::atoi(line.substr(kServes.size()).c_str()));
}

void ServeFixture::Running::Signal(int signal) const { ::kill(pid_, signal); }

std::size_t ServeFixture::Running::OpenDescriptors() const {
  const std::filesystem::directory_iterator files("/proc/" + std::to_string(pid_) + "/fd");
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

ServeFixture::Running ServeFixture::Run(std::vector<std::string> words, const ChildRole& role) {
  words.insert(words.begin(), errors_file_);
  return {role, words};
}

std::string ServeFixture::CountAt(std::uint16_t port) {
  const auto response = HttpClient(port).Ask(RequestText(R"({"TableName":"app","Select":"COUNT"})",
                                                         {.operation = "DynamoDB_20120810.Scan"}));
  return response ? response->body : "no answer";
}

std::string ServeFixture::Errors() const {
  std::ifstream stream(errors_file_);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace dolmen::test
