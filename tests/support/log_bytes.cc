#include "tests/support/log_bytes.h"

#include <gmock/gmock.h>
#include <rocksdb/write_batch.h>

#include <boost/crc.hpp>

namespace dolmen::test {
namespace {

std::string Numbered(std::uint64_t number, rocksdb::WriteBatch* batch, bool is_synced) {
  if (is_synced) {
    EXPECT_TRUE(batch->PutLogData("sync").ok());
  }
  std::string bytes = batch->Data();
  for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>(number >> 8 * i);
  return bytes;
}

}  // namespace

std::string LogRecord(std::string_view content) {
  constexpr char kWholeRecord = 1;
  boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true> crc;
  crc.process_byte(kWholeRecord);
  crc.process_bytes(content.data(), content.size());
  const std::uint32_t sum = crc.checksum();
  const std::uint32_t stored = ((sum >> 15) | (sum << 17)) + 0xA282EAD8;
  std::string record;
  for (int i = 0; i < 4; ++i) record.push_back(static_cast<char>(stored >> 8 * i));
  record.push_back(static_cast<char>(content.size()));
  record.push_back(static_cast<char>(content.size() >> 8));
  record.push_back(kWholeRecord);
  return record.append(content);
}

std::string DeletionOfEverything(std::uint64_t number, bool is_synced) {
  rocksdb::WriteBatch batch;
  EXPECT_TRUE(batch.DeleteRange(std::string(4, '\0'), std::string(4, '\xff')).ok());
  return Numbered(number, &batch, is_synced);
}

std::string PutBatch(std::uint64_t number, const std::string& key, const std::string& value,
                     bool is_synced) {
  rocksdb::WriteBatch batch;
  EXPECT_TRUE(batch.Put(key, value).ok());
  return Numbered(number, &batch, is_synced);
}

}  // namespace dolmen::test
