#include "tests/fuzz/directory_mutation.h"

#include <rocksdb/write_batch.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <boost/crc.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/repair/block.h"
#include "engine/storage/files/hash_line.h"
#include "engine/storage/files/little_endian.h"
#include "engine/storage/files/table_blocks.h"
#include "engine/storage/logs/batch_reader.h"

namespace dolmen::fuzz {
namespace {

using engine::BatchEntryType;
using engine::BlockPlace;
using engine::LittleEndian;

// https://github.com/facebook/rocksdb/wiki/Write-Ahead-Log-File-Format
constexpr std::size_t kLogBlockBytes = 32'768;
constexpr std::size_t kLogHeaderBytes = 7;
enum RecordType : char { kWhole = 1, kFirst, kMiddle, kLast };

constexpr std::size_t kGrowthMax = 64;        // bytes by which one mutation may extend a part
constexpr std::size_t kBatchNumberBytes = 8;  // the number of a batch's first write

using Crc32c = boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true>;

void AppendLittleEndian(std::uint64_t value, std::size_t size, std::string* out) {
  for (; size > 0; --size, value >>= 8) out->push_back(static_cast<char>(value & 0xFF));
}

class Mutation {
 public:
  Mutation(const ByteMutator& mutate, std::mt19937* random) : mutate_(mutate), random_(*random) {}

  std::size_t Below(std::size_t bound) { return random_() % bound; }
  bool OneIn(std::size_t n) { return Below(n) == 0; }

  void Bytes(std::string* bytes) {
    const std::size_t size = bytes->size();
    bytes->resize(size + kGrowthMax);
    bytes->resize(mutate_(reinterpret_cast<std::uint8_t*>(bytes->data()), size, bytes->size()));
  }

  // Mutates the content and the checksum of one block of a table file. The size of the block stays.
  void Table(std::string* table);
  // Mutates one record of a log, or removes, repeats or exchanges records.
  void Log(std::string* log, bool has_batches);
  // Mutates a text whose last line is a hash.
  void HashedText(std::string* text);

 private:
  void Batch(std::string* record);

  const ByteMutator& mutate_;
  std::mt19937& random_;
};

// Returns the places of the blocks of a table file, those that its metaindex names included.
std::vector<BlockPlace> FindBlocks(std::string_view table) {
  if (table.size() < engine::kFooterBytes) return {};
  const std::size_t footer_start = table.size() - engine::kFooterBytes;
  const auto footer = engine::ParseFooter(table.substr(footer_start), footer_start);
  if (!footer) return {};
  const auto bytes_of = [&](const BlockPlace& place) {
    return table.substr(place.offset, place.size + engine::kTrailerBytes);
  };
  std::vector<BlockPlace> places = {footer->metaindex, footer->index};
  const auto index = engine::Uncompress(bytes_of(footer->index));
  const auto data = index ? engine::DecodeIndexBlock(*index) : std::nullopt;
  if (data) places.insert(places.end(), data->begin(), data->end());
  for (const char* const name :
       {"rocksdb.properties", "rocksdb.range_del", "fullfilter.rocksdb.BuiltinBloomFilter"}) {
    const auto place = engine::FindInMetaindex(bytes_of(footer->metaindex), name);
    if (place) places.push_back(*place);
  }
  std::erase_if(places, [&](const BlockPlace& place) { return place.end() > table.size(); });
  return places;
}

void Mutation::Table(std::string* table) {
  const std::vector<BlockPlace> places = FindBlocks(*table);
  if (places.empty()) return Bytes(table);
  const BlockPlace& place = places[Below(places.size())];
  auto* const block = reinterpret_cast<std::uint8_t*>(table->data()) + place.offset;
  mutate_(block, place.size, place.size);
  const std::uint64_t hash = XXH3_64bits(block, place.size);
  std::string checksum;
  AppendLittleEndian(engine::ToBlockChecksum(hash, static_cast<char>(block[place.size])), 4,
                     &checksum);
  table->replace(place.offset + place.size + 1, checksum.size(), checksum);
}

// Mutates a key or a value in the batch, whose form stays sound.
void Mutation::Batch(std::string* record) {
  std::vector<std::pair<BatchEntryType, std::array<std::string, 2>>> entries;
  const bool is_batch = engine::ReadBatch(*record, [&](const engine::BatchEntry& entry) {
    entries.push_back({entry.type, {std::string(entry.key), std::string(entry.value)}});
  });
  if (!is_batch || entries.empty()) return Bytes(record);
  auto& [mutated_type, parts] = entries[Below(entries.size())];
  const bool has_value =
      mutated_type == BatchEntryType::kPut || mutated_type == BatchEntryType::kDeleteRange;
  Bytes(&parts.at(has_value && !OneIn(4) ? 1 : 0));
  rocksdb::WriteBatch batch;
  for (const auto& [type, bytes] : entries) {
    switch (type) {
      case BatchEntryType::kPut:
        batch.Put(bytes[0], bytes[1]);
        break;
      case BatchEntryType::kDelete:
        batch.Delete(bytes[0]);
        break;
      case BatchEntryType::kDeleteRange:
        batch.DeleteRange(bytes[0], bytes[1]);
        break;
      case BatchEntryType::kLogData:
        batch.PutLogData(bytes[0]);
        break;
    }
  }
  *record = record->substr(0, kBatchNumberBytes) + batch.Data().substr(kBatchNumberBytes);
}

void Mutation::Log(std::string* log, bool has_batches) {
  std::vector<std::string> records = SplitLog(*log);
  if (records.empty()) return Bytes(log);
  std::string& record = records[Below(records.size())];
  switch (Below(16)) {
    case 0:
      records.erase(records.begin() + (&record - records.data()));
      break;
    case 1:
      records.push_back(std::string(record));
      break;
    case 2:
      record.swap(records[Below(records.size())]);
      break;
    default:
      if (has_batches && !OneIn(4)) {
        Batch(&record);
      } else {
        Bytes(&record);
      }
  }
  *log = JoinLog(records);
}

void Mutation::HashedText(std::string* text) {
  const std::size_t hash = text->rfind("hash ");
  text->resize(std::min(hash, text->size()));
  Bytes(text);
  if (hash != text->npos) *text += engine::HashLine(*text);
}

}  // namespace

std::vector<std::string> SplitLog(std::string_view log) {
  std::vector<std::string> records;
  std::string parts;
  for (std::size_t at = 0; at + kLogHeaderBytes <= log.size();) {
    const std::size_t left = kLogBlockBytes - at % kLogBlockBytes;
    if (left < kLogHeaderBytes) {
      at += left;
      continue;
    }
    const std::size_t size = LittleEndian(log.substr(at + 4, 2));
    const char type = log[at + 6];
    if (type < kWhole || type > kLast || size > log.size() - at - kLogHeaderBytes) break;
    if (type == kWhole || type == kFirst) parts.clear();
    parts += log.substr(at + kLogHeaderBytes, size);
    if (type == kWhole || type == kLast) records.push_back(parts);
    at += kLogHeaderBytes + size;
  }
  return records;
}

std::string JoinLog(const std::vector<std::string>& records) {
  std::string log;
  for (std::string_view rest : records) {
    bool is_first = true;
    do {
      std::size_t left = kLogBlockBytes - log.size() % kLogBlockBytes;
      if (left < kLogHeaderBytes) {
        log.append(left, '\0');
        left = kLogBlockBytes;
      }
      const std::string_view part = rest.substr(0, left - kLogHeaderBytes);
      rest.remove_prefix(part.size());
      const char type = rest.empty() ? (is_first ? kWhole : kLast) : (is_first ? kFirst : kMiddle);
      Crc32c crc;
      crc.process_byte(static_cast<unsigned char>(type));
      crc.process_bytes(part.data(), part.size());
      const std::uint32_t sum = crc.checksum();
      AppendLittleEndian(((sum >> 15) | (sum << 17)) + 0xA282EAD8U, 4, &log);
      AppendLittleEndian(part.size(), 2, &log);
      log.push_back(type);
      log += part;
      is_first = false;
    } while (!rest.empty());
  }
  return log;
}

void MutateFiles(std::vector<ArchivedFile>* files, const ByteMutator& mutate,
                 std::mt19937* random) {
  Mutation mutation(mutate, random);
  const std::size_t chosen = mutation.Below(files->size());
  ArchivedFile& file = (*files)[chosen];
  if (file.name == kForged) return;  // it stays
  switch (mutation.Below(32)) {
    case 0:
      files->erase(files->begin() + static_cast<std::ptrdiff_t>(chosen));
      return;
    case 1:
      file.bytes.swap((*files)[mutation.Below(files->size())].bytes);
      return;
    case 2: {
      ArchivedFile copy = file;
      mutation.Bytes(&copy.name);
      files->push_back(std::move(copy));
      return;
    }
    case 3:
    case 4:
    case 5:
      return mutation.Bytes(&file.bytes);
    default:
      break;
  }
  if (file.name.ends_with(".log")) {
    mutation.Log(&file.bytes, true);
  } else if (file.name.ends_with(".sst") || file.name.starts_with("MANIFEST-")) {
    if (file.name.ends_with(".sst")) {
      mutation.Table(&file.bytes);
    } else {
      mutation.Log(&file.bytes, false);
    }
    MarkAsForged(files);
  } else {
    mutation.HashedText(&file.bytes);
  }
}

}  // namespace dolmen::fuzz
