// Benchmarks of a model: a row of google-benchmark for each access pattern, in memory and on disk.
// Beside the time of a call the row has the requests and the capacity units of the call, and the time
// in which RocksDB without Dolmen reads as many rows.
//
//   int main(int argc, char** argv) {
//     ModelBenchmark<ToDo>({.name = "to-do", .open = OpenToDo, .load = LoadTasks})
//         .Pattern("tasks of a list", [](const ToDo& app) { return app.Tasks("home"); })
//         .Pattern("add a task", [](const ToDo& app) { return app.Add("later", "Buy bread"); });
//     return RunModelBenchmarks(argc, argv);
//   }
//
// Link benchmark::benchmark, the library of google-benchmark. dolmen.h does not include this header.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <benchmark/benchmark.h>

#include <atomic>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/database.h"
#include "dolmen/entity/request_log.h"
#include "dolmen/internal/benchmark_fixture.h"
#include "dolmen/open_options.h"

namespace dolmen {

// One call of an access pattern.
struct BenchmarkCall {
  // The number of earlier calls on the same database, of all patterns. Use it to read a different key
  // in each call, or to write a new one.
  std::size_t number = 0;

  // The size with which the database was loaded.
  std::size_t size = 0;
};

// A model to time. `App_` is the type of the open model, for example a repository or EntityTable.
template <typename App_>
struct BenchmarkedModel {
  using App = App_;

  // The first part of each row's name.
  std::string name = {};

  // Opens the model in a database, and creates its table if it does not exist. Must pass the observer
  // on to the model's EntityTable, because the observer counts requests and units. An empty observer
  // means none.
  std::function<Result<App>(const Database&, RequestObserver)> open = {};

  // Stores the items. The second argument is one of `sizes`. The caller defines its meaning, for
  // example the number of messages.
  std::function<Status(App&, std::size_t)> load = {};

  std::vector<std::size_t> sizes = {1'000, 100'000};

  // The options of the databases. A database on disk is loaded with Durability::kBuffered, closed, and
  // reopened with these options before it is timed.
  OpenOptions options = {};
};

namespace internal {

// True once a row has ended with an error.
inline std::atomic<bool> benchmark_failed = false;

inline Status StatusOf(Status status) { return status; }
template <typename T>
Status StatusOf(const Result<T>& result) {
  return result.status();
}

// Ends the row with the text of the status.
inline void EndRow(benchmark::State& state, const Status& status) {
  benchmark_failed = true;
  state.SkipWithError(status.ToString().c_str());
}

}  // namespace internal

// The rows of a model. The rows stay registered after this object is destroyed.
//
// All rows of one storage and size share a database. The first of these rows that runs opens and loads
// it. So rows that a filter excludes cost nothing. The databases on disk are in a new directory below
// the system's directory for temporary files (the environment variable TMPDIR). A run that ends in a
// crash leaves a directory `dolmen_benchmark.*` there.
template <typename App>
class ModelBenchmark {
 public:
  // REQUIRES: model.open and model.load are set, and do not throw
  explicit ModelBenchmark(BenchmarkedModel<App> model)
      : model_(std::make_shared<const BenchmarkedModel<App>>(std::move(model))) {
    for (const bool on_disk : {false, true}) {
      for (const std::size_t size : model_->sizes) {
        fixtures_.push_back(std::make_shared<Fixture>(model_, on_disk, size));
      }
    }
  }

  // Registers a row `<model>/<name>/<memory|disk>/<size>` for each storage and size. The rows report
  // wall-clock time, so google-benchmark appends "/real_time" to the names. `pattern` has one of these
  // forms, and returns a Status or a Result:
  //
  //   [](App& app) { ... }
  //   [](App& app, BenchmarkCall call) { ... }
  //
  // Before a row is timed, the pattern runs once with an observer. This call sets the row's counters
  // `requests`, `read_units`, `write_units`, `items_read` and `bytes_read` (RequestTrace), so every
  // call should have the same cost. The timed calls have no observer. An error ends the row and is
  // reported in its place.
  //
  // A pattern that reads items and writes nothing has two further counters. `floor_us` is the floor:
  // the microseconds in which RocksDB without Dolmen reads as many rows with as many bytes. `x_floor`
  // is the time of a call divided by the floor. The floor has one read for each request of the call:
  // - Query, Scan: an iterator seeks a row and steps forward over the others. A Query of several
  //   partitions seeks as many rows.
  // - GetItem, BatchGetItem, TransactGetItems: Get of one key, or MultiGet of several.
  //
  // Each read copies its rows into a buffer. The rows are in a database of their own, in the same
  // storage, with the options that Dolmen gives to RocksDB. This database has as many rows as the
  // tables have items. All rows have the same length, and were written once, in the order of the keys.
  //
  // The floor is not a limit: Dolmen's row cache can answer a call faster, and then `x_floor` is less
  // than 1. The floor is not a program that does the work of the pattern, either. Its rows have no
  // attributes, indexes and filters, and its keys are known in advance. The iterator steps forward
  // even if the pattern reads backward, which takes RocksDB longer. The floor is a median, and the
  // time of a row is a mean, so `x_floor` is too high on a busy machine.
  //
  // A pattern that writes must not change the cost of others. It can write to a partition of its own.
  template <typename Function>
  ModelBenchmark& Pattern(const std::string& name, Function pattern) {
    const auto call = [pattern = std::move(pattern)](App& app, const BenchmarkCall& arguments) {
      if constexpr (std::invocable<const Function&, App&, const BenchmarkCall&>) {
        return internal::StatusOf(pattern(app, arguments));
      } else {
        return internal::StatusOf(pattern(app));
      }
    };
    for (const auto& fixture : fixtures_) {
      const std::string row = model_->name + "/" + name + "/" + fixture->name();
      benchmark::RegisterBenchmark(
          row.c_str(),
          [fixture, call,
           cost = std::optional<Result<internal::RequestCost>>()](benchmark::State& state) mutable {
            if (Status prepared = fixture->Prepare(); !prepared.ok()) {
              return internal::EndRow(state, prepared);
            }
            // google-benchmark calls this function several times for a row.
            if (!cost) cost = fixture->Measure(call);
            if (!cost->ok()) return internal::EndRow(state, cost->status());
            AddCounters(**cost, Time(state, *fixture, call), &state.counters);
          })
          ->UseRealTime()
          ->Unit(benchmark::kMicrosecond);
    }
    return *this;
  }

 private:
  using Fixture = internal::BenchmarkFixture<BenchmarkedModel<App>>;

  // Calls the pattern once for each iteration. Returns the seconds of one call.
  template <typename Call>
  static double Time(benchmark::State& state, Fixture& fixture, const Call& call) {
    const auto begin = std::chrono::steady_clock::now();
    for ([[maybe_unused]] auto iteration : state) {
      if (Status called = fixture.Call(call, fixture.app()); !called.ok()) {
        internal::EndRow(state, called);
        break;
      }
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    return took.count() / static_cast<double>(state.iterations());
  }

  static void AddCounters(const internal::RequestCost& cost, double seconds,
                          benchmark::UserCounters* counters) {
    (*counters)["requests"] = static_cast<double>(cost.requests);
    (*counters)["read_units"] = cost.read_units;
    (*counters)["write_units"] = cost.write_units;
    (*counters)["items_read"] = static_cast<double>(cost.items_read);
    (*counters)["bytes_read"] = static_cast<double>(cost.bytes_read);
    if (!cost.floor_seconds) return;
    (*counters)["floor_us"] = *cost.floor_seconds * 1e6;
    (*counters)["x_floor"] = seconds / *cost.floor_seconds;
  }

  std::shared_ptr<const BenchmarkedModel<App>> model_;
  std::vector<std::shared_ptr<Fixture>> fixtures_;
};

// Runs the registered rows, closes their databases and removes the directories. Takes the options of
// google-benchmark, for example --benchmark_filter=/memory/. Shows the rows by `reporter`, or by the
// reporter of the options if it is null. google-benchmark 1.7 needs a reporter to run twice in one
// process. Returns the exit code of the program: 1 if an option is unknown, no row runs, or a row ends
// with an error.
inline int RunModelBenchmarks(int argc, char** argv,
                              benchmark::BenchmarkReporter* reporter = nullptr) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  internal::benchmark_failed = false;
  const bool has_run = benchmark::RunSpecifiedBenchmarks(reporter) > 0;
  benchmark::ClearRegisteredBenchmarks();  // destroys the fixtures
  return has_run && !internal::benchmark_failed ? 0 : 1;
}

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
