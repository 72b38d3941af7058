#include "models/demo/arguments.h"

#include <CLI/CLI.hpp>

namespace dolmen::demo {

std::optional<Arguments> ParseArguments(int argc, char** argv,
                                        const std::vector<std::string>& models, int* exit_code) {
  CLI::App app("Runs the access patterns of Dolmen's models on a database of sample data.",
               "dolmen_demo");
  Arguments arguments;
  app.add_option("model", arguments.model, "The model to show (default: all models)")
      ->check(CLI::IsMember(models));
  app.add_option_function<std::string>(
         "--path", [&](const std::string& path) { arguments.path = path; },
         "The directory of the new database, or without a model of all databases (default: "
         "build/demo, whose databases are replaced)")
      ->type_name("DIR");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    *exit_code = app.exit(error) == 0 ? 0 : 2;  // CLI11 has a different code for each mistake
    return std::nullopt;
  }
  return arguments;
}

}  // namespace dolmen::demo
