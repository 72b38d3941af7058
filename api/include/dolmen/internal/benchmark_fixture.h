// The databases on which dolmen/design/benchmark.h times a model.

#pragma once

#include <stdlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "dolmen/database.h"
#include "dolmen/entity/request_log.h"
#include "dolmen/internal/bare_reads.h"

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

// The requests of one call of an access pattern: the units that they consume, and the items that
// they read.
struct RequestCost {
  std::size_t requests = 0;
  double read_units = 0;
  double write_units = 0;
  std::uint64_t items_read = 0;
  std::uint64_t bytes_read = 0;
  std::vector<BareRead> reads = {};  // of each request that reads

  // The seconds in which bare RocksDB does these reads. Nothing if the call writes, or reads no item.
  std::optional<double> floor_seconds = {};
};

inline void Add(const RequestTrace& trace, RequestCost* cost) {
  ++cost->requests;
  cost->read_units += trace.total().read_units;
  cost->write_units += trace.total().write_units;
  cost->items_read += trace.items_read;
  cost->bytes_read += trace.bytes_read;
  if (trace.ranges == 0 && trace.items_read == 0) return;
  cost->reads.push_back({.rows = trace.items_read, .ranges = trace.ranges});
}

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

  // Calls the pattern once with an app that has an observer, and returns the cost with the floor.
  // REQUIRES: Prepare returned success
  template <typename Pattern>
  Result<RequestCost> Measure(const Pattern& pattern) {
    const RequestLog log;
    Result<App> observed = model_->open(*database_, log.observer());
    if (!observed.ok()) return observed.status();
    log.Take();  // the requests of the opening
    if (Status called = Call(pattern, *observed); !called.ok()) return called;
    RequestCost cost;
    for (const RequestTrace& trace : log.Take()) Add(trace, &cost);
    if (cost.items_read == 0 || cost.write_units > 0) return cost;
    return TimeFloor(cost).transform([&](double seconds) {
      cost.floor_seconds = seconds;
      return cost;
    });
  }

 private:
  // Returns the seconds in which bare RocksDB reads the items, from a database in the same storage
  // that has as many rows as the tables have items.
  Result<double> TimeFloor(const RequestCost& cost) {
    if (row_count_ == 0) row_count_ = CountItems();
    std::uint64_t row_count = row_count_;
    for (const BareRead& read : cost.reads) row_count = std::max(row_count, read.rows);
    const std::string directory = on_disk_ ? directory_->path() + "/rocksdb" : "";
    Result<double> seconds = TimeBareReads({.directory = directory,
                                            .options = model_->options,
                                            .row_count = row_count,
                                            .row_bytes = cost.bytes_read / cost.items_read,
                                            .reads = cost.reads});
    std::error_code ignored;
    if (on_disk_) std::filesystem::remove_all(directory, ignored);
    return seconds;
  }

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

  std::uint64_t CountItems() const {
    std::uint64_t count = 0;
    const Result<ListTablesOutput> tables = database_->ListTables();
    if (!tables.ok()) return count;
    for (const std::string& table : tables->table_names) {
      const Result<TableDescription> description = database_->DescribeTable(table);
      if (description.ok()) count += description->content.item_count;
    }
    return count;
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
  std::uint64_t row_count_ = 0;  // 0: not yet counted
  std::optional<Status> prepared_;
  std::optional<BenchmarkDirectory> directory_;  // destroyed last, after the database is closed
  std::optional<Database> database_;
  std::optional<App> app_;
};

}  // namespace dolmen::internal
