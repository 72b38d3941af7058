// Fuzzes the files that `dolmen import` reads: lines of items, and descriptions of tables.
//
// Input: the content of a file, which may be compressed with gzip.

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "command/import_table.h"
#include "command/item_lines.h"
#include "command/line_reader.h"
#include "dolmen/database.h"
#include "engine/value/codec.h"
#include "tests/fuzz/require.h"

namespace dolmen::fuzz {
namespace {

using command::ItemLineParser;
using command::LineReader;

// A file in memory.
class File {
 public:
  explicit File(std::string_view content) : file_(::memfd_create("import", MFD_CLOEXEC)) {
    const ssize_t written = ::write(file_, content.data(), content.size());
    Require(written == static_cast<ssize_t>(content.size()), "a file in memory can be written");
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { ::close(file_); }

  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

// Writes an item as a line, and reads the line back.
void CheckItem(const Item& item, ItemLineParser* parser) {
  std::string stored;
  const Status encoded = engine::EncodeItem(item, &stored);
  RequireShowable(encoded, StatusCode::kValidation);
  if (!encoded.ok()) return;
  std::string line;
  command::AppendItemLine(*ItemView::Parse(stored), &line);
  Require(line.ends_with("}\n") && line.find('\n') == line.size() - 1, "an item is one line");
  line.pop_back();
  const Result<Item> read = parser->Parse(line);
  Require(read.ok() && *read == item, "an item is read back");
}

void CheckLine(std::string_view line, ItemLineParser* parser) {
  const Result<Item> item = parser->Parse(line);
  RequireShowable(item.status(), StatusCode::kValidation);
  if (item.ok()) CheckItem(*item, parser);
}

void CheckSchema(std::string_view text) {
  // The database is never closed, because RocksDB's own static objects are destroyed before it.
  static std::optional<Database>& database = *new std::optional<Database>;
  if (!database) database = *Database::InMemory({.expiry_lag = std::nullopt});
  const Status created = command::CreateNewTable(
      *database,
      {.input = {.name = "app"}, .schema = std::string(text), .schema_file = "schema.json"});
  RequireShowable(created, StatusCode::kValidation);
  const Status deleted = database->DeleteTable("app");
  // The next input gets a new database if the table is protected from deletion.
  if (!deleted.ok() && deleted.code() != StatusCode::kResourceNotFound) database.reset();
}

void Try(std::string_view input) {
  const File file(input);
  Result<LineReader> reader = LineReader::Open(file.path());
  Require(reader.ok(), reader.status().ToString());
  ItemLineParser parser;
  std::uint64_t bytes = 0;
  std::uint64_t lines = 0;
  for (;;) {
    const auto line = reader->Next();
    RequireShowable(line.status(), StatusCode::kCorruption);
    if (!line.ok() || !line->has_value()) break;
    Require(reader->position().bytes >= bytes + (*line)->size(), "a line is read once");
    bytes = reader->position().bytes;
    Require(reader->position().lines == ++lines, "every line is counted");
    CheckLine(**line, &parser);
  }
  if (input.find("KeySchema") != input.npos) CheckSchema(input);
}

}  // namespace
}  // namespace dolmen::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  dolmen::fuzz::Try({reinterpret_cast<const char*>(data), size});
  return 0;
}
