#include "engine/storage/absence/absent_rows.h"

#include <boost/container/small_vector.hpp>
#include <string>

#include "engine/storage/files/table_tail.h"

namespace dolmen::engine {
namespace {

constexpr const char* kProperty = "dolmen.greatest_sort_keys";
static_assert(GreatestSortKeys::kEncodedBytesMax <= kMetaBytesMax / 2,
              "A file with larger properties could not be opened");

class CollectorOfFile : public rocksdb::TablePropertiesCollector {
 public:
  rocksdb::Status AddUserKey(const rocksdb::Slice& key, const rocksdb::Slice&, rocksdb::EntryType,
                             rocksdb::SequenceNumber, std::uint64_t) override {
    if (const auto row = GreatestSortKeys::RowOf({key.data(), key.size()})) greatest_.Add(*row);
    return {};
  }

  rocksdb::Status Finish(rocksdb::UserCollectedProperties* properties) override {
    (*properties)[kProperty] = greatest_.Encode();
    return {};
  }

  rocksdb::UserCollectedProperties GetReadableProperties() const override { return {}; }
  const char* Name() const override { return kProperty; }

 private:
  GreatestSortKeys greatest_;
};

class Factory : public rocksdb::TablePropertiesCollectorFactory {
 public:
  rocksdb::TablePropertiesCollector* CreateTablePropertiesCollector(Context) override {
    return new CollectorOfFile();
  }
  const char* Name() const override { return kProperty; }
};

// Adds the rows of all table files. Returns false if they are not known.
bool AddFiles(rocksdb::DB* db, GreatestSortKeys* greatest) {
  rocksdb::TablePropertiesCollection files;
  if (!db->GetPropertiesOfAllTables(&files).ok()) return false;
  for (const auto& [name, properties] : files) {
    if (properties == nullptr) return false;
    const auto& collected = properties->user_collected_properties;
    const auto found = collected.find(kProperty);
    if (found == collected.end() || !greatest->AddEncoded(found->second)) return false;
  }
  return true;
}

}  // namespace

std::shared_ptr<rocksdb::TablePropertiesCollectorFactory> AbsentRows::Collector() {
  return std::make_shared<Factory>();
}

void AbsentRows::Note(std::string_view batch, std::span<const WrittenRow> rows) {
  boost::container::small_vector<GreatestSortKeys::Row, 8> marked;
  for (const WrittenRow& written : rows) {
    if (const auto row = GreatestSortKeys::RowOf(written.key(batch))) marked.push_back(*row);
  }
  const MutexLock lock(mutex_);
  for (const GreatestSortKeys::Row& row : marked) greatest_.Add(row);
}

bool AbsentRows::Knows(std::string_view key, rocksdb::DB* db) {
  const auto row = GreatestSortKeys::RowOf(key);
  if (!row) return false;
  const MutexLock lock(mutex_);
  if (files_ == Files::kNotRead) {
    files_ = AddFiles(db, &greatest_) ? Files::kAdded : Files::kUnknown;
  }
  return files_ == Files::kAdded && greatest_.IsAbove(*row);
}

}  // namespace dolmen::engine
