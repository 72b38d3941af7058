#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "command/command.h"
#include "command/copy_place.h"
#include "command/export.h"
#include "command/import.h"
#include "command/import_inputs.h"
#include "command/table_copy.h"
#include "command/text.h"
#include "engine/base/status_macros.h"

namespace dolmen::command {
namespace {

constexpr const char* kCopyFooter =
    R"(FROM and TO are each one of:
  URL         a service: https://dynamodb.eu-central-1.amazonaws.com, ScyllaDB
              Alternator, DynamoDB Local or `dolmen serve`
  DIR         the directory of a database; TO is created if it does not exist
  an export   FROM: files as `dolmen import` reads them.  TO: a path that ends
              in /, .json or .json.gz, or - for standard output

The table in TO is created with the keys, the indexes, the stream and the tags of
the table in FROM.  Its time to live is enabled at the end.  An item replaces an
existing item with the same key.

After an interrupt by Ctrl-C, by a crash or by an error, run the same command
again to resume it.  The progress is recorded in the table of TO or, if TO is a
service, in a file in ~/.local/state/dolmen.  An interrupted export begins anew.

With --follow the command copies the items and then each change of the table by
its stream, which must have new images.  The copy begins with an empty table in
TO.  To move a program while it runs: start
the copy, wait until it follows, stop the writers, and press Ctrl-C.  The command
copies what is left until no change has arrived for 15 seconds, says so, and ends.
Another Ctrl-C ends it at once.  Then start the program on TO.  Run again within
24 hours, it continues to follow: its position is in FROM, in the table
dolmen-subscriptions.  Of several changes of an item that are read together, only
the last is written.  Different items are written side by side, by --parallel
requests at a time: up to 15,000 changes a second if a request takes 5 ms.

--estimate counts what the copy will consume if the table in TO is empty.  Of a
large table on DynamoDB it reads a sample, and takes the number of items from
DynamoDB, which counts them every six hours.

Examples:
  dolmen copy app.dolmen https://dynamodb.eu-central-1.amazonaws.com \
      --table app --estimate
  dolmen copy app.dolmen https://dynamodb.eu-central-1.amazonaws.com \
      --table app --units-per-second 1000 --verify
  dolmen copy https://dynamodb.eu-central-1.amazonaws.com copy.dolmen --table app
  dolmen copy http://127.0.0.1:8000 http://10.0.0.7:8000 --table app --follow
  dolmen copy backup/ http://127.0.0.1:8000 --table app)";

struct CopyWords {
  std::string from = {};
  std::string to = {};
  std::string profile = {};
  std::string to_profile = {};
  std::string key_file = {};
  bool estimate = false;
  TableCopyOptions options = {};
};

// Returns the first option that only a copy between two tables has, or "".
std::string OptionForTables(const CopyWords& words) {
  const TableCopyOptions& options = words.options;
  if (options.verify) return "--verify";
  if (options.follow) return "--follow";
  if (words.estimate) return "--estimate";
  if (options.units_per_second > 0) return "--units-per-second";
  if (options.bytes_per_second > 0) return "--bytes-per-second";
  return "";
}

// Returns true if the table to copy to does not exist. Its database may not exist either.
Result<bool> IsMissing(const CopyPlace& to, const std::string& table) {
  if (to.kind == CopyPlace::Kind::kDatabase && !IsDatabase(to.database.path)) return true;
  const Status opened = OpenTable(to.database, table).status();
  if (opened.code() == StatusCode::kResourceNotFound) return true;
  DOLMEN_RETURN_IF_ERROR(opened);
  return false;
}

CommandResult CopyFromExport(const CopyWords& words, const CopyPlace& to) {
  const auto files = FindInputs({words.from});
  if (!files.ok()) return FailureOf(files.status());
  const std::string& table = words.options.to_table;
  const bool has_keys = !FindTableManifest({words.from}, *files).empty();
  const Result<bool> missing = has_keys ? Result<bool>(false) : IsMissing(to, table);
  if (!missing.ok()) return FailureOf(missing.status());
  if (*missing) {
    return CommandResult::Failure(
        "there is no table " + Printable(table) + " in " + words.to + ", and " + words.from +
        " has items but no keys to create it: use `dolmen import --create-table --partition-key "
        "NAME:S`, with --sort-key if the table has one");
  }
  return Import({.database = to.database,
                 .table = table,
                 .inputs = {words.from},
                 .restart = words.options.restart,
                 .create_table = has_keys});
}

CommandResult CopyExport(const CopyWords& words, const CopyPlace& from, const CopyPlace& to) {
  const std::string option = OptionForTables(words);
  if (!option.empty()) {
    return CommandResult::Misuse(option + " needs a table on both sides, not the export " +
                                 (from.is_export() ? words.from : words.to));
  }
  if (!to.is_export()) return CopyFromExport(words, to);
  if (!from.is_export()) {
    return Export({.database = from.database, .table = words.options.table, .output = words.to});
  }
  return CommandResult::Misuse(words.from + " is not the directory of a database, and " + words.to +
                               " is an export: copy the files themselves");
}

// Returns true if both places name one table by the same words.
bool IsSameTable(const CopyPlace& from, const CopyPlace& to, const TableCopyOptions& options) {
  if (from.kind != to.kind || options.table != options.to_table) return false;
  if (from.kind == CopyPlace::Kind::kService) {
    return from.text == to.text && from.database.endpoint.profile == to.database.endpoint.profile;
  }
  std::error_code error;
  return std::filesystem::equivalent(from.text, to.text, error) && !error;
}

CommandResult Copy(CopyWords words) {
  TableCopyOptions& options = words.options;
  if (options.to_table.empty()) options.to_table = options.table;
  CopyPlace from = CopySource(words.from);
  CopyPlace to = CopyTarget(words.to);
  from.database.key_file = to.database.key_file = words.key_file;
  if (from.kind == CopyPlace::Kind::kService) from.database.endpoint.profile = words.profile;
  if (to.kind == CopyPlace::Kind::kService) {
    to.database.endpoint.profile = words.to_profile.empty() ? words.profile : words.to_profile;
  }
  if (from.is_export() || to.is_export()) return CopyExport(words, from, to);
  if (IsSameTable(from, to, options)) {
    return CommandResult::Misuse("FROM and TO are the same table: choose another --to-table");
  }
  if (options.follow && from.kind != CopyPlace::Kind::kService) {
    return CommandResult::Misuse(
        "--follow needs a service as FROM: no other program can write to a directory meanwhile");
  }
  options.from = from.database;
  options.to = to.database;
  return words.estimate ? PrintCopyEstimate(options) : CopyTable(options);
}

void AddPlaces(CLI::App* command, CopyWords* words) {
  command->add_option("FROM", words->from, "A URL, a directory or an export")
      ->required()
      ->type_name("");
  command->add_option("TO", words->to, "A URL, a directory or an export")
      ->required()
      ->type_name("");
  AddTableOption(command, &words->options.table);
  command
      ->add_option("--to-table", words->options.to_table, "The table's name in TO, if it differs")
      ->type_name("NAME");
  command->add_option("--profile", words->profile, "The profile in ~/.aws of the services")
      ->type_name("NAME");
  command->add_option("--to-profile", words->to_profile, "The profile of TO, if it differs")
      ->type_name("NAME");
  AddKeyFileOption(command, &words->key_file);
}

}  // namespace

void AddCopyCommand(CLI::App* app, CommandResult* result) {
  auto words = std::make_shared<CopyWords>();
  CLI::App* command =
      app->add_subcommand("copy", "Copy a table between directories, services and exports");
  AddPlaces(command, words.get());
  TableCopyOptions& options = words->options;
  command->add_option("--parallel", options.parallel, "Requests at a time")
      ->type_name("N")
      ->check(CLI::Range(1, 64).description(""))
      ->capture_default_str();
  command
      ->add_option("--units-per-second", options.units_per_second,
                   "Read and write at most N capacity units a second each")
      ->type_name("N")
      ->check(CLI::Validator(CLI::PositiveNumber).description(""));
  command
      ->add_option("--bytes-per-second", options.bytes_per_second,
                   "Copy at most N bytes of items a second")
      ->type_name("N")
      ->check(CLI::Validator(CLI::PositiveNumber).description(""));
  command->add_flag("--restart", options.restart,
                    "Begin with the first item, even if an earlier copy is incomplete");
  command->add_flag("--verify", options.verify,
                    "Then compare the number and a hash of all items; reads both tables");
  command->add_flag("--follow", options.follow, "Then copy each change until Ctrl-C");
  command->add_flag("--estimate", words->estimate,
                    "Copy nothing; print the units, the cost and the time of the copy");
  command->footer(kCopyFooter);
  command->callback([words, result] { *result = Copy(*words); });
}

}  // namespace dolmen::command
