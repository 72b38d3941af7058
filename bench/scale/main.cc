// dolmen_scale times one point of the scale curves. scale.py runs dolmen_scale once per point, so
// that each point begins with fresh memory.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bench/command_line.h"
#include "bench/report.h"
#include "bench/scale/contenders.h"
#include "bench/temporary_directory.h"

namespace dolmen::bench {
namespace {

void PrintHelp() {
  std::fputs(
      "dolmen_scale --point=NAME [--dir=PATH] [--iterations=N] [--benchmark_...]\n"
      "dolmen_scale --points\n"
      "  --points        print the names of the points and their numbers of items\n"
      "  --dir=PATH      directory for the data during the run; default: the program's directory\n"
      "  --iterations=N  iterations per row; default: as many as fill the minimal time\n",
      stderr);
}

int ListPoints(const std::vector<MeasuredPoint>& points) {
  for (const MeasuredPoint& measured : points) {
    std::printf("%s %llu\n", NameOf(measured.point).c_str(),
                static_cast<unsigned long long>(measured.point.items));
  }
  return 0;
}

int Run(const MeasuredPoint& measured, std::int64_t iterations,
        const std::filesystem::path& parent) {
  const TemporaryDirectory directory(parent);
  if (directory.path().empty()) return 1;
  WarnUnlessRelease();
  Stores stores(ChatData(kMessagesPerConversation), {.row_caches = false}, directory.path());
  std::atomic<bool> failed = false;
  for (const auto& contender : measured.contenders) {
    auto* row = benchmark::RegisterBenchmark(contender->name().c_str(),
                                             [&contender, &failed](benchmark::State& state) {
                                               contender->Time(state);
                                               if (state.error_occurred()) failed = true;
                                             });
    row->Unit(benchmark::kMicrosecond);
    if (iterations > 0) row->Iterations(iterations);
    const Status prepared = contender->Prepare(stores);
    if (prepared.ok()) continue;
    std::fprintf(stderr, "%s: %s\n", contender->name().c_str(), prepared.ToString().c_str());
    return 1;
  }
  AddMachineHead();
  return benchmark::RunSpecifiedBenchmarks() == 0 || failed ? 1 : 0;
}

int Main(int argc, char** argv) {
  std::array<std::string, 4> defaults = {"--benchmark_repetitions=5", "--benchmark_min_time=0.25",
                                         "--benchmark_enable_random_interleaving=true",
                                         "--benchmark_display_aggregates_only=true"};
  std::vector<char*> args = {argv[0]};
  for (std::string& argument : defaults) args.push_back(argument.data());
  args.insert(args.end(), argv + 1, argv + argc);

  const std::vector<MeasuredPoint> points = AllPoints();
  if (TakeArgument("--points", &args)) return ListPoints(points);
  const std::string_view name = TakeArgument("--point=", &args).value_or("");
  const std::string_view directory = TakeArgument("--dir=", &args).value_or("");
  std::int64_t iterations = 0;
  const bool right = ParseNumber(TakeArgument("--iterations=", &args).value_or("0"), &iterations);
  const auto measured = std::ranges::find(
      points, name, [](const MeasuredPoint& candidate) { return NameOf(candidate.point); });
  if (measured == points.end() || !right) {
    PrintHelp();
    return 1;
  }
  int count = static_cast<int>(args.size());
  benchmark::Initialize(&count, args.data(), PrintHelp);
  if (benchmark::ReportUnrecognizedArguments(count, args.data())) return 1;
  const int result = Run(*measured, iterations, directory);
  benchmark::Shutdown();
  return result;
}

}  // namespace
}  // namespace dolmen::bench

int main(int argc, char** argv) { return dolmen::bench::Main(argc, argv); }
