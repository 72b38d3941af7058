// For several minutes, dolmen_soak reads and writes a database that is larger than the cache. It
// checks that the anonymous memory of the process stays below the size of the cache plus a
// constant. README.md explains the limit.

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "bench/command_line.h"
#include "bench/soak/load.h"
#include "bench/soak/memory.h"
#include "bench/temporary_directory.h"

namespace dolmen::bench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct Arguments {
  double minutes = 10;
  std::uint64_t messages = 1'000'000;
  std::size_t cache_bytes = OpenOptions().cache_bytes;
  std::size_t constant_bytes = 0;  // limit without the cache; 0: MemoryTerms computes it
  fs::path directory = {};
  fs::path out = {};
};

void PrintHelp() {
  std::fputs(
      "dolmen_soak [--minutes=M] [--messages=N] [--cache_bytes=N] [--constant_bytes=N]\n"
      "            [--dir=PATH] [--out=FILE]\n"
      "  --minutes=M         duration; default 10\n"
      "  --messages=N        messages in the database, a multiple of 1000; default 1000000\n"
      "  --cache_bytes=N     block cache; default: the library's default\n"
      "  --constant_bytes=N  memory limit without the cache; default: computed from the options\n"
      "  --dir=PATH          directory for the data; default: the program's directory\n"
      "  --out=FILE          JSON file for the samples\n"
      "Exit code 1: memory exceeded the limit, or an operation failed.\n",
      stderr);
}

bool ParseArguments(std::vector<char*>* args, Arguments* arguments) {
  const auto number = [args](std::string_view prefix, auto* value) {
    const auto text = TakeArgument(prefix, args);
    return !text || (ParseNumber(*text, value) && *value > 0);
  };
  const bool right =
      number("--minutes=", &arguments->minutes) && number("--messages=", &arguments->messages) &&
      number("--cache_bytes=", &arguments->cache_bytes) &&
      number("--constant_bytes=", &arguments->constant_bytes) &&
      arguments->messages % kMessagesPerConversation == 0 && arguments->messages >= 10'000;
  arguments->directory = TakeArgument("--dir=", args).value_or("");
  arguments->out = TakeArgument("--out=", args).value_or("");
  return right && args->size() == 1;
}

struct Sample {
  double seconds = 0;
  double operations_per_second = 0;
  Resident resident = {};
  std::size_t anonymous_bytes_max = 0;  // since the previous sample
};

double Megabytes(std::size_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

// Fills the database in a child process, so that the measured memory does not include the memory
// for filling.
bool FillInChild(const ChatData& data, const fs::path& directory) {
  const pid_t child = fork();
  if (child == 0) {
    const Status filled = DolmenStore::Fill(data.data_set(), Layout::kCompacted, directory);
    if (!filled.ok()) std::fprintf(stderr, "%s\n", filled.ToString().c_str());
    _exit(filled.ok() ? 0 : 1);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

// Measures memory every 0.1 seconds. Returns one sample per ten seconds and one sample for the
// end.
std::vector<Sample> Watch(const MixedLoad& load, double minutes) {
  constexpr auto kLook = std::chrono::milliseconds(100);
  constexpr double kSampleSeconds = 10;
  const Clock::time_point start = Clock::now();
  std::vector<Sample> samples;
  Sample last;
  std::uint64_t last_operations = 0;
  std::size_t most = 0;
  std::puts("   seconds  operations/s  resident MB  anonymous MB   maximum MB  allocated MB");
  for (bool ends = false; !ends;) {
    std::this_thread::sleep_for(kLook);
    Sample sample;
    sample.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    sample.resident = MeasureResident();
    most = std::max(most, sample.resident.anonymous_bytes);
    ends = sample.seconds >= minutes * 60 || !load.status().ok();
    if (!ends && sample.seconds < last.seconds + kSampleSeconds) continue;
    const std::uint64_t operations = load.operations();
    sample.operations_per_second =
        static_cast<double>(operations - last_operations) / (sample.seconds - last.seconds);
    sample.anonymous_bytes_max = std::exchange(most, 0);
    last_operations = operations;
    last = sample;
    samples.push_back(sample);
    std::printf("%10.1f  %12.0f  %11.1f  %12.1f  %11.1f  %12.1f\n", sample.seconds,
                sample.operations_per_second, Megabytes(sample.resident.bytes),
                Megabytes(sample.resident.anonymous_bytes), Megabytes(sample.anonymous_bytes_max),
                Megabytes(sample.resident.allocated_bytes));
    std::fflush(stdout);
  }
  return samples;
}

bool Write(const fs::path& path, const ChatData& data, const std::vector<MemoryTerm>& terms,
           const std::vector<Sample>& samples) {
  std::ofstream out(path);
  out << "{\"context\": {\"messages\": " << data.messages() << ", \"threads\": " << kLoadingThreads
      << "},\n\"limit_bytes\": {";
  for (std::size_t i = 0; i < terms.size(); ++i) {
    out << (i == 0 ? "" : ", ") << '"' << terms[i].name << "\": " << terms[i].bytes;
  }
  out << "},\n\"samples\": [\n";
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Sample& sample = samples[i];
    out << (i == 0 ? "" : ",\n") << "{\"seconds\": " << sample.seconds
        << ", \"operations_per_second\": "
        << static_cast<std::int64_t>(sample.operations_per_second)
        << ", \"resident_bytes\": " << sample.resident.bytes
        << ", \"anonymous_bytes\": " << sample.resident.anonymous_bytes
        << ", \"anonymous_bytes_max\": " << sample.anonymous_bytes_max
        << ", \"allocated_bytes\": " << sample.resident.allocated_bytes << "}";
  }
  out << "\n]}\n";
  return out.flush().good();
}

// The soak reads more rows than a row cache holds. The budget includes the default row cache.
const std::size_t kRowCacheBytes = OpenOptions().row_cache_bytes;

std::vector<MemoryTerm> TermsOf(const Arguments& arguments, std::size_t before_bytes) {
  if (arguments.constant_bytes > 0) {
    return {{"cache", arguments.cache_bytes}, {"constant", arguments.constant_bytes}};
  }
  return MemoryTerms({.cache_bytes = arguments.cache_bytes, .row_cache_bytes = kRowCacheBytes},
                     before_bytes, kLoadingThreads);
}

int Judge(const std::vector<MemoryTerm>& terms, const std::vector<Sample>& samples) {
  std::size_t most = 0;
  for (const Sample& sample : samples) most = std::max(most, sample.anonymous_bytes_max);
  for (const MemoryTerm& term : terms) {
    std::printf("%20.*s  %8.1f MB\n", static_cast<int>(term.name.size()), term.name.data(),
                Megabytes(term.bytes));
  }
  const bool held = most <= SumOf(terms);
  std::printf("%20s  %8.1f MB\n%20s  %8.1f MB: %s\n", "limit", Megabytes(SumOf(terms)), "held",
              Megabytes(most), held ? "within the limit" : "ABOVE THE LIMIT");
  return held ? 0 : 1;
}

int Run(const Arguments& arguments) {
  const TemporaryDirectory directory(arguments.directory);
  if (directory.path().empty()) return 1;
  const ChatData data(arguments.messages);
  const fs::path database = directory.path() / "soak";
  if (!FillInChild(data, database)) return 1;
  const std::vector<MemoryTerm> terms = TermsOf(arguments, MeasureResident().anonymous_bytes);
  const auto store = DolmenStore::Open(
      database, {.cache_bytes = arguments.cache_bytes, .row_cache_bytes = kRowCacheBytes});
  if (!store.ok()) {
    std::fprintf(stderr, "%s\n", store.status().ToString().c_str());
    return 1;
  }
  std::vector<Sample> samples;
  Status status;
  {
    const MixedLoad load(data, **store);
    samples = Watch(load, arguments.minutes);
    status = load.status();
  }
  if (!status.ok()) {
    std::fprintf(stderr, "%s\n", status.ToString().c_str());
    return 1;
  }
  if (!arguments.out.empty() && !Write(arguments.out, data, terms, samples)) {
    std::fprintf(stderr, "can't write %s\n", arguments.out.c_str());
    return 1;
  }
  return Judge(terms, samples);
}

}  // namespace
}  // namespace dolmen::bench

int main(int argc, char** argv) {
  using namespace dolmen::bench;
  std::vector<char*> args(argv, argv + argc);
  Arguments arguments;
  if (!ParseArguments(&args, &arguments)) {
    PrintHelp();
    return 1;
  }
  return Run(arguments);
}
