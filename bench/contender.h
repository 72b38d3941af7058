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
#include "bench/stored_rows.h"
#include "dolmen/result.h"

namespace dolmen::bench {

using Answer = std::vector<StoredRow>;

// Where two answers differ first, for people; nothing if they are the same, byte by byte.
std::optional<std::string> Difference(const Answer& expected, const Answer& actual);

// A store that has loaded the data.  Besides, each has
//   static constexpr std::string_view kName;
//   static Result<std::unique_ptr<T>> Load(const DataSet& data, const std::filesystem::path& dir);
// which leaves the data in a new directory `dir`, in the state that the store reads best: compacted
// and opened again, or filled in the order of the keys.
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

  // One that holds the messages, for all who only read them.  It lives as long as this.
  template <typename Store>
  Result<const Store*> Get() {
    return Get<Store>(std::string(Store::kName), data_.data_set());
  }

  // One that holds `data`.  A `name` always stands for the same data and the same type of store.
  template <typename Store>
  Result<const Store*> Get(const std::string& name, const DataSet& data) {
    std::unique_ptr<LoadedStore>& store = stores_[name];
    if (store == nullptr) {
      Result<std::unique_ptr<Store>> loaded = Store::Load(data, directory_ / name);
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

// Every store's cache holds all of the data, so that what is timed is warm.
std::size_t CacheBytes(const DataSet& data);

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

  // Its work is done by other threads, whose CPU time nobody sees.
  virtual bool takes_real_time() const { return false; }

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
