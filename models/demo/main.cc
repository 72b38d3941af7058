// dolmen_demo [model] [--path DIR]: shows the requests of each model and how long they take.

#include <chrono>
#include <iostream>
#include <memory>

#include "models/demo/arguments.h"
#include "models/demo/tours.h"

namespace dolmen::demo {
namespace {

// The time of the database's clock when a story begins. The sample data are from the days before.
constexpr Timestamp kStart{std::chrono::sys_days(std::chrono::April / 16 / 2026) +
                           std::chrono::hours(9)};

struct Tour {
  std::string model;
  Status (*show)(const Database& database, ManualClock* clock, Page* page);
};

const std::vector<Tour>& Tours() {
  static const std::vector<Tour> tours = {{"chat", ShowChat},
                                          {"org", ShowOrg},
                                          {"user", ShowUser},
                                          {"course", ShowCourse},
                                          {"patterns", ShowPatterns}};
  return tours;
}

// Shows a model on a new database in `directory`, which must not hold tables.
Status Show(const Tour& tour, const std::filesystem::path& directory, Page* page) {
  const auto clock = std::make_shared<ManualClock>(kStart);
  const Result<Database> database = Database::Open(directory, {.clock = clock});
  if (!database.ok()) return database.status();
  const auto tables = database->ListTables();
  if (!tables.ok()) return tables.status();
  if (!tables->table_names.empty()) {
    return Status::Validation("holds tables; name a directory that does not exist");
  }
  return tour.show(*database, clock.get(), page);
}

int Run(int argc, char** argv) {
  std::vector<std::string> models;
  for (const Tour& tour : Tours()) models.push_back(tour.model);
  int exit_code = 0;
  const std::optional<Arguments> arguments = ParseArguments(argc, argv, models, &exit_code);
  if (!arguments) return exit_code;

  const std::filesystem::path folder = "build/demo";
  Page page;
  page.AddHeading(1, "Dolmen's models");
  page.AddParagraph(
      "Each access pattern with its requests, what they write and require, the consumed "
      "units, and the time on the machine that wrote this page.");
  for (const Tour& tour : Tours()) {
    if (!arguments->model.empty() && arguments->model != tour.model) continue;
    const bool is_given = arguments->path && !arguments->model.empty();
    const auto directory =
        is_given ? *arguments->path : arguments->path.value_or(folder) / (tour.model + ".dolmen");
    std::error_code ignored;
    if (!arguments->path) std::filesystem::remove_all(directory, ignored);  // of an earlier run
    if (const Status status = Show(tour, directory, &page); !status.ok()) {
      std::cout << std::flush;
      std::cerr << "dolmen_demo: " << directory.string() << ": " << status.ToString() << '\n';
      return 1;
    }
  }
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  const std::filesystem::path file = folder / "index.html";
  if (const Status status = page.Write(file); !status.ok()) {
    std::cerr << "dolmen_demo: " << status.ToString() << '\n';
    return 1;
  }
  std::cout << "\nThe same as a page with pictures: " << file.string() << '\n';
  return 0;
}

}  // namespace
}  // namespace dolmen::demo

int main(int argc, char** argv) { return dolmen::demo::Run(argc, argv); }
