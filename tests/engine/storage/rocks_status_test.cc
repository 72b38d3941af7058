// Tests of the translation of RocksDB's statuses into Dolmen's statuses.

#include "engine/storage/rocks_status.h"

#include <rocksdb/status.h>

#include "tests/support/status_matchers.h"

namespace dolmen::engine {
namespace {

using test::IsOk;
using test::StatusIs;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(RocksStatusTest, SuccessStaysSuccess) {
  EXPECT_THAT(FromRocks(rocksdb::Status::OK(), "writing"), IsOk());
}

// No other program may remove files of a database, so a missing file is damage.
TEST(RocksStatusTest, DamageAndMissingFilesAreCorruption) {
  for (const rocksdb::Status& status :
       {rocksdb::Status::Corruption("block"), rocksdb::Status::PathNotFound("000012.sst")}) {
    EXPECT_THAT(FromRocks(status, "reading"),
                StatusIs(StatusCode::kCorruption, StartsWith("reading: ")));
  }
}

TEST(RocksStatusTest, EveryOtherErrorIsAStorageError) {
  for (const rocksdb::Status& status :
       {rocksdb::Status::IOError("denied"), rocksdb::Status::NoSpace(), rocksdb::Status::Busy(),
        rocksdb::Status::TimedOut(), rocksdb::Status::Aborted("stopped"),
        rocksdb::Status::InvalidArgument("option"), rocksdb::Status::NotSupported("option"),
        rocksdb::Status::MemoryLimit()}) {
    EXPECT_THAT(FromRocks(status, "opening"),
                StatusIs(StatusCode::kStorage, StartsWith("opening: ")));
  }
}

TEST(RocksStatusTest, TheMessageKeepsRocksDbsText) {
  EXPECT_THAT(FromRocks(rocksdb::Status::IOError("can't open", "/data/LOG"), "opening").message(),
              AllOf(HasSubstr("can't open"), HasSubstr("/data/LOG")));
}

TEST(RocksStatusTest, TheMessageIsUtf8) {
  EXPECT_EQ(FromRocks(rocksdb::Status::Corruption("MANIFEST-\xB0"), "opening").message(),
            "opening: Corruption: MANIFEST-\\xb0");
}

TEST(RocksStatusTest, OnlyAFullDiskAsksForSpace) {
  EXPECT_THAT(FromRocks(rocksdb::Status::NoSpace(), "writing").message(),
              HasSubstr("the disk is full"));
  EXPECT_THAT(FromRocks(rocksdb::Status::IOError("device"), "writing").message(),
              Not(HasSubstr("the disk is full")));
}

}  // namespace
}  // namespace dolmen::engine
