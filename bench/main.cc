// dolmen_bench loads the data, compares the answers of the contenders with the data, and then times
// the contenders. NOTES.md describes how to run dolmen_bench and how to read the report.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "bench/command_line.h"
#include "bench/contender.h"
#include "bench/data.h"
#include "bench/report.h"
#include "bench/temporary_directory.h"

namespace dolmen::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kScaleMin = 10'000;
constexpr std::uint64_t kScaleMax = 10'000'000;

struct Arguments {
  std::uint64_t scale = 1'000'000;
  Variant variant = {};
  std::int64_t iterations = 0;  // per row; 0: enough to run for the minimal time
  fs::path directory = {};      // holds the data; empty: the directory of the program
  bool list_only = false;
};

void PrintHelp() {
  std::fputs(
      "dolmen_bench [--scale=N] [--iterations=N] [--dir=PATH] [--uncompacted] [--cold]\n"
      "             [--benchmark_...]\n"
      "  --scale=N       number of messages: a multiple of 1000 from 10000 to 10000000; default\n"
      "                  1000000\n"
      "  --iterations=N  iterations per row; default: as many as fill the minimal time\n"
      "  --dir=PATH      directory for the data during the run; default: the program's directory\n"
      "  --uncompacted   do not compact the stores; rows keep the order in which they were "
      "written\n"
      "  --cold          time only reads, in wall-clock time; each repetition begins with the "
      "files\n"
      "                  out of the page cache\n"
      "  --benchmark_filter=REGEX, --benchmark_repetitions=N, --benchmark_format=json and all\n"
      "  other options of google-benchmark\n",
      stderr);
}

bool ParseScale(std::string_view text, std::uint64_t* scale) {
  return ParseNumber(text, scale) && *scale >= kScaleMin && *scale <= kScaleMax &&
         *scale % kMessagesPerConversation == 0;
}

bool ParseIterations(std::string_view text, std::int64_t* iterations) {
  return ParseNumber(text, iterations) && *iterations > 0;
}

// Parses the arguments that dolmen_bench itself defines, and removes them from `*args`. Returns
// false if an argument is invalid.
bool ParseArguments(std::vector<char*>* args, Arguments* arguments) {
  constexpr std::string_view kScale = "--scale=";
  constexpr std::string_view kIterations = "--iterations=";
  constexpr std::string_view kDirectory = "--dir=";
  bool right = true;
  std::erase_if(*args, [&](const char* arg) {
    const std::string_view text(arg);
    if (text.starts_with("--benchmark_list_tests")) arguments->list_only = true;
    if (text.starts_with(kDirectory)) {
      arguments->directory = text.substr(kDirectory.size());
      return true;
    }
    if (text.starts_with(kIterations)) {
      right = ParseIterations(text.substr(kIterations.size()), &arguments->iterations) && right;
      return true;
    }
    if (text == "--uncompacted" || text == "--cold") {
      if (text == "--cold") arguments->variant.cold = true;
      if (text == "--uncompacted") arguments->variant.layout = Layout::kAsWritten;
      return true;
    }
    if (!text.starts_with(kScale)) return false;
    right = ParseScale(text.substr(kScale.size()), &arguments->scale) && right;
    return true;
  });
  return right;
}

// Returns the command line with default options before it, so that the command line overrides them.
// The defaults are many short repetitions of all contenders in random order. A disturbance on a
// shared machine lasts seconds, and in that time repetitions of all contenders run. The disturbance
// therefore affects all contenders alike. With these defaults, ratios of medians vary by a tenth.
// With 5 long repetitions that took as much time in total, these ratios varied by half.
std::vector<char*> WithDefaults(int argc, char** argv) {
  static std::array<std::string, 4> defaults = {
      "--benchmark_repetitions=25", "--benchmark_min_time=0.05",
      "--benchmark_enable_random_interleaving=true", "--benchmark_display_aggregates_only=true"};
  std::vector<char*> args = {argv[0]};
  for (std::string& argument : defaults) args.push_back(argument.data());
  args.insert(args.end(), argv + 1, argv + argc);
  return args;
}

// Returns the number of queries per repetition with --cold. Each query reads a different partition.
std::int64_t ColdQuestions(std::uint64_t scale) {
  constexpr std::uint64_t kQuestionsMax = 100;
  return static_cast<std::int64_t>(std::min(ChatData(scale).users(), kQuestionsMax));
}

// Returns the contenders that support the variant and whose names match the filter. If the filter
// is not a valid regular expression, returns no contender, and google-benchmark reports the error.
// The bench cannot leave the filtering to google-benchmark, which compares the filter with the
// names of rows. A row's name is the contender's name and a suffix such as the number of threads.
// So the filter could select a row whose contender was not prepared.
std::vector<Contender*> Chosen(const Variant& variant) {
  std::string filter = benchmark::GetBenchmarkFilter();
  if (filter.empty() || filter == "all") filter = ".";
  const bool negative = filter.front() == '-';
  std::vector<Contender*> chosen;
  try {
    const std::regex pattern(negative ? filter.substr(1) : filter, std::regex::extended);
    for (const auto& contender : Contenders()) {
      if (variant.cold && !contender->can_be_cold()) continue;
      if (std::regex_search(contender->name(), pattern) == negative) continue;
      chosen.push_back(contender.get());
    }
  } catch (const std::regex_error&) {
    return {};
  }
  return chosen;
}

bool PrepareAll(std::vector<Contender*> contenders, Stores* stores) {
  std::ranges::stable_partition(contenders, &Contender::uses_copy);
  for (Contender* contender : contenders) {
    const Status prepared = contender->Prepare(*stores);
    if (prepared.ok()) continue;
    std::fprintf(stderr, "%s: %s\nNothing was timed.\n", contender->name().c_str(),
                 prepared.ToString().c_str());
    return false;
  }
  return true;
}

// Registers a row for each contender. Sets `*failed` if a row fails while it is timed.
void RegisterRows(const Arguments& arguments, const std::vector<Contender*>& contenders,
                  std::atomic<bool>* failed) {
  for (Contender* contender : contenders) {
    auto* row = benchmark::RegisterBenchmark(contender->name().c_str(),
                                             [contender, failed](benchmark::State& state) {
                                               contender->Time(state);
                                               if (state.error_occurred()) *failed = true;
                                             });
    row->Unit(benchmark::kMicrosecond);
    if (arguments.iterations > 0) row->Iterations(arguments.iterations);
    if (arguments.variant.cold) row->Iterations(ColdQuestions(arguments.scale))->UseRealTime();
    if (contender->takes_real_time()) row->UseRealTime();
    if (contender->threads_max() > 1) row->ThreadRange(1, contender->threads_max());
  }
}

int Run(const Arguments& arguments) {
  const TemporaryDirectory directory(arguments.directory);
  if (directory.path().empty()) return 1;
  WarnUnlessRelease();
  Stores stores(ChatData(arguments.scale), arguments.variant, directory.path());
  const std::vector<Contender*> chosen = Chosen(arguments.variant);
  if (!arguments.list_only) {
    if (!PrepareAll(chosen, &stores)) return 1;
    AddReportHead(stores);
  }
  std::atomic<bool> failed = false;
  RegisterRows(arguments, chosen, &failed);
  // Chosen has already applied the caller's filter to the contenders, so google-benchmark gets the
  // filter ".", which accepts every row. It compares a filter with the name of a row, which is
  // longer than the contender's name. The caller's filter could therefore reject a row of a chosen
  // contender.
  const std::string filter = chosen.empty() ? benchmark::GetBenchmarkFilter() : ".";
  return benchmark::RunSpecifiedBenchmarks(filter) == 0 || failed ? 1 : 0;
}

}  // namespace
}  // namespace dolmen::bench

int main(int argc, char** argv) {
  using namespace dolmen::bench;
  std::vector<char*> args = WithDefaults(argc, argv);
  Arguments arguments;
  if (!ParseArguments(&args, &arguments)) {
    PrintHelp();
    return 1;
  }
  int count = static_cast<int>(args.size());
  benchmark::Initialize(&count, args.data(), PrintHelp);
  if (benchmark::ReportUnrecognizedArguments(count, args.data())) return 1;
  const int result = Run(arguments);
  benchmark::Shutdown();
  return result;
}
