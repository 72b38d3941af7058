// What the demo is told on its command line.

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

// Reads the command line.  Prints the help, or to standard error what is wrong with it, and returns
// nothing, with the process's exit code in `*exit_code`, if the demo is not to run.
// `models` are the names that a model may have.
std::optional<Arguments> ParseArguments(int argc, char** argv,
                                        const std::vector<std::string>& models, int* exit_code);

}  // namespace dolmen::demo
