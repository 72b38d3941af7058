#include "command/fixture.h"

#include <simdjson.h>

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "command/database_command.h"
#include "command/import_inputs.h"
#include "command/import_table.h"
#include "command/importer.h"
#include "command/text.h"
#include "command/text_file.h"
#include "dolmen/testing/seed.h"
#include "engine/base/status_macros.h"

namespace dolmen::command {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFixture = "the fixture";

// Imports the files into the table that the manifest describes.
Status ImportFiles(const std::string& manifest, std::vector<std::string> files,
                   const Database& database) {
  NewTable table{.schema_file = manifest};
  DOLMEN_ASSIGN_OR_RETURN(table.schema, ReadTextFile(manifest, kFixture));
  simdjson::dom::parser parser;
  std::string_view name;
  if (parser.parse(table.schema)["TableName"].get(name) != simdjson::SUCCESS) {
    return Status::Validation(manifest + " has no TableName");
  }
  table.input.name = name;
  DOLMEN_RETURN_IF_ERROR(PreviewTable(table).status());  // its errors name the manifest
  DOLMEN_ASSIGN_OR_RETURN(const NewTableRequests requests, RequestsFor(table));
  ImportInputs inputs(std::move(files));
  const Status imported =
      ImportNewTable(database, requests.create, &inputs, {.interrupted = [] { return false; }})
          .status();
  if (imported.code() == StatusCode::kTableAlreadyExists) {
    return Status::ResourceInUse("the fixture has two exports of the table " +
                                 Printable(table.input.name) +
                                 ": give the directory of one of them");
  }
  DOLMEN_RETURN_IF_ERROR(imported);
  return EnableTimeToLive(database, requests);
}

// Imports all exports below the directory.
Status ImportExports(const std::string& directory, const Database& database) {
  DOLMEN_ASSIGN_OR_RETURN(const std::vector<std::string>& files, FindInputs({directory}));
  std::map<std::string, std::vector<std::string>> files_by_manifest;
  for (const std::string& file : files) {
    const std::string manifest = FindTableManifest({directory}, {file});
    if (manifest.empty()) {
      return Status::Validation(
          Printable(file) +
          " is not in an export that describes its table: import it into a database first "
          "(`dolmen import --create-table`), and give the directory of the database as the "
          "fixture");
    }
    files_by_manifest[manifest].push_back(file);
  }
  for (auto& [manifest, of_table] : files_by_manifest) {
    DOLMEN_RETURN_IF_ERROR(ImportFiles(manifest, std::move(of_table), database));
  }
  return {};
}

Status LoadSeedFile(const std::string& path, const Database& database) {
  DOLMEN_ASSIGN_OR_RETURN(const std::string& json, ReadTextFile(path, kFixture));
  const Status loaded = LoadSeed(database, json);
  if (loaded.code() != StatusCode::kValidation) return loaded;
  return Status::Validation("can't load the fixture " + Printable(path) + ": " + loaded.message());
}

}  // namespace

Result<Database> OpenFixture(const std::string& path, const OpenOptions& options) {
  // A fork keeps the given clock, because the caller may move it.
  const ForkOptions fork = {.clock = options.clock};
  if (IsDatabase(path)) {
    // By this clock no item has expired, so the database deletes no item of the fixture.
    OpenOptions copy = options;
    copy.clock = std::make_shared<ManualClock>();
    const Result<Database> stored = Database::InMemoryFrom(path, copy);
    if (!stored.ok()) return DescribeOpenError(path, stored.status());
    return stored->Fork(fork);
  }
  DOLMEN_ASSIGN_OR_RETURN(const Database& loaded, Database::InMemory(options));
  std::error_code error;
  DOLMEN_RETURN_IF_ERROR(fs::is_directory(path, error) ? ImportExports(path, loaded)
                                                       : LoadSeedFile(path, loaded));
  return loaded.Fork(fork);
}

}  // namespace dolmen::command
