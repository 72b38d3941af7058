// dolmen_demo [model] [--path DIR | --endpoint URL]: shows the requests of each model and how long they take.

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

// The folder of the page, and of the databases unless a path is given.
constexpr const char* kFolder = "build/demo";

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

Result<Database> Connect(const std::string& endpoint, const SharedClock& clock) {
#ifdef DOLMEN_DEMO_CONNECTS
  return Database::Connect({.endpoint = endpoint, .clock = clock});
#else
  static_cast<void>(clock);
  return Status::Validation(endpoint + " needs dolmen::remote: install libcurl and build again");
#endif
}

Status CheckEmpty(const Database& database, const std::string& advice) {
  const auto tables = database.ListTables();
  if (!tables.ok()) return tables.status();
  return tables->table_names.empty() ? Status() : Status::Validation("holds tables; " + advice);
}

// Shows a model on a new database in `directory`, which must not hold tables.
Status Show(const Tour& tour, const std::filesystem::path& directory, Page* page) {
  const auto clock = std::make_shared<ManualClock>(kStart);
  const Result<Database> database = Database::Open(directory, {.clock = clock});
  if (!database.ok()) return database.status();
  const Status empty = CheckEmpty(*database, "name a directory that does not exist");
  return empty.ok() ? tour.show(*database, clock.get(), page) : empty;
}

// Shows the models on a service, which must not hold tables.
Status ShowOnService(const std::vector<Tour>& tours, const std::string& endpoint, Page* page) {
  const auto clock = std::make_shared<ManualClock>(kStart);
  const Result<Database> database = Connect(endpoint, clock);
  if (!database.ok()) return database.status();
  if (Status empty = CheckEmpty(*database, "start it without tables"); !empty.ok()) return empty;
  for (const Tour& tour : tours) {
    if (Status status = tour.show(*database, clock.get(), page); !status.ok()) return status;
  }
  return {};
}

// Shows the models, each on a new database in a directory.
Status ShowOnDisk(const std::vector<Tour>& tours, const Arguments& arguments, Page* page) {
  for (const Tour& tour : tours) {
    const bool is_given = arguments.path && !arguments.model.empty();
    const auto directory =
        is_given ? *arguments.path : arguments.path.value_or(kFolder) / (tour.model + ".dolmen");
    std::error_code ignored;
    if (!arguments.path) std::filesystem::remove_all(directory, ignored);  // of an earlier run
    if (const Status status = Show(tour, directory, page); !status.ok()) {
      return status.WithMessage(directory.string() + ": " + status.message());
    }
  }
  return {};
}

int Run(int argc, char** argv) {
  std::vector<std::string> models;
  for (const Tour& tour : Tours()) models.push_back(tour.model);
  int exit_code = 0;
  const std::optional<Arguments> arguments = ParseArguments(argc, argv, models, &exit_code);
  if (!arguments) return exit_code;

  std::vector<Tour> tours = Tours();
  std::erase_if(tours, [&](const Tour& tour) {
    return !arguments->model.empty() && arguments->model != tour.model;
  });
  Page page;
  page.AddHeading(1, "Dolmen's models");
  page.AddParagraph(
      "Each access pattern with its requests, what they write and require, the consumed "
      "units, and the time on the machine that wrote this page.");
  const std::string& endpoint = arguments->endpoint;
  const Status shown = endpoint.empty() ? ShowOnDisk(tours, *arguments, &page)
                                        : ShowOnService(tours, endpoint, &page);
  if (!shown.ok()) {
    std::cout << std::flush;
    std::cerr << "dolmen_demo: " << shown.ToString() << '\n';
    return 1;
  }
  std::error_code ignored;
  std::filesystem::create_directories(kFolder, ignored);
  const std::filesystem::path file = std::filesystem::path(kFolder) / "index.html";
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
