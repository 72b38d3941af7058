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
  auto* path = app.add_option_function<std::string>(
      "--path", [&](const std::string& given) { arguments.path = given; },
      "The directory of the new database, or without a model of all databases (default: "
      "build/demo, whose databases are replaced)");
  path->type_name("DIR");
  app.add_option("--endpoint", arguments.endpoint,
                 "A service with DynamoDB's HTTP API, which holds no tables yet")
      ->type_name("URL")
      ->excludes(path);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    *exit_code = app.exit(error) == 0 ? 0 : 2;  // CLI11 has a different code for each mistake
    return std::nullopt;
  }
  return arguments;
}

}  // namespace dolmen::demo
