// The stores of a run: filled with the data once, and opened for those who ask for them.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "bench/data.h"
#include "bench/page_cache.h"
#include "dolmen/open_options.h"
#include "dolmen/result.h"

namespace dolmen::bench {

// How the data lie on the disk.
enum class Layout : std::uint8_t {
  kCompacted,  // as the store reads best: compacted, or filled in the order of the keys
  kAsWritten,  // as they came, in the order of time
};

// How all stores of a run are.
struct Variant {
  Layout layout = Layout::kCompacted;
  bool cold = false;  // nothing of them is in memory when they are asked for; for reading only
};

struct StoreSettings {
  std::size_t cache_bytes = 0;
  Durability durability = Durability::kBuffered;
};

// A store that is open.  Besides, each has
//   static constexpr std::string_view kName;
//   // Makes the directory `dir`, with the data in it, and leaves it closed.
//   static Status Fill(const DataSet& data, Layout layout, const std::filesystem::path& dir);
//   // REQUIRES: Fill has made `dir`, or it is a copy of one that Fill has made
//   static Result<std::unique_ptr<T>> Open(const std::filesystem::path& dir,
//                                          const StoreSettings& settings);
class OpenStore {
 public:
  OpenStore() = default;
  virtual ~OpenStore() = default;
  OpenStore(const OpenStore&) = delete;
  OpenStore& operator=(const OpenStore&) = delete;

  // 0, 1, 2 and so on, for all rows and threads that write to it: no message is sent twice.
  std::uint64_t TakeNumber() const { return next_number_++; }

 private:
  mutable std::atomic<std::uint64_t> next_number_ = 0;
};

// What each cache gets, unless the stores are cold: it holds all of the data.
std::size_t CacheBytes(const DataSet& data);

// Each is filled, and opened, when somebody first asks for it, and lives as long as this.
class Stores {
 public:
  // `directory` is there, and empty.
  Stores(const ChatData& data, const Variant& variant, std::filesystem::path directory)
      : data_(data), variant_(variant), directory_(std::move(directory)) {}

  const ChatData& data() const { return data_; }
  bool cold() const { return variant_.cold; }

  // For what is no store of the run: a place of `name`, where nothing is yet.
  std::filesystem::path PlaceFor(const std::string& name) const { return directory_ / name; }

  // One that holds the data, shared by all who only read.  If the stores are cold it is opened anew
  // for whoever asks: the one that was returned before dies.
  template <typename Store>
  Result<const Store*> ToRead() {
    const std::string name(Store::kName);
    if (Status filled = Fill<Store>(name, data_.data_set()); !filled.ok()) return filled;
    return Open<Store>(name, {.cache_bytes = CacheBytesFor(data_.data_set())});
  }

  // A copy of that, shared by all who write to the copy of that name, always with the same
  // durability.
  // REQUIRES: nobody has asked ToRead for it yet, as only files that nobody has open can be copied;
  // contenders that write say so (Contender::writes) and are prepared first.
  template <typename Store>
  Result<const Store*> ToWrite(std::string_view copy_name = "written",
                               Durability durability = Durability::kBuffered) {
    const std::string name(Store::kName);
    const std::string copy = name + "_" + std::string(copy_name);
    if (Status filled = Fill<Store>(name, data_.data_set()); !filled.ok()) return filled;
    if (Status copied = Copy(name, copy); !copied.ok()) return copied;
    return Open<Store>(copy,
                       {.cache_bytes = CacheBytesFor(data_.data_set()), .durability = durability});
  }

  // One of a workload's own, with data of its own, opened as ToRead does it.  A `name` always
  // stands for the same data and the same type of store.
  template <typename Store>
  Result<const Store*> Own(const std::string& name, const DataSet& data) {
    if (Status filled = Fill<Store>(name, data); !filled.ok()) return filled;
    return Open<Store>(name, {.cache_bytes = CacheBytesFor(data)});
  }

  // One that a workload has made itself, in memory.
  template <typename Store>
  const Store* Keep(const std::string& name, std::unique_ptr<Store> store) {
    const Store* kept = store.get();
    places_[name].store = std::move(store);
    return kept;
  }

  // What each store that has been filled takes on disk; not the copies.
  std::map<std::string, std::uintmax_t> BytesOnDisk() const;

 private:
  struct Place {
    bool filled = false;
    bool copied = false;  // and not filled
    std::unique_ptr<OpenStore> store = {};
  };

  template <typename Store>
  Status Fill(const std::string& name, const DataSet& data) {
    Place& place = places_[name];
    if (place.filled) return {};
    Status filled = Store::Fill(data, variant_.layout, directory_ / name);
    place.filled = filled.ok();
    return filled;
  }

  std::size_t CacheBytesFor(const DataSet& data) const {
    constexpr std::size_t kColdCacheBytes = std::size_t{8} << 20;
    return variant_.cold ? kColdCacheBytes : CacheBytes(data);
  }

  // Does nothing if there is a copy.
  Status Copy(const std::string& from, const std::string& to);

  template <typename Store>
  Result<const Store*> Open(const std::string& name, const StoreSettings& settings) {
    std::unique_ptr<OpenStore>& store = places_[name].store;
    if (variant_.cold) {
      store.reset();
      if (Status dropped = DropFromPageCache(directory_ / name); !dropped.ok()) return dropped;
    }
    if (store == nullptr) {
      Result<std::unique_ptr<Store>> opened = Store::Open(directory_ / name, settings);
      if (!opened.ok()) return opened.status();
      store = *std::move(opened);
    }
    return static_cast<const Store*>(store.get());
  }

  ChatData data_;
  Variant variant_;
  std::filesystem::path directory_;
  std::map<std::string, Place> places_;  // by the names of directories
};

// Says on stderr how far the filling of a store is.
class Progress {
 public:
  Progress(std::string_view store, std::uint64_t items) : store_(store), items_(items) {}
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Loaded(std::uint64_t items);
  void Compacting();

 private:
  std::string_view store_;
  std::uint64_t items_;
  std::uint64_t shown_percent_ = 0;
};

}  // namespace dolmen::bench
