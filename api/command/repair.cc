#include "dolmen/repair.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <iostream>
#include <memory>
#include <string>

#include "command/command.h"
#include "command/database_command.h"
#include "command/encryption_key.h"
#include "command/interrupt.h"
#include "command/progress.h"
#include "command/text.h"

namespace dolmen::command {
namespace {

constexpr const char* kRepairFooter =
    R"(Copies everything that can be read from the database in FROM into a new database
in TO.  Changes nothing in FROM.  Works also if FROM cannot be opened.  Keeps the
tables, their items and streams, the positions of subscriptions and the tokens of
requests.  Builds all indexes anew from the items.

Lists what is lost, one range of keys per line.  Items in a listed range may be
missing, be older than they were, or exist again although they were deleted.  All
other items are as they were.  The exit code is 0 if nothing is lost, and 1
otherwise.  TO must not exist, or must be empty.  TO appears only when the repair
is complete.  Keep FROM until the data in TO are checked.

Example:
  dolmen repair app.dolmen repaired.dolmen)";

struct RepairWords {
  std::string from = {};
  std::string to = {};
  std::string key_file = {};
};

std::string CopiedText(const RepairOutput& output) {
  std::string text = CountText(output.tables, "table") + " with " + CountText(output.items, "item");
  if (output.stream_records == 0) return text;
  return text + " and " + CountText(output.stream_records, "stream record");
}

CommandResult RepairDatabase(const RepairWords& options) {
  const auto key = ReadEncryptionKey(options.key_file);
  if (!key.ok()) return FailureOf(key.status());
  const InterruptGuard interrupt;
  Result<RepairOutput> output = Status::Storage("not begun");
  {
    ProgressLine progress("repairing");
    const auto proceed = [&](const RepairProgress& now) {
      progress.Update({.items = now.items, .fraction = now.fraction});
      return !interrupt.interrupted();
    };
    output = Repair(options.from, options.to, {.progress = proceed, .encryption_key = *key});
  }
  if (!output.ok()) return FailureOf(DescribeOpenError(options.from, output.status()));
  if (!output->complete) {
    return {kInterruptedExitCode, "interrupted: " + options.to + " was not created"};
  }
  for (const RepairLoss& loss : output->losses) {
    if (!loss.table.empty()) std::cout << Printable(loss.table) << ": ";
    std::cout << Printable(loss.message) << '\n';
  }
  const std::string copied = CopiedText(*output) + " copied to " + options.to;
  if (output->losses.empty()) {
    std::cout << copied << ": nothing is lost.\n";
    return FlushedOutput();
  }
  if (CommandResult printed = FlushedOutput(); printed.exit_code != 0) return printed;
  return CommandResult::Failure(copied + ", but data in " +
                                CountText(output->losses.size(), "range") + " may be lost");
}

}  // namespace

void AddRepairCommand(CLI::App* app, CommandResult* result) {
  auto options = std::make_shared<RepairWords>();
  CLI::App* command =
      app->add_subcommand("repair", "Copy everything readable of a damaged database");
  command->add_option("from", options->from, "The damaged database's directory")
      ->required()
      ->type_name("FROM");
  command->add_option("to", options->to, "The new database's directory")
      ->required()
      ->type_name("TO");
  AddKeyFileOption(command, &options->key_file);
  command->footer(kRepairFooter);
  command->callback([options, result] { *result = RepairDatabase(*options); });
}

}  // namespace dolmen::command
