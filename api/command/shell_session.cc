#include "command/shell_session.h"

#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iostream>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "command/database_command.h"
#include "command/interrupt.h"
#include "command/item_printer.h"
#include "command/statement_pages.h"
#include "command/statement_text.h"
#include "command/table_sample.h"
#include "command/tables.h"
#include "command/text.h"
#include "engine/base/status_macros.h"

namespace dolmen::command {
namespace {

constexpr std::uint64_t kDescribedItems = 1000;

struct Use {
  std::uint64_t items = 0;
  std::set<std::string_view> types = {};
};

std::string TypesText(const std::set<std::string_view>& types) {
  std::string text;
  for (const std::string_view type : types) text.append(text.empty() ? "" : " ").append(type);
  return text;
}

// Returns a table for people of the attributes in a sample of the table's items: the types of each
// attribute, and the number of items that have it.
// - kResourceNotFound: the table does not exist. The message names the existing tables.
// - kCorruption, kStorage: an item cannot be read.
Result<std::string> AttributesText(const Database& database, const std::string& table) {
  DOLMEN_ASSIGN_OR_RETURN(const OpenedTable& opened, TableOf(database, table));
  DOLMEN_ASSIGN_OR_RETURN(const TableSample& sample,
                          ReadSample(opened.table, opened.description, kDescribedItems));
  if (sample.items.empty()) return std::string("The table has no items.\n");
  std::map<std::string, Use> uses;
  for (const Item& item : sample.items) {
    for (const auto& [name, value] : item) {
      ++uses[name].items;
      uses[name].types.insert(AttributeTypeName(value.type()));
    }
  }
  TextTable rows(
      {"ATTRIBUTE", "TYPES",
       (sample.is_whole ? "IN " : "IN A SAMPLE OF ") + CountText(sample.items.size(), "item")});
  rows.AlignRight(2);
  for (const auto& [name, use] : uses) {
    rows.Add({Printable(name), TypesText(use.types), CountText(use.items)});
  }
  return rows.ToString();
}

constexpr std::string_view kHelp =
    R"(A statement ends with a semicolon and may have several lines:
  SELECT * FROM app WHERE PK = 'USER#1' AND begins_with(SK, 'ORDER#');
  INSERT INTO app VALUE {'PK': 'USER#1', 'SK': 'PROFILE', 'name': 'Ann'};
  UPDATE app SET name = 'Bea' WHERE PK = 'USER#1' AND SK = 'PROFILE';
  DELETE FROM app WHERE PK = 'USER#1' AND SK = 'PROFILE';
  EXPLAIN SELECT * FROM app WHERE total > 5;   the plan; executes nothing
A name that is a reserved word, or has other characters than letters, digits and
_, has double quotes: SELECT * FROM "my-table"."by-day";

  \d          the tables, with their keys and indexes
  \d TABLE    one table, with the attributes of some of its items
  \cost       show the read and write units of each statement, or show them no more
  \?          this help
  \q          end the shell
)";

constexpr std::array<std::string_view, 4> kCommands = {"\\?", "\\cost", "\\d", "\\q"};

std::string UnitsText(double units) {
  std::array<char, 32> text;
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), units, std::chars_format::general, 15);
  return std::string(text.data(), end.ptr);
}

// Returns the cost for people: "1.5 units: app 1, GSI1 0.5".
std::string CostText(const StatementCost& cost) {
  std::string text = UnitsText(cost.units) + (cost.units == 1 ? " unit" : " units");
  for (const auto& [name, units] : cost.by_name) {
    text.append(text.find(':') == text.npos ? ": " : ", ");
    text.append(Printable(name)).append(" ").append(UnitsText(units));
  }
  return text + "\n";
}

// Returns the line after the last item.
std::string EndText(const std::string& statement, std::uint64_t items) {
  const std::vector<StatementWord> words = StatementWords(statement);
  const bool reads = IsKeyword(words[0], "SELECT") || IsKeyword(words[0], "EXPLAIN");
  return reads || items > 0 ? CountText(items, "item") + "\n" : "Done.\n";
}

// A guard that lets Ctrl-C send a signal. The line editor turns this off (line_editor.cc).
class CtrlCSignal {
 public:
  CtrlCSignal() : is_terminal_(::tcgetattr(STDIN_FILENO, &before_) == 0) {
    termios with_signal = before_;
    with_signal.c_lflag |= ISIG;
    if (is_terminal_) ::tcsetattr(STDIN_FILENO, TCSANOW, &with_signal);
  }
  ~CtrlCSignal() {
    if (is_terminal_) ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
  }
  CtrlCSignal(const CtrlCSignal&) = delete;
  CtrlCSignal& operator=(const CtrlCSignal&) = delete;

 private:
  termios before_ = {};
  const bool is_terminal_;
};

std::string_view WithoutSpace(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
  return text.substr(0, text.find_last_not_of(kSpace) + 1);
}

}  // namespace

Status ShellSession::TakeLine(std::string_view line) {
  screen_.Begin();
  if (text_.empty() && WithoutSpace(line).starts_with('\\')) {
    return ExecuteCommand(WithoutSpace(line));
  }
  if (!text_.empty()) text_.push_back('\n');
  text_.append(line);
  for (std::size_t end = 0; (end = StatementLength(text_)) != text_.npos;) {
    const std::string statement = text_.substr(0, end);
    text_.erase(0, end);
    if (IsEmptyStatement(text_)) text_.clear();
    if (IsEmptyStatement(statement)) continue;
    if (Status executed = Execute(statement); !executed.ok()) {
      text_.clear();
      return executed;
    }
  }
  if (IsEmptyStatement(text_) && WithoutSpace(text_).empty()) text_.clear();
  return {};
}

Status ShellSession::Finish() {
  const std::string statement = std::exchange(text_, {});
  return IsEmptyStatement(statement) ? Status() : Execute(statement);
}

Completion ShellSession::Complete(std::string_view before, std::string_view after) const {
  if (!text_.empty() || !before.starts_with('\\')) {
    const std::size_t offset = text_.empty() ? 0 : text_.size() + 1;
    const std::string text = text_.empty() ? "" : text_ + "\n";
    Completion found = CompleteStatement(database_, text + std::string(before), after);
    found.begin -= std::min(found.begin, offset);
    return found;
  }
  Completion found;
  const std::size_t space = before.find(' ');
  if (space == before.npos) {
    for (const std::string_view command : kCommands) {
      if (command.starts_with(before)) found.candidates.emplace_back(command);
    }
  } else if (const auto tables = TableNames(database_); tables.ok()) {
    found.begin = before.find_last_of(' ') + 1;
    for (const std::string& table : *tables) {
      if (table.starts_with(before.substr(found.begin))) found.candidates.push_back(table);
    }
  }
  return found;
}

Status ShellSession::Print(std::string_view lines) {
  screen_.Print(lines);
  std::cout.flush();
  return std::cout ? Status() : Status::Storage("can't write to standard output");
}

// Executes a statement. If a person types the statements, Ctrl-C ends the output, not the process.
Status ShellSession::Execute(const std::string& statement) {
  if (!options_.interactive) return PrintPages(statement, [] { return false; });
  InterruptGuard guard;
  const CtrlCSignal signal;
  const Status printed = PrintPages(statement, [&guard] { return guard.interrupted(); });
  guard.ForgetCtrlC();
  if (guard.interrupted()) has_ended_ = true;
  return printed;
}

// Prints the pages of a statement until the last one, or until the user stops.
template <typename Interrupted>
Status ShellSession::PrintPages(const std::string& statement, const Interrupted& interrupted) {
  ItemPrinter printer(StatementColumns(database_, statement), options_.json);
  StatementPages pages(database_, statement);
  std::uint64_t count = 0;
  bool wanted = true;
  while (wanted && pages.has_more()) {
    DOLMEN_RETURN_IF_ERROR(pages.Read());
    for (const ItemView item : pages.page()) printer.Add(item);
    count += pages.page().size();
    wanted = screen_.Print(printer.Take()) && !interrupted();
  }
  if (!options_.json && wanted) screen_.Print(EndText(statement, count));
  if (shows_cost_) screen_.Print(CostText(pages.cost()));
  return Print("");
}

Status ShellSession::ExecuteCommand(std::string_view line) {
  const std::size_t space = std::min(line.find_first_of(" \t"), line.size());
  const std::string_view name = line.substr(0, space);
  const std::string argument(WithoutSpace(line.substr(space)));
  if (name == "\\d") return Describe(argument);
  if (argument.empty() && name == "\\?") return Print(kHelp);
  if (argument.empty() && name == "\\q") {
    has_ended_ = true;
    return {};
  }
  if (argument.empty() && name == "\\cost") {
    shows_cost_ = !shows_cost_;
    if (options_.json) return {};
    return Print(shows_cost_ ? "The units of each statement are shown.\n"
                             : "The units of statements are not shown.\n");
  }
  return Status::Validation("the shell has no command " + Printable(line) + "; \\? lists them");
}

// Prints all tables, or one table with its attributes.
Status ShellSession::Describe(const std::string& table) {
  std::vector<std::string> names = {table};
  if (table.empty()) {
    DOLMEN_ASSIGN_OR_RETURN(names, TableNames(database_));
  }
  if (options_.json) {
    DOLMEN_ASSIGN_OR_RETURN(const std::string& json, TablesJson(database_, names));
    return Print(json);
  }
  DOLMEN_ASSIGN_OR_RETURN(std::string text, TablesText(database_, names));
  if (!table.empty()) {
    DOLMEN_ASSIGN_OR_RETURN(const std::string& attributes, AttributesText(database_, table));
    text.append("\n").append(attributes);
  }
  return Print(text);
}

}  // namespace dolmen::command
