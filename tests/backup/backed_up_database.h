// A database with an index, a stream and a time to live, for tests of backups.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/support/contents.h"

namespace dolmen::backup {

// All contents of a database with the table "app".
struct State {
  test::Contents items = {};
  test::Contents index = {};
  std::vector<std::string> records = {};  // the numbers of the stream's records

  bool operator==(const State&) const = default;
};

// Creates the table "app" with the index "GSI1", a stream and a time to live. No thread in the background
// writes afterwards, so a test may damage the log of the open database.
Table CreateApp(const Database& db);

// Puts items with the numbers from `begin` to before `end`. Each has about `bytes` bytes that cannot
// be compressed.
void PutItems(const Table& table, int begin, int end, std::size_t bytes = 100);

// Reads all contents. Fails the test if Verify finds damage.
State ReadState(const Database& db);

// Restores the backup into a directory of its own and returns the contents of that database.
State ReadBackup(const std::filesystem::path& backup);

}  // namespace dolmen::backup
