// Benchmarks of a model: a row of google-benchmark for each access pattern, in memory and on disk,
// with the requests and the capacity units of one call beside the time.
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

#include <benchmark/benchmark.h>

#include <atomic>
#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
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
  // `requests`, `read_units` and `write_units`, so every call should have the same cost. The timed
  // calls have no observer. An error ends the row and is reported in its place.
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
          row.c_str(), [fixture, call](benchmark::State& state) { Time(state, *fixture, call); })
          ->UseRealTime()
          ->Unit(benchmark::kMicrosecond);
    }
    return *this;
  }

 private:
  using Fixture = internal::BenchmarkFixture<BenchmarkedModel<App>>;

  template <typename Call>
  static void Time(benchmark::State& state, Fixture& fixture, const Call& call) {
    if (Status prepared = fixture.Prepare(); !prepared.ok()) {
      return internal::EndRow(state, prepared);
    }
    internal::RequestCost cost;
    if (Status measured = fixture.Measure(call, &cost); !measured.ok()) {
      return internal::EndRow(state, measured);
    }
    for ([[maybe_unused]] auto iteration : state) {
      if (Status called = fixture.Call(call, fixture.app()); !called.ok()) {
        internal::EndRow(state, called);
        break;
      }
    }
    state.counters["requests"] = static_cast<double>(cost.requests);
    state.counters["read_units"] = cost.read_units;
    state.counters["write_units"] = cost.write_units;
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
