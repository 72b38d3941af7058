// Sends requests by Database::Connect from several threads, for bench.py, which describes the arguments
// and the output.

#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "dolmen/dolmen.h"
#include "wire/attribute_json.h"
#include "wire/json.h"

namespace {

using dolmen::Result;
using dolmen::Status;
using dolmen::wire::Json;
using dolmen::wire::JsonObject;

// A prepared request. Returns the number of items in its response.
using Call = std::function<Result<std::size_t>()>;

enum class Phase { kWarmUp, kMeasured, kEnd };

template <typename T>
T Value(Result<T> result) {
  if (!result.ok()) {
    std::fprintf(stderr, "%s\n", result.status().ToString().c_str());
    std::exit(1);
  }
  return *std::move(result);
}

dolmen::Item ItemIn(const JsonObject& request, std::string_view name) {
  return Value(dolmen::wire::ReadItem(*dolmen::wire::Member(request, name)));
}

Call QueryOf(const dolmen::Table& table, const JsonObject& request) {
  const dolmen::Item values = ItemIn(request, "ExpressionAttributeValues");
  const auto text = [&](const char* name) { return *values.at(name).get_if<std::string>(); };
  const auto limit = dolmen::wire::IntegerMember(request, "Limit");
  dolmen::QueryInput input{
      .key_condition = dolmen::Partition(text(":pk"), dolmen::BeginsWith(text(":prefix"))),
      .forward = dolmen::wire::BooleanMember(request, "ScanIndexForward"),
      .limit = static_cast<std::uint32_t>(limit.value_or(1))};
  return [table, input]() -> Result<std::size_t> {
    const auto page = table.Query(input);
    if (!page.ok()) return page.status();
    return page->size();
  };
}

Call CallOf(const dolmen::Table& table, std::string_view operation, const JsonObject& request) {
  if (operation == "Query") return QueryOf(table, request);
  if (operation == "GetItem") {
    return [table,
            input = dolmen::GetItemInput{.key = ItemIn(request, "Key")}]() -> Result<std::size_t> {
      const auto got = table.GetItem(input);
      if (!got.ok()) return got.status();
      return got->item ? 1 : 0;
    };
  }
  return [table,
          input = dolmen::PutItemInput{.item = ItemIn(request, "Item")}]() -> Result<std::size_t> {
    const auto put = table.PutItem(input);
    if (!put.ok()) return put.status();
    return std::size_t{0};
  };
}

std::vector<Call> ReadCalls(const dolmen::Table& table, const char* path) {
  std::vector<Call> calls;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::string_view text = line;
    const std::size_t tab = text.find('\t');
    simdjson::dom::parser parser;
    const Json json = Value(dolmen::wire::ParseJson(text.substr(tab + 1), "the request", &parser));
    calls.push_back(CallOf(table, text.substr(0, tab), dolmen::wire::ObjectOf(json)));
  }
  return calls;
}

double CpuSeconds() {
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void Wait(const char* seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(std::strtod(seconds, nullptr)));
}

}  // namespace

int main(int, char** argv) {
  const auto threads = static_cast<std::size_t>(std::atoi(argv[3]));
  const auto db =
      Value(dolmen::Database::Connect({.endpoint = argv[1], .connections_max = threads}));
  const std::vector<Call> calls = ReadCalls(Value(db.OpenTable("chat")), argv[2]);

  std::atomic<Phase> phase = Phase::kWarmUp;
  std::atomic<std::size_t> sent = 0;
  std::atomic<std::size_t> items = 0;
  std::vector<std::jthread> running;
  for (std::size_t thread = 0; thread < threads; ++thread) {
    running.emplace_back([&, i = thread * calls.size() / threads]() mutable {
      while (phase != Phase::kEnd) {
        const std::size_t found = Value(calls[i++ % calls.size()]());
        if (phase != Phase::kMeasured) continue;
        ++sent;
        items += found;
      }
    });
  }
  Wait(argv[4]);
  const double cpu = CpuSeconds();
  const auto begin = std::chrono::steady_clock::now();
  phase = Phase::kMeasured;
  Wait(argv[5]);
  phase = Phase::kEnd;
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
  const double used = CpuSeconds() - cpu;
  running.clear();
  std::printf("%zu %zu %f %f\n", sent.load(), items.load(), passed.count(), used);
}
