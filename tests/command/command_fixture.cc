#include "tests/command/command_fixture.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <utility>

#include "command/run_command.h"
#include "tests/support/contents.h"
#include "tests/support/items.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

// A redirection of standard input to a file, for the lifetime of the object.
class StandardInput {
 public:
  explicit StandardInput(const std::string& path) : before_(::dup(STDIN_FILENO)) {
    const int file = ::open(path.c_str(), O_RDONLY);
    EXPECT_GE(file, 0) << path;
    ::dup2(file, STDIN_FILENO);
    ::close(file);
  }
  ~StandardInput() {
    ::dup2(before_, STDIN_FILENO);
    ::close(before_);
  }
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;

 private:
  int before_;
};

std::string RandomText(Random* random) {
  static const std::vector<std::string> kParts = {"a",
                                                  "Z",
                                                  " ",
                                                  "\"",
                                                  "\\",
                                                  "/",
                                                  "\n",
                                                  "\r\n",
                                                  "\t",
                                                  "\x01",
                                                  "\x1f",
                                                  "\x7f",
                                                  "{}",
                                                  "\xC3\xBC",
                                                  "\xE2\x82\xAC",
                                                  "\xE2\x80\xA8",
                                                  "\xF0\x9F\x98\x80",
                                                  std::string(1, '\0')};
  std::string text;
  while (!random->OneIn(8)) text += random->Pick(kParts);
  return text;
}

Binary RandomBytes(Random* random) {
  Binary binary;
  while (!random->OneIn(6)) binary.bytes.push_back(static_cast<char>(random->Below(256)));
  return binary;
}

Number RandomNumber(Random* random) {
  static const std::vector<std::string> kNumbers = {
      "0",      "-1",
      "1E-130", "9.9999999999999999999999999999999999999E+125",
      "-0.5",   "12345678901234567890123456789012345678",
      "1e20"};
  return random->OneIn(2) ? N(random->Pick(kNumbers)) : Number(random->Between(-1000, 1000));
}

AttributeValue RandomValue(Random* random, int depth) {
  switch (random->Below(depth > 0 ? 10 : 8)) {
    case 0:
      return RandomText(random);
    case 1:
      return RandomNumber(random);
    case 2:
      return RandomBytes(random);
    case 3:
      return random->OneIn(2);
    case 4:
      return Null{};
    case 5:
      return StringSet{RandomText(random), "one"};
    case 6:
      return NumberSet{RandomNumber(random), Number(7)};
    case 7:
      return BinarySet{RandomBytes(random), B("one")};
    case 8: {
      List list;
      while (!random->OneIn(3)) list.push_back(RandomValue(random, depth - 1));
      return list;
    }
    default: {
      Map map;
      while (!random->OneIn(3)) {
        map.insert_or_assign(RandomText(random) + "m", RandomValue(random, depth - 1));
      }
      return map;
    }
  }
}

}  // namespace

CommandOutput RunDolmen(std::vector<std::string> arguments, const std::string& input) {
  std::vector<const char*> argv{"dolmen"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  const StandardInput in(input);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  CommandOutput output;
  output.exit_code = command::RunCommand(static_cast<int>(argv.size()), argv.data());
  std::cout.flush();
  output.out = testing::internal::GetCapturedStdout();
  output.err = testing::internal::GetCapturedStderr();
  return output;
}

std::string TextOfMember(const std::string& body, const std::string& member) {
  const std::string begin = "\"" + member + "\":\"";
  const std::size_t at = body.find(begin);
  EXPECT_NE(at, body.npos) << member << " in " << body;
  if (at == body.npos) return {};
  return body.substr(at + begin.size(), body.find('"', at + begin.size()) - at - begin.size());
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void WriteFile(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

void WriteGzip(const std::string& path, const std::string& text) {
  const gzFile file = ::gzopen(path.c_str(), "wb");
  EXPECT_EQ(::gzwrite(file, text.data(), static_cast<unsigned>(text.size())),
            static_cast<int>(text.size()));
  EXPECT_EQ(::gzclose(file), Z_OK);
}

std::string ItemLine(const std::string& partition, const std::string& sort, int n) {
  return R"({"Item":{"PK":{"S":")" + partition + R"("},"SK":{"S":")" + sort + R"("},"n":{"N":")" +
         std::to_string(n) + "\"}}}\n";
}

std::string ItemLines(int count) {
  std::string lines;
  for (int i = 0; i < count; ++i) {
    std::array<char, 16> sort{};
    std::snprintf(sort.data(), sort.size(), "%05d", i);
    lines += ItemLine("p" + std::to_string(i % 7), sort.data(), i);
  }
  return lines;
}

Item RandomItem(Random* random, int number) {
  Item item{{"PK", "p" + RandomText(random)}, {"SK", std::to_string(number)}};
  while (!random->OneIn(5)) item.insert_or_assign(RandomText(random) + "a", RandomValue(random, 3));
  return item;
}

std::vector<Item> ItemsOf(const std::string& path, const std::string& table) {
  const Database database =
      Value(Database::Open(path, {.create_if_missing = false, .expiry_lag = std::nullopt}));
  std::vector<Item> items;
  for (auto& [key, item] : ReadContents(Value(database.OpenTable(table)))) items.push_back(item);
  return items;
}

void CommandTest::MakeDatabase(const CreateTableInput& table) const {
  EXPECT_THAT(Value(Database::Open(path_)).CreateTable(table), IsOk());
}

void CommandTest::Put(const std::vector<Item>& items) const {
  const Table table = Value(Open().OpenTable("app"));
  for (const Item& item : items) EXPECT_THAT(table.PutItem({.item = item}), IsOk());
}

Database CommandTest::Open() const {
  // Only the command under test may delete expired items.
  return Value(Database::Open(path_, {.durability = Durability::kBuffered,
                                      .create_if_missing = false,
                                      .expiry_lag = std::nullopt}));
}

TableDescription CommandTest::Describe() const { return Value(Open().DescribeTable("app")); }

std::string CommandTest::Write(const std::string& name, const std::string& text) const {
  WriteFile(File(name), text);
  return File(name);
}

CommandOutput CommandTest::OnTable(const std::string& command, std::vector<std::string> arguments,
                                   const std::string& input) const {
  arguments.insert(arguments.begin(), {command, "--path", path_, "--table", "app"});
  return RunDolmen(std::move(arguments), input);
}

}  // namespace dolmen::test
