// The command line of the demo.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace dolmen::demo {

struct Arguments {
  std::string model = {};                          // "" = every model
  std::optional<std::filesystem::path> path = {};  // nothing = build/demo
  std::string endpoint = {};                       // the URL of a service; "" = tables on disk
};

// Reads the command line. `models` lists the valid names of a model. For --help, prints the help.
// For an invalid argument, prints an error to standard error. In these two cases, sets `*exit_code`
// and returns nothing.
std::optional<Arguments> ParseArguments(int argc, char** argv,
                                        const std::vector<std::string>& models, int* exit_code);

}  // namespace dolmen::demo
