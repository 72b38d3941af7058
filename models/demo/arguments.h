// The command line of the demo.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace dolmen::demo {

struct Arguments {
  std::string model = {};                          // "" = every model
  std::optional<std::filesystem::path> path = {};  // nothing = build/demo/<model>.dolmen
};

// Reads the command line; `models` lists the valid names of a model.  If the demo is not to run,
// prints the help, or an error to standard error.  Then returns nothing and sets `*exit_code`.
std::optional<Arguments> ParseArguments(int argc, char** argv,
                                        const std::vector<std::string>& models, int* exit_code);

}  // namespace dolmen::demo
