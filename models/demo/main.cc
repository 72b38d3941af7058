// dolmen_demo [model] [--path DIR]: shows the requests of each model and how long they take.

#include <algorithm>
#include <iostream>

#include "models/demo/arguments.h"
#include "models/demo/chat_tour.h"
#include "models/demo/course_tour.h"
#include "models/demo/org_tour.h"
#include "models/demo/patterns_tour.h"
#include "models/demo/user_tour.h"

namespace dolmen::demo {
namespace {

struct Tour {
  std::string model;
  Status (*show)(const std::filesystem::path& directory);
};

const std::vector<Tour>& Tours() {
  static const std::vector<Tour> tours = {{"chat", ShowChat},
                                          {"org", ShowOrg},
                                          {"user", ShowUser},
                                          {"course", ShowCourse},
                                          {"patterns", ShowPatterns}};
  return tours;
}

int Run(int argc, char** argv) {
  std::vector<std::string> models;
  for (const Tour& tour : Tours()) models.push_back(tour.model);
  int exit_code = 0;
  const std::optional<Arguments> arguments = ParseArguments(argc, argv, models, &exit_code);
  if (!arguments) return exit_code;

  for (const Tour& tour : Tours()) {
    if (!arguments->model.empty() && arguments->model != tour.model) continue;
    const auto directory =
        arguments->path.value_or(std::filesystem::path("build/demo") / (tour.model + ".dolmen"));
    if (const Status status = tour.show(directory); !status.ok()) {
      std::cout << std::flush;
      std::cerr << "dolmen_demo: " << directory.string() << ": " << status.ToString() << '\n';
      return 1;
    }
  }
  return 0;
}

}  // namespace
}  // namespace dolmen::demo

int main(int argc, char** argv) { return dolmen::demo::Run(argc, argv); }
