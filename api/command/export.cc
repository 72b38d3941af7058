#include "command/export.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "command/command.h"
#include "command/database_command.h"
#include "command/export_sink.h"
#include "command/interrupt.h"
#include "command/item_lines.h"
#include "command/item_printer.h"
#include "command/progress.h"
#include "command/table_json.h"
#include "command/text.h"
#include "command/unreadable_items.h"
#include "dolmen/repair.h"
#include "engine/base/status_macros.h"

namespace dolmen::command {
namespace {

constexpr const char* kExportFooter =
    R"(Writes one line of JSON per item, {"Item":{"PK":{"S":"a"},...}}, in the format of
DynamoDB's exports to S3.  `dolmen import` and DynamoDB's import from S3 read it.
An existing directory, or a path that ends in a slash, gets the layout of such
an export: AWSDynamoDB/<id>/data/*.json.gz and manifests.  One of the manifests
describes the table: keys, indexes, stream, time to live and tags.  `dolmen
import --create-table` creates the table from it.  Files appear under their
names only when they are complete and durable.  An interrupted export leaves no
files.

Examples:
  dolmen export --path app.dolmen --table app --output app.json.gz
  dolmen export --path app.dolmen --table app | jq .Item.PK.S
  dolmen export --path app.dolmen --table app --output backup/
  dolmen export --region eu-central-1 --table app --output backup/)";

bool IsDirectory(const std::string& output) {
  std::error_code error;
  return output.ends_with('/') || std::filesystem::is_directory(output, error);
}

// Returns the sink for the output that the options name.
Result<std::unique_ptr<ExportSink>> SinkFor(const ExportOptions& options,
                                            const OpenedTable& opened) {
  if (IsDirectory(options.output)) {
    DOLMEN_ASSIGN_OR_RETURN(std::string table, TableJson(opened.database, options.table));
    return ExportToDirectory(options.output, {.table = options.table,
                                              .table_json = std::move(table),
                                              .time = opened.database.clock()->Now()});
  }
  OutputFileOptions file = options.file;
  file.gzip = file.gzip || options.output.ends_with(".gz");
  return ExportToFile(options.output, file);
}

// The number of exported items, the size of their JSON in bytes, and the number of damaged ranges
// that were skipped.
struct Exported {
  std::uint64_t items = 0;
  std::uint64_t bytes = 0;
  std::uint64_t skipped = 0;
};

// Returns the fraction of the items that is exported, or nothing if the number of items is unknown.
// The number of items is an estimate. The fraction is therefore at most 0.99 before the end.
std::optional<double> FractionOf(std::uint64_t items, const ContentSize& content) {
  if (content.item_count == 0) return std::nullopt;
  return std::min(static_cast<double>(items) / static_cast<double>(content.item_count), 0.99);
}

// Writes all items, including expired items that are not deleted yet, as DynamoDB's exports do.
Result<Exported> WriteItems(const OpenedTable& opened, const InterruptGuard& interrupt,
                            ExportSink* sink) {
  ProgressLine progress("exporting " + Printable(opened.description.name));
  Exported exported;
  ScanInput input{.options = {.hide_expired = false}};
  ScanOutput page;
  std::string lines;
  do {
    if (interrupt.interrupted()) return Status::Storage("interrupted");
    DOLMEN_RETURN_IF_ERROR(opened.table.Scan(input, &page));
    lines.clear();
    for (const ItemView item : page) AppendItemLine(item, &lines);
    DOLMEN_RETURN_IF_ERROR(sink->Write(lines, page.size()));
    exported.items += page.size();
    exported.bytes += lines.size();
    progress.Update({.items = exported.items,
                     .bytes = exported.bytes,
                     .fraction = FractionOf(exported.items, opened.description.content)});
    input.exclusive_start_key = page.last_evaluated_key();
  } while (!input.exclusive_start_key.empty());
  return exported;
}

// Writes all items that can be read. Prints each range of items that cannot be read.
Result<Exported> WriteUndamagedItems(const OpenedTable& opened, const InterruptGuard& interrupt,
                                     ExportSink* sink) {
  ProgressLine progress("exporting " + Printable(opened.description.name));
  Exported exported;
  std::string line;
  const auto on_item = [&](const ItemView& item) {
    if (interrupt.interrupted()) return Status::Storage("interrupted");
    line.clear();
    AppendItemLine(item, &line);
    exported.items += 1;
    exported.bytes += line.size();
    progress.Update({.items = exported.items,
                     .bytes = exported.bytes,
                     .fraction = FractionOf(exported.items, opened.description.content)});
    return sink->Write(line, 1);
  };
  DOLMEN_RETURN_IF_ERROR(ReadUndamaged(opened.table, on_item, [&](const RepairLoss& loss) {
    ++exported.skipped;
    progress.Print("skipped: " + Printable(loss.message));
  }));
  return exported;
}

// Exports the table. An interrupted export returns an error. After an error the export leaves no
// files. Bytes that a pipe or device has received cannot be taken back.
Result<Exported> ExportTable(const OpenedTable& opened, const ExportOptions& options,
                             const InterruptGuard& interrupt) {
  DOLMEN_ASSIGN_OR_RETURN(const auto& sink, SinkFor(options, opened));
  DOLMEN_ASSIGN_OR_RETURN(const Exported exported,
                          options.skip_damaged ? WriteUndamagedItems(opened, interrupt, sink.get())
                                               : WriteItems(opened, interrupt, sink.get()));
  DOLMEN_RETURN_IF_ERROR(sink->Commit());
  return exported;
}

CommandResult Interrupted(const std::string& output) {
  if (!IsStream(output)) {
    return {kInterruptedExitCode, "interrupted: nothing was exported to " + output};
  }
  const std::string name = output == kStandardOutput ? "standard output" : output;
  return {kInterruptedExitCode, "interrupted: " + name + " received only a part of the table"};
}

}  // namespace

CommandResult Export(const ExportOptions& options) {
  const Result<OpenedTable> opened =
      OpenTable(options.database, options.table, ContentSizes::kCount);
  if (!opened.ok()) return FailureOf(opened.status());
  const InterruptGuard interrupt;
  const auto unreadable =
      UnreadableItems::SkippedOf(opened->database, KeyColumns(opened->description, ""));
  const Result<Exported> exported = ExportTable(*opened, options, interrupt);
  if (!exported.ok()) {
    return unreadable->End(interrupt.interrupted() ? Interrupted(options.output)
                                                   : FailureOf(exported.status()));
  }
  std::fprintf(stderr, "Exported %s (%s of JSON) from %s.\n",
               CountText(exported->items, "item").c_str(), BytesText(exported->bytes).c_str(),
               Printable(options.table).c_str());
  if (exported->skipped == 0) return unreadable->End({});
  return CommandResult::Failure(CountText(exported->skipped, "damaged range") +
                                " skipped: `dolmen repair` may find more of the items");
}

void AddExportCommand(CLI::App* app, CommandResult* result) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* command =
      app->add_subcommand("export", "Write a table's items as lines of DynamoDB JSON");
  AddDatabaseOrEndpointOptions(command, &options->database);
  AddTableOption(command, &options->table);
  command->add_option("--output", options->output, "Output file or directory; - is standard output")
      ->type_name("FILE|DIR/")
      ->capture_default_str();
  command->add_flag("--gzip", options->file.gzip,
                    "Compress the output; a file named *.gz is always compressed");
  AddOverwriteOption(command, &options->file.overwrite);
  command->add_flag("--skip-damaged", options->skip_damaged,
                    "Skip items that can't be read, and print their range of keys; the exit code "
                    "is then 1");
  command->footer(kExportFooter);
  command->callback([options, result] { *result = Export(*options); });
}

}  // namespace dolmen::command
