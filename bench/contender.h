// Who competes: a workload's question put to one store.  A new workload is a new file that
// registers its contenders; a new store is a new file that a workload's file makes a contender of.

#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/data.h"
#include "dolmen/result.h"

namespace dolmen::bench {

// One row of an answer: its key as RocksDB orders it, and its item in the stored form.
struct AnswerRow {
  std::string key;
  std::string item;

  friend bool operator==(const AnswerRow&, const AnswerRow&) = default;
};
using Answer = std::vector<AnswerRow>;

// Where two answers differ first, for people; nothing if they are the same, byte by byte.
std::optional<std::string> Difference(const Answer& expected, const Answer& actual);

// A store that has loaded the data.  Besides, each has
//   static constexpr std::string_view kName;
//   static Result<std::unique_ptr<T>> Load(const ChatData& data, const std::filesystem::path& dir);
// which leaves the data compacted in a new directory `dir`, and the store freshly opened.
class LoadedStore {
 public:
  virtual ~LoadedStore() = default;
};

// The stores of a run, each loaded when a contender first asks for it.
class Stores {
 public:
  // `directory` is there, and empty.
  Stores(const ChatData& data, std::filesystem::path directory)
      : data_(data), directory_(std::move(directory)) {}

  const ChatData& data() const { return data_; }

  // The store lives as long as this.
  template <typename Store>
  Result<const Store*> Get() {
    std::unique_ptr<LoadedStore>& store = stores_[std::string(Store::kName)];
    if (store == nullptr) {
      Result<std::unique_ptr<Store>> loaded =
          Store::Load(data_, directory_ / std::string(Store::kName));
      if (!loaded.ok()) return loaded.status();
      store = *std::move(loaded);
    }
    return static_cast<const Store*>(store.get());
  }

  // What each loaded store takes on disk.
  std::map<std::string, std::uintmax_t> BytesOnDisk() const;

 private:
  ChatData data_;
  std::filesystem::path directory_;
  std::map<std::string, std::unique_ptr<LoadedStore>> stores_;
};

// Both block caches hold all of the data, so that what is timed is warm.
std::size_t CacheBytes(const ChatData& data);

// Says on stderr how far the loading is.
class Progress {
 public:
  Progress(std::string_view store, std::uint64_t rows) : store_(store), rows_(rows) {}
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Loaded(std::uint64_t rows);
  void Compacting();

 private:
  std::string_view store_;
  std::uint64_t rows_;
  std::uint64_t shown_percent_ = 0;
};

// One row of the report.
class Contender {
 public:
  virtual ~Contender() = default;

  virtual std::string name() const = 0;  // "<workload>/<store>"

  // Loads the store if that has not been done, compares a sample of answers with what the data say,
  // and reads everything that will be asked for once.
  virtual Status Prepare(Stores& stores) = 0;

  // All of the timed loop: how it asks is known where it is compiled.
  virtual void Time(benchmark::State& state) = 0;
};

// The contenders of all workloads, in the order in which they were added.
std::vector<std::unique_ptr<Contender>>& Contenders();

// For a variable at namespace scope: adds a T to the contenders.
template <typename T>
struct Registered {
  Registered() { Contenders().push_back(std::make_unique<T>()); }
};

}  // namespace dolmen::bench
