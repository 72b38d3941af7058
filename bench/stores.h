// The stores of a run. Each store is filled with the data once, and then opened for the
// contenders.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "bench/data.h"
#include "bench/page_cache.h"
#include "dolmen/open_options.h"
#include "dolmen/result.h"

namespace dolmen::bench {

// The order of the data on the disk.
enum class Layout : std::uint8_t {
  kCompacted,  // compacted, or filled in the order of the keys
  kAsWritten,  // in the order in which the items were written
};

// The settings that all stores of a run share.
struct Variant {
  Layout layout = Layout::kCompacted;
  bool cold = false;       // true: each ToRead reopens the store with an empty page cache
  bool row_caches = true;  // false: Dolmen's row cache is off, except in copies that set its size
};

struct StoreSettings {
  std::size_t cache_bytes = 0;
  std::size_t row_cache_bytes = 0;  // only for Dolmen
  Durability durability = Durability::kBuffered;
};

// The settings that a copy of a store has for itself.
struct CopySettings {
  Durability durability = Durability::kBuffered;
  std::optional<std::size_t> row_cache_bytes = std::nullopt;  // nothing: as in the other stores
};

// An open store. Each derived class also has these members:
//   static constexpr std::string_view kName;
//   // Creates the directory `dir` with the data in a closed store.
//   static Status Fill(const DataSet& data, Layout layout, const std::filesystem::path& dir);
//   // REQUIRES: Fill created `dir`, or `dir` is a copy of a directory that Fill created
//   static Result<std::unique_ptr<T>> Open(const std::filesystem::path& dir,
//                                          const StoreSettings& settings);
class OpenStore {
 public:
  OpenStore() = default;
  virtual ~OpenStore() = default;
  OpenStore(const OpenStore&) = delete;
  OpenStore& operator=(const OpenStore&) = delete;

  // Returns 0, 1, 2 and so on. Every thread that sends messages to the store takes the numbers of
  // the messages here, so no message is sent twice. Thread-safe.
  std::uint64_t TakeNumber() const { return next_number_++; }

 private:
  mutable std::atomic<std::uint64_t> next_number_ = 0;
};

// Returns the size in bytes of a cache that holds all data. Without Variant::cold, the stores have
// a cache of this size. With it, their cache is smaller.
std::size_t CacheBytes(const DataSet& data);

// All stores of a run, by name. This object fills and opens a store at the first request for the
// store, and owns the store.
class Stores {
 public:
  // REQUIRES: `directory` exists and is empty
  Stores(const ChatData& data, const Variant& variant, std::filesystem::path directory)
      : data_(data), variant_(variant), directory_(std::move(directory)) {}

  const ChatData& data() const { return data_; }
  bool cold() const { return variant_.cold; }

  // Returns a path that does not exist yet, for files that are not a store of the run.
  std::filesystem::path PlaceFor(const std::string& name) const { return directory_ / name; }

  // Returns the store with the data. Contenders that only read share this store. If cold() is
  // true, each call closes and reopens the store, so earlier pointers become invalid.
  template <typename Store>
  Result<const Store*> ToRead() {
    const std::string name(Store::kName);
    if (Status filled = Fill<Store>(name, data_.data_set()); !filled.ok()) return filled;
    return Open<Store>(name, SettingsFor(data_.data_set()));
  }

  // Returns a copy of the store, for contenders that write or that need other settings. All
  // contenders that use `copy_name` share this copy.
  // REQUIRES: all calls for a `copy_name` pass the same settings
  // REQUIRES: ToRead was not called for the store, because only closed files can be copied.
  // Contenders that use a copy are therefore prepared before the others. Contender::uses_copy marks
  // them.
  template <typename Store>
  Result<const Store*> CopyOf(std::string_view copy_name, const CopySettings& own = {}) {
    const std::string name(Store::kName);
    const std::string copy = name + "_" + std::string(copy_name);
    if (Status filled = Fill<Store>(name, data_.data_set()); !filled.ok()) return filled;
    if (Status copied = Copy(name, copy); !copied.ok()) return copied;
    StoreSettings settings = SettingsFor(data_.data_set());
    settings.durability = own.durability;
    settings.row_cache_bytes = own.row_cache_bytes.value_or(settings.row_cache_bytes);
    return Open<Store>(copy, settings);
  }

  // Returns a store that holds `data` and that no other workload uses. Opens it as ToRead does.
  // REQUIRES: every call with the same `name` passes the same data and the same type of store.
  template <typename Store>
  Result<const Store*> Own(const std::string& name, const DataSet& data) {
    if (Status filled = Fill<Store>(name, data); !filled.ok()) return filled;
    return Open<Store>(name, SettingsFor(data));
  }

  // Takes ownership of a store that a workload created in memory.
  template <typename Store>
  const Store* Keep(const std::string& name, std::unique_ptr<Store> store) {
    const Store* kept = store.get();
    places_[name].store = std::move(store);
    return kept;
  }

  // Returns the size on disk of each store that was filled, in bytes. Leaves out the copies.
  std::map<std::string, std::uintmax_t> BytesOnDisk() const;

 private:
  struct Place {
    bool filled = false;
    bool copied = false;  // the store is a copy of a different store
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

  StoreSettings SettingsFor(const DataSet& data) const {
    constexpr std::size_t kColdCacheBytes = std::size_t{8} << 20;
    const std::size_t bytes = variant_.cold ? kColdCacheBytes : CacheBytes(data);
    return {.cache_bytes = bytes, .row_cache_bytes = variant_.row_caches ? bytes : 0};
  }

  // Copies the files of a store. Does nothing if the copy already exists.
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

// A reporter of progress, which prints to stderr how much of a store is filled.
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
