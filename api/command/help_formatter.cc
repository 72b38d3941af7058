#include "command/help_formatter.h"

#include <set>
#include <sstream>
#include <string_view>

namespace dolmen::command {
namespace {

constexpr std::size_t kColumns = 80;
constexpr std::size_t kDescriptionColumn = 30;
constexpr std::size_t kExampleColumn = 2;

// Appends the words of `text`, wrapped at kColumns. The first line is already at `column`, and
// later lines are indented by `indent`. Each line but the last ends with `continued`.
void AppendWords(const std::string& text, std::size_t column, std::size_t indent,
                 std::string_view continued, std::string* out) {
  std::istringstream words(text);
  bool first = true;
  for (std::string word; words >> word; first = false) {
    if (!first && column + 1 + word.size() + continued.size() > kColumns) {
      out->append(continued).append("\n").append(indent, ' ');
      column = indent;
      first = true;
    }
    if (!first) out->push_back(' ');
    out->append(word);
    column += word.size() + (first ? 0 : 1);
  }
  out->push_back('\n');
}

// Returns an entry of the help text, with the name in the left column and the description in the
// right column.
std::string TwoColumns(const std::string& name, const std::string& description) {
  std::string out = "  " + name;
  if (out.size() + 2 > kDescriptionColumn) out.push_back('\n');
  const std::size_t begun = out.ends_with('\n') ? 0 : out.size();
  out.append(kDescriptionColumn - begun, ' ');
  AppendWords(description, kDescriptionColumn, kDescriptionColumn, "", &out);
  return out;
}

// Appends a line of an example. If the line is too long, its comment is wrapped. If a line that is
// too long has no comment, it is continued after a backslash, as in a shell.
void AppendExample(const std::string& line, std::string* out) {
  if (line.size() <= kColumns) {
    out->append(line).push_back('\n');
    return;
  }
  const std::size_t start = line.find_first_not_of(' ');
  const std::size_t blanks = line.rfind("  ");
  const bool begins_a_comment = blanks != line.npos && blanks > start;
  const bool comment = begins_a_comment || start > kExampleColumn;
  const std::size_t column = begins_a_comment ? blanks + 2 : start;
  out->append(line.substr(0, column));
  AppendWords(line.substr(column), column, comment ? column : start + 4, comment ? "" : " \\", out);
}

std::string NamesOf(const std::set<CLI::Option*>& options) {
  std::string names;
  for (const CLI::Option* option : options) names += " " + option->get_name();
  return names;
}

}  // namespace

HelpFormatter::HelpFormatter() {
  label("SUBCOMMAND", "COMMAND");
  label("Positionals", "Arguments");
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  return TwoColumns(make_option_name(option, is_positional) + make_option_opts(option),
                    make_option_desc(option));
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  std::string text;
  const std::string type = option->get_type_name();
  if (option->get_type_size() != 0 && !type.empty()) text = " " + type;
  if (option->get_expected_max() == CLI::detail::expected_max_vector_size) text += " ...";
  if (option->get_required()) text += " REQUIRED";
  return text;
}

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
  std::string text = option->get_description();
  if (!option->get_default_str().empty()) text += " [default: " + option->get_default_str() + "]";
  if (!option->get_needs().empty()) text += " [needs:" + NamesOf(option->get_needs()) + "]";
  if (!option->get_excludes().empty())
    text += " [not with:" + NamesOf(option->get_excludes()) + "]";
  return text;
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  return TwoColumns(command->get_display_name(true), command->get_description());
}

// Returns the help text of a group of options. The group's description is the title.
std::string HelpFormatter::make_expanded(const CLI::App* group) const {
  std::string out = "\n" + group->get_description() + ":\n";
  for (const CLI::Option* option : group->get_options()) {
    if (option->nonpositional() && option != group->get_help_ptr())
      out += make_option(option, false);
  }
  return out;
}

std::string HelpFormatter::make_description(const CLI::App* app) const {
  std::string out;
  AppendWords(app->get_description(), 0, 0, "", &out);
  return out;
}

std::string HelpFormatter::make_footer(const CLI::App* app) const {
  std::istringstream lines(app->get_footer());
  std::string out;
  std::string paragraph;
  const auto end_paragraph = [&] {
    if (!paragraph.empty()) AppendWords(paragraph, 0, 0, "", &out);
    paragraph.clear();
  };
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.front() == ' ') {
      end_paragraph();
      if (!line.empty() || !out.empty()) AppendExample(line, &out);
    } else {
      paragraph += line + " ";
    }
  }
  end_paragraph();
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

}  // namespace dolmen::command
