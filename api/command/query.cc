#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <charconv>
#include <iostream>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "command/command.h"
#include "command/database_command.h"
#include "command/item_printer.h"
#include "command/query_request.h"
#include "command/statement_pages.h"
#include "command/text.h"
#include "command/unreadable_items.h"

namespace dolmen::command {
namespace {

constexpr const char* kQueryFooter =
    R"(Key values are given as plain text, binary values in Base64.  For an index with
several partition keys, give --partition once per key, in their order.  For
several sort keys, give --sort-equals once for each of the first keys.

Examples:
  dolmen query --path app.dolmen --table app
  dolmen query --path app.dolmen --table app --partition USER#1 \
      --sort-begins-with ORDER# --reverse --limit 10
  dolmen query --path app.dolmen --table app --index GSI1 \
      --partition EMAIL#ann@example.com --json
  dolmen query --path app.dolmen --table app --filter '#s = :open' \
      --names '{"#s": "status"}' --values '{":open": {"S": "open"}}'
  dolmen query --path app.dolmen --sql "SELECT SK FROM app WHERE PK = 'USER#1'"
  dolmen query --endpoint-url http://127.0.0.1:8000 --table app)";

struct QueryOptions {
  DatabaseWords database = {};
  std::string table = {};
  QueryWords words = {};
  std::string sql = {};
  std::uint64_t limit = 50;  // 0: no limit
  bool json = false;
};

Status ReadPage(const Table& table, const QueryInput& input, QueryOutput* page) {
  return table.Query(input, page);
}
Status ReadPage(const Table& table, const ScanInput& input, QueryOutput* page) {
  return table.Scan(input, page);
}

// Returns the number of items to show.
std::uint64_t Wanted(const QueryOptions& options) {
  return options.limit == 0 ? UINT64_MAX : options.limit;
}

// Prints the first items of a page.
void PrintItems(const QueryOutput& page, std::uint64_t count, ItemPrinter* printer) {
  for (std::size_t i = 0; i < count; ++i) printer->Add(page[i]);
  std::cout << printer->Take();
}

// Says that no items exist, or that more items exist.
CommandResult ShowEnd(const QueryOptions& options, std::uint64_t shown, bool more) {
  if (shown == 0 && !options.json) std::cerr << "No items found.\n";
  if (more) {
    std::cerr << "There are more items; --limit N shows N of them, --limit 0 shows all.\n";
  }
  return FlushedOutput();
}

// Reads and shows pages until the limit or the end.
template <typename Input>
CommandResult ShowPages(const OpenedTable& opened, const QueryOptions& options, Input input) {
  ItemPrinter printer(KeyColumns(opened.description, options.words.index), options.json);
  const std::uint64_t wanted = Wanted(options);
  std::uint64_t shown = 0;
  bool more = false;
  QueryOutput page;
  do {
    // Asks for one item more than is to be shown, to learn whether more items exist. Sets no limit
    // if there is a filter, because a limit counts items before the filter removes them.
    if (options.words.filter.empty() && wanted - shown < UINT32_MAX) {
      input.limit = static_cast<std::uint32_t>(wanted - shown + 1);
    }
    if (Status read = ReadPage(opened.table, input, &page); !read.ok()) return FailureOf(read);
    const auto count = std::min<std::uint64_t>(page.size(), wanted - shown);
    PrintItems(page, count, &printer);
    shown += count;
    more = page.size() > count;
    input.exclusive_start_key = page.last_evaluated_key();
  } while (!more && !input.exclusive_start_key.empty() && std::cout);
  return ShowEnd(options, shown, more);
}

// Executes a statement and shows its items until the limit or the end.
CommandResult ShowStatement(const QueryOptions& options) {
  const Result<Database> database = OpenDatabase(options.database);
  if (!database.ok()) return FailureOf(database.status());
  const std::vector<std::string> columns = StatementColumns(*database, options.sql);
  ItemPrinter printer(columns, options.json);
  const auto unreadable = UnreadableItems::SkippedOf(*database, columns);
  StatementPages pages(*database, options.sql);
  std::uint64_t shown = 0;
  bool more = false;
  while (!more && pages.has_more() && std::cout) {
    if (Status read = pages.Read(); !read.ok()) return unreadable->End(FailureOf(read));
    const std::uint64_t count =
        std::min<std::uint64_t>(pages.page().size(), Wanted(options) - shown);
    PrintItems(pages.page(), count, &printer);
    shown += count;
    more = pages.page().size() > count;
  }
  return unreadable->End(ShowEnd(options, shown, more));
}

CommandResult Query(const QueryOptions& options) {
  if (!options.sql.empty()) return ShowStatement(options);
  if (options.table.empty()) return CommandResult::Misuse("give --table NAME or --sql STATEMENT");
  const Result<OpenedTable> opened = OpenTable(options.database, options.table);
  if (!opened.ok()) return FailureOf(opened.status());
  const auto unreadable = UnreadableItems::SkippedOf(
      opened->database, KeyColumns(opened->description, options.words.index));
  if (options.words.partition.empty()) {
    Result<ScanInput> scan = ScanOf(opened->description, options.words);
    if (!scan.ok()) return CommandResult::Misuse(scan.status().message());
    return unreadable->End(ShowPages(*opened, options, *std::move(scan)));
  }
  Result<QueryInput> query = QueryOf(opened->description, options.words);
  if (!query.ok()) return CommandResult::Misuse(query.status().message());
  return unreadable->End(ShowPages(*opened, options, *std::move(query)));
}

// Returns an error message for CLI11 to print if the word is not a number. Otherwise returns an
// empty text. CLI11's own check would accept -1 as a large number.
std::string CheckNumber(const std::string& word) {
  std::uint64_t number = 0;
  const char* const end = word.data() + word.size();
  const auto [last, error] = std::from_chars(word.data(), end, number);
  if (error == std::errc() && last == end) return "";
  return "must be a whole number from 0 to " + std::to_string(UINT64_MAX) + ", not " +
         Printable(word);
}

// Adds an option that takes `count` words each time that it is given.
void AddValues(CLI::App* command, const char* name, std::vector<std::string>* words,
               const char* description, int count = 1) {
  CLI::Option* option = command->add_option(name, *words, description);
  option->type_name(count == 1 ? "VALUE" : "LOW HIGH")->expected(count)->allow_extra_args(false);
}

void AddSortOptions(CLI::App* command, QueryWords* words) {
  const auto repeated = [&](const char* name, std::vector<std::string>* values, const char* what) {
    command->add_option(name, *values, what)
        ->type_name("VALUE")
        ->allow_extra_args(false)
        ->take_all();
  };
  repeated("--partition", &words->partition,
           "The value of the partition key; without it, all items are read");
  repeated("--sort-equals", &words->sort_equals, "The sort key equals VALUE");
  AddValues(command, "--sort-begins-with", &words->sort_begins_with,
            "The sort key begins with VALUE");
  AddValues(command, "--sort-between", &words->sort_between,
            "The sort key is from LOW to HIGH, both included", 2);
  AddValues(command, "--sort-less", &words->sort_less, "The sort key is less than VALUE");
  AddValues(command, "--sort-at-most", &words->sort_at_most, "The sort key is VALUE or less");
  AddValues(command, "--sort-greater", &words->sort_greater, "The sort key is greater than VALUE");
  AddValues(command, "--sort-at-least", &words->sort_at_least, "The sort key is VALUE or greater");
}

// Returns the name of the first of these options that the command line has, or "".
std::string GivenOption(const std::vector<CLI::Option*>& options) {
  for (const CLI::Option* option : options) {
    if (option->count() > 0) return option->get_name();
  }
  return "";
}

}  // namespace

void AddQueryCommand(CLI::App* app, CommandResult* result) {
  auto options = std::make_shared<QueryOptions>();
  CLI::App* command =
      app->add_subcommand("query", "Show the items of a partition or of a whole table");
  AddDatabaseOrEndpointOptions(command, &options->database);
  const auto first = static_cast<std::ptrdiff_t>(command->get_options().size());
  AddTableOption(command, &options->table)->required(false);
  command->add_option("--index", options->words.index, "Read this index instead of the table")
      ->type_name("NAME");
  AddSortOptions(command, &options->words);
  command->add_flag("--reverse", options->words.reverse,
                    "Show items in descending order of the sort key");
  command->add_option("--filter", options->words.filter, "A FilterExpression")->type_name("EXPR");
  command->add_option("--names", options->words.names, "ExpressionAttributeNames")
      ->type_name("JSON");
  command->add_option("--values", options->words.values, "ExpressionAttributeValues")
      ->type_name("JSON");
  std::vector<CLI::Option*> selection = command->get_options();
  selection.erase(selection.begin(), selection.begin() + first);
  command
      ->add_option("--sql", options->sql,
                   "Show the result of this PartiQL SELECT, in place of the options above")
      ->type_name("STATEMENT");
  command->add_option("--limit", options->limit, "Show at most N items; 0 for all")
      ->type_name("N")
      ->check(&CheckNumber)
      ->capture_default_str();
  command->add_flag("--json", options->json,
                    "Print lines of DynamoDB JSON, as `dolmen export` does");
  command->footer(kQueryFooter);
  command->callback([options, selection, result] {
    const std::string given = options->sql.empty() ? "" : GivenOption(selection);
    *result = given.empty() ? Query(*options)
                            : CommandResult::Misuse("--sql can't be combined with " + given);
  });
}

}  // namespace dolmen::command
