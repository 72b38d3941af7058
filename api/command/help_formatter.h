// The format of --help.

#pragma once

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <string>

namespace dolmen::command {

// A formatter like CLI11's own, with 80 columns. It wraps the paragraphs of a footer. Lines of a
// footer that begin with a space are examples, whose line breaks are kept. In an example that is
// too long, the comment is wrapped, or the command is continued after a backslash.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter();

  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_expanded(const CLI::App* group) const override;
  std::string make_description(const CLI::App* app) const override;
  std::string make_footer(const CLI::App* app) const override;
};

}  // namespace dolmen::command
