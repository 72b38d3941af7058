#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <iostream>
#include <memory>

#include "command/command.h"
#include "command/database_command.h"
#include "command/interrupt.h"
#include "command/progress.h"
#include "command/text.h"

namespace dolmen::command {
namespace {

constexpr const char* kVerifyFooter =
    R"(Checks the checksum of each block, the form of each item, each record of a
stream, and that the entries of each index match the items of its table.
Changes nothing.  Lists the indexes that are still being backfilled: their
missing entries are not findings.  The exit code is 0 if there are no findings,
and 1 otherwise.

Example:
  dolmen verify --path app.dolmen && cp -r app.dolmen backup/)";

struct VerifyOptions {
  DatabaseWords database = {};
};

void ShowFindings(const VerifyOutput& output) {
  for (const VerifyFinding& finding : output.findings) {
    if (!finding.table.empty()) std::cout << Printable(finding.table);
    if (!finding.index.empty()) std::cout << "." << Printable(finding.index);
    if (!finding.table.empty()) std::cout << ": ";
    std::cout << Printable(finding.message) << '\n';
  }
  if (output.finding_count > output.findings.size()) {
    std::cout << "... and " << CountText(output.finding_count - output.findings.size())
              << " more\n";
  }
}

void ShowUnfinished(const VerifyOutput& output) {
  for (const UnfinishedIndex& unfinished : output.unfinished_indexes) {
    std::cout << Printable(unfinished.table);
    if (!unfinished.index.empty()) std::cout << "." << Printable(unfinished.index);
    std::cout << (unfinished.index.empty() ? ": the time to live index" : "")
              << " is being backfilled: its missing entries are not findings\n";
  }
}

std::string CountsText(const VerifyOutput& output) {
  std::string text = CountText(output.items, "item") + " and " + CountText(output.index_entries) +
                     " index entries";
  if (output.stream_records == 0) return text;
  return text + " and " + CountText(output.stream_records, "stream record");
}

CommandResult Verify(const VerifyOptions& options) {
  const Result<Database> database = OpenDatabase(options.database);
  if (!database.ok()) return FailureOf(database.status());
  const InterruptGuard interrupt;
  Result<VerifyOutput> output = Status::Storage("not begun");
  {
    ProgressLine progress("verifying");
    output = database->Verify([&](const VerifyProgress& now) {
      progress.Update({.items = now.items_read, .fraction = now.fraction});
      return !interrupt.interrupted();
    });
  }
  if (!output.ok()) return FailureOf(output.status());
  ShowFindings(*output);
  ShowUnfinished(*output);
  const std::string read = CountsText(*output);
  if (output->finding_count > 0) {
    FlushedOutput();
    return CommandResult::Failure(CountText(output->finding_count, "finding") + " in " + read +
                                  (output->complete ? "" : ", interrupted before the end"));
  }
  if (!output->complete) {
    return {kInterruptedExitCode, "interrupted after " + read + ", without findings"};
  }
  std::cout << read << ": no damage found.\n";
  return FlushedOutput();
}

}  // namespace

void AddVerifyCommand(CLI::App* app, CommandResult* result) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* command = app->add_subcommand("verify", "Check a database for damage");
  AddDatabaseOptions(command, &options->database);
  command->footer(kVerifyFooter);
  command->callback([options, result] { *result = Verify(*options); });
}

}  // namespace dolmen::command
