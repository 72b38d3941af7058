// Helpers that run the `dolmen` command in the test's own process, on files in a temporary
// directory.

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

// Runs `dolmen` with these arguments. `input` is the path of the file to read as standard input.
CommandOutput RunDolmen(std::vector<std::string> arguments, const std::string& input = "/dev/null");

// Returns the value of the first member with this name whose value is a string in the JSON `body`.
std::string TextOfMember(const std::string& body, const std::string& member);

std::string ReadFile(const std::string& path);
void WriteFile(const std::string& path, const std::string& text);
void WriteGzip(const std::string& path, const std::string& text);

// Returns a line like {"Item":{"PK":{"S":"..."},"SK":{"S":"..."},"n":{"N":"..."}}}.
std::string ItemLine(const std::string& partition, const std::string& sort, int n);
// Returns `count` item lines with the sort keys 00000, 00001, ...
std::string ItemLines(int count);

// Returns an item with the string keys PK and SK and random attributes of all types. Some values
// need escapes in JSON.
Item RandomItem(Random* random, int number);

// Returns the items of a table with the keys PK and SK, sorted by key.
std::vector<Item> ItemsOf(const std::string& path, const std::string& table);

class CommandTest : public SeededTest {
 protected:
  // Creates a database with the table and closes it. By default the table is "app" with the keys PK
  // and SK.
  void MakeDatabase(const CreateTableInput& table = {.name = "app"}) const;
  void Put(const std::vector<Item>& items) const;

  Database Open() const;
  std::vector<Item> Items() const { return ItemsOf(path_, "app"); }
  TableDescription Describe() const;

  std::string File(const std::string& name) const { return (directory_ / name).string(); }
  // Writes a file with this name and text, and returns its path.
  std::string Write(const std::string& name, const std::string& text) const;
  // Runs `dolmen COMMAND --path PATH --table app ARGUMENTS`.
  CommandOutput OnTable(const std::string& command, std::vector<std::string> arguments,
                        const std::string& input = "/dev/null") const;

  const TempDirectory directory_;
  const std::string path_ = File("app.dolmen");
};

}  // namespace dolmen::test
