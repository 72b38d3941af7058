#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <CLI/Validators.hpp>
#include <cstdint>
#include <memory>
#include <string>

#include "command/command.h"
#include "command/database_command.h"
#include "command/output_file.h"
#include "command/table_sample.h"
#include "command/text.h"
#include "dolmen/design/picture.h"
#include "engine/base/status_macros.h"

namespace dolmen::command {
namespace {

constexpr const char* kDrawFooter =
    R"(Partitions are bands, items are rows, attributes are cells, and the indexes are
below the table.  The kind of an item is its attribute entityType or __edb_e__, or
the word that its key begins with.  The picture follows a light or a dark theme.

Examples:
  dolmen draw --path app.dolmen --table app --output app.svg
  dolmen draw --path app.dolmen --table app --html --output app.html
  dolmen draw --path app.dolmen --table app --type-attribute kind > app.svg)";

struct DrawOptions {
  DatabaseWords database = {};
  std::string table = {};
  std::string output = std::string(kStandardOutput);
  OutputFileOptions file = {};
  bool html = false;
  std::uint64_t limit = 1000;
  PictureOptions picture = {};
  std::string type_attribute = {};  // "": none
};

// Returns the sentence about the items that were not read; "" if all were.
std::string NoteOf(const TableSample& sample, const TableDescription& table) {
  if (sample.is_whole) return {};
  return "A sample of " + CountText(sample.items.size(), "item") + ". The table has about " +
         CountText(table.content.item_count) + ".";
}

Result<std::string> PictureOf(const OpenedTable& opened, const DrawOptions& options) {
  DOLMEN_ASSIGN_OR_RETURN(const TableSample& sample,
                          ReadSample(opened.table, opened.description, options.limit));
  PictureOptions picture = options.picture;
  picture.note = NoteOf(sample, opened.description);
  if (!options.type_attribute.empty()) {
    picture.type_attributes.insert(picture.type_attributes.begin(), options.type_attribute);
  }
  std::string svg = DrawTable(opened.description, sample.items, picture);
  if (!options.html) return svg;
  return PicturePage(svg, picture.title.empty() ? options.table : picture.title);
}

Status Draw(const DrawOptions& options) {
  DOLMEN_ASSIGN_OR_RETURN(const OpenedTable& opened,
                          OpenTable(options.database, options.table, ContentSizes::kCount));
  DOLMEN_ASSIGN_OR_RETURN(const std::string& picture, PictureOf(opened, options));
  DOLMEN_ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(options.output, options.file));
  DOLMEN_RETURN_IF_ERROR(file.Write(picture));
  return file.Commit();
}

void AddSizeOptions(CLI::App* command, DrawOptions* options) {
  const auto add = [&](const char* name, auto* number, std::uint64_t max, const char* text) {
    command->add_option(name, *number, text)
        ->type_name("N")
        ->check(CLI::Range(std::uint64_t{1}, max).description(""))
        ->capture_default_str();
  };
  add("--limit", &options->limit, 100'000, "Read at most N items");
  add("--partitions", &options->picture.partitions_max, 200,
      "Show at most N partitions of the table and of each index");
  add("--items", &options->picture.items_max, 200, "Show at most N items of each partition");
}

}  // namespace

void AddDrawCommand(CLI::App* app, CommandResult* result) {
  auto options = std::make_shared<DrawOptions>();
  CLI::App* command = app->add_subcommand("draw", "Draw a table and its indexes as SVG or HTML");
  AddDatabaseOptions(command, &options->database);
  AddTableOption(command, &options->table);
  command->add_option("--output", options->output, "Output file; - is standard output")
      ->type_name("FILE")
      ->capture_default_str();
  AddOverwriteOption(command, &options->file.overwrite);
  command->add_flag("--html", options->html, "Write an HTML page that contains the picture");
  command->add_option("--title", options->picture.title, "The heading instead of the table's name")
      ->type_name("TEXT");
  command
      ->add_option("--type-attribute", options->type_attribute,
                   "The attribute that holds the kind of an item")
      ->type_name("NAME")
      ->allow_extra_args(false);
  AddSizeOptions(command, options.get());
  command->footer(kDrawFooter);
  command->callback([options, result] {
    const Status drawn = Draw(*options);
    if (!drawn.ok()) *result = FailureOf(drawn);
  });
}

}  // namespace dolmen::command
