// The databases on which dolmen/benchmark.h times a model.

#pragma once

#include <stdlib.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "dolmen/database.h"
#include "dolmen/entity/request_log.h"

namespace dolmen::internal {

// A new directory below the system's directory for temporary files. The destructor removes the
// directory with its contents.
class BenchmarkDirectory {
 public:
  BenchmarkDirectory() {
    std::error_code error;
    std::string name =
        (std::filesystem::temp_directory_path(error) / "dolmen_benchmark.XXXXXX").string();
    if (!error && mkdtemp(name.data()) != nullptr) path_ = std::move(name);
  }
  ~BenchmarkDirectory() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  BenchmarkDirectory(const BenchmarkDirectory&) = delete;
  BenchmarkDirectory& operator=(const BenchmarkDirectory&) = delete;

  const std::string& path() const { return path_; }  // empty: the creation failed

 private:
  std::string path_;
};

// The requests of one call of an access pattern, and the units that they consume.
struct RequestCost {
  std::size_t requests = 0;
  double read_units = 0;
  double write_units = 0;
};

// A database with the items of a model. `Model` is a BenchmarkedModel (benchmark.h).
template <typename Model>
class BenchmarkFixture {
 public:
  using App = typename Model::App;

  BenchmarkFixture(std::shared_ptr<const Model> model, bool on_disk, std::size_t size)
      : model_(std::move(model)), on_disk_(on_disk), size_(size) {}

  // Returns "<memory|disk>/<size>".
  std::string name() const { return (on_disk_ ? "disk/" : "memory/") + std::to_string(size_); }

  // Opens the database and loads the items. A further call does nothing and returns the status of
  // the first call.
  Status Prepare() {
    if (!prepared_) prepared_ = on_disk_ ? OpenOnDisk() : OpenInMemory();
    return *prepared_;
  }

  // Returns the app without an observer.
  // REQUIRES: Prepare returned success
  App& app() { return *app_; }

  // Calls the pattern once for each `number` of the fixture.
  // REQUIRES: Prepare returned success
  template <typename Pattern>
  Status Call(const Pattern& pattern, App& app) {
    return pattern(app, {.number = next_++, .size = size_});
  }

  // Calls the pattern once with an app that has an observer, and stores the cost in `*cost`.
  // REQUIRES: Prepare returned success
  template <typename Pattern>
  Status Measure(const Pattern& pattern, RequestCost* cost) {
    const RequestLog log;
    Result<App> observed = model_->open(*database_, log.observer());
    if (!observed.ok()) return observed.status();
    log.Take();  // the requests of the opening
    if (Status called = Call(pattern, *observed); !called.ok()) return called;
    for (const RequestTrace& trace : log.Take()) {
      ++cost->requests;
      cost->read_units += trace.total().read_units;
      cost->write_units += trace.total().write_units;
    }
    return {};
  }

 private:
  Status OpenInMemory() {
    if (Status opened = Open(Database::InMemory(model_->options)); !opened.ok()) return opened;
    return model_->load(*app_, size_);
  }

  // Loads the items without waiting for the disk. Then reopens the database with the options of the
  // model.
  Status OpenOnDisk() {
    directory_.emplace();
    if (directory_->path().empty()) {
      return Status::Storage("cannot create a directory for the database; set TMPDIR");
    }
    OpenOptions loading = model_->options;
    loading.durability = Durability::kBuffered;
    const std::string path = directory_->path() + "/database";
    if (Status opened = Open(Database::Open(path, loading)); !opened.ok()) return opened;
    if (Status loaded = model_->load(*app_, size_); !loaded.ok()) return loaded;
    app_.reset();
    database_.reset();
    return Open(Database::Open(path, model_->options));
  }

  Status Open(Result<Database> database) {
    if (!database.ok()) return database.status();
    database_ = *std::move(database);
    Result<App> app = model_->open(*database_, RequestObserver());
    if (!app.ok()) return app.status();
    app_ = *std::move(app);
    return {};
  }

  std::shared_ptr<const Model> model_;
  bool on_disk_;
  std::size_t size_;
  std::size_t next_ = 0;
  std::optional<Status> prepared_;
  std::optional<BenchmarkDirectory> directory_;  // destroyed last, after the database is closed
  std::optional<Database> database_;
  std::optional<App> app_;
};

}  // namespace dolmen::internal
