// The `dolmen` command as tests run it, less the process, on files of a directory of the test's
// own.

#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "dolmen/database.h"
#include "tests/support/random.h"
#include "tests/support/temp_directory.h"

namespace dolmen::test {

struct CommandOutput {
  int exit_code = -1;
  std::string out = {};  // standard output
  std::string err = {};  // standard error
};

// Runs `dolmen` with these arguments; what standard input is to be is the name of a file.
CommandOutput RunDolmen(std::vector<std::string> arguments, const std::string& input = "/dev/null");

std::string ReadFile(const std::string& path);
void WriteFile(const std::string& path, const std::string& text);
void WriteGzip(const std::string& path, const std::string& text);

// {"Item":{"PK":{"S":"..."},"SK":{"S":"..."},"n":{"N":"..."}}}
std::string ItemLine(const std::string& partition, const std::string& sort, int n);
// `count` of them, with SK 00000, 00001, ...
std::string ItemLines(int count);

// An item with string keys PK and SK and attributes of all types, some of them hard to write down.
Item RandomItem(Random* random, int number);

// The items of a table with keys PK and SK, by these.
std::vector<Item> ItemsOf(const std::string& path, const std::string& table);

class CommandTest : public SeededTest {
 protected:
  // A database with an empty table "app" of keys PK and SK, closed again.
  void MakeDatabase(const CreateTableInput& table = {.name = "app"}) const;
  void Put(const std::vector<Item>& items) const;

  Database Open() const;
  std::vector<Item> Items() const { return ItemsOf(path_, "app"); }
  TableDescription Describe() const;

  std::string File(const std::string& name) const { return (directory_ / name).string(); }
  // Makes that file, and returns its path.
  std::string Write(const std::string& name, const std::string& text) const;
  // COMMAND --path ... --table app ARGUMENTS
  CommandOutput OnTable(const std::string& command, std::vector<std::string> arguments,
                        const std::string& input = "/dev/null") const;

  const TempDirectory directory_;
  const std::string path_ = File("app.dolmen");
};

}  // namespace dolmen::test
