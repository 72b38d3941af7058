// What --help looks like.

#pragma once

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <string>

namespace dolmen::command {

// As CLI11's own, in 80 columns.  A footer's paragraphs are filled; its lines that begin with a
// blank are examples, and stay lines: one that is too long goes on below the comment that it ends
// with, or as a shell's line does.
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
