#include "engine/storage/encryption/encrypted_files.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "tests/engine/faulty_disk.h"
#include "tests/support/random.h"
#include "tests/support/temp_directory.h"

namespace dolmen::engine {
namespace {

constexpr std::size_t kHeaderBytes = 48;  // the header and its copy, each of which is enough
constexpr std::size_t kCopyAt = 2048;
constexpr EncryptionKey kKey = {std::byte{1}, std::byte{2}};
constexpr EncryptionKey kOtherKey = {std::byte{1}, std::byte{3}};

class EncryptedFilesTest : public test::SeededTest {
 protected:
  std::unique_ptr<rocksdb::FSWritableFile> Create(const std::string& path) const {
    std::unique_ptr<rocksdb::FSWritableFile> file;
    EXPECT_TRUE(files_->NewWritableFile(path, {}, &file, nullptr).ok());
    return file;
  }
  std::unique_ptr<rocksdb::FSWritableFile> Reopen(const std::string& path) const {
    std::unique_ptr<rocksdb::FSWritableFile> file;
    EXPECT_TRUE(files_->ReopenWritableFile(path, {}, &file, nullptr).ok());
    return file;
  }
  void Write(const std::string& content) const {
    EXPECT_TRUE(rocksdb::WriteStringToFile(files_.get(), content, path_, true).ok());
  }
  std::string Read() const {
    std::string content;
    EXPECT_TRUE(rocksdb::ReadFileToString(files_.get(), path_, &content).ok());
    return content;
  }
  std::uint64_t Size() const {
    std::uint64_t size = 0;
    EXPECT_TRUE(files_->GetFileSize(path_, {}, &size, nullptr).ok());
    return size;
  }
  // The bytes of the file on the disk.
  std::string Stored() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  void Store(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }

  // Opens the file in both ways. Returns the status, which must be the same.
  rocksdb::IOStatus Open(const EncryptionKey& key) const {
    const auto files = EncryptFiles(rocksdb::FileSystem::Default(), key);
    std::unique_ptr<rocksdb::FSSequentialFile> log;
    std::unique_ptr<rocksdb::FSRandomAccessFile> table;
    const rocksdb::IOStatus opened = files->NewSequentialFile(path_, {}, &log, nullptr);
    EXPECT_EQ(files->NewRandomAccessFile(path_, {}, &table, nullptr).ToString(), opened.ToString());
    return opened;
  }

  test::TempDirectory directory_;
  const std::string path_ = directory_ / "000012.log";
  std::shared_ptr<DiskFaults> faults_ = std::make_shared<DiskFaults>();
  std::shared_ptr<rocksdb::FileSystem> files_ =
      EncryptFiles(std::make_shared<FaultyDisk>(faults_), kKey);
};

TEST_F(EncryptedFilesTest, EachPartOfAFileReadsAsWritten) {
  std::string content;
  const auto written = Create(path_);
  for (int i = 0; i < 50; ++i) {
    const std::string part(random_.Below(random_.OneIn(10) ? 400'000 : 100),
                           static_cast<char>('a' + i % 26));
    EXPECT_TRUE(written->Append(part, {}, nullptr).ok());
    content += part;
  }
  EXPECT_TRUE(written->Close({}, nullptr).ok());
  EXPECT_TRUE(Read() == content);
  std::unique_ptr<rocksdb::FSRandomAccessFile> file;
  ASSERT_TRUE(files_->NewRandomAccessFile(path_, {}, &file, nullptr).ok());
  for (int i = 0; i < 200; ++i) {
    const std::size_t offset = random_.Below(content.size());
    std::string space(1 + random_.Below(999), '\0');
    const std::string expected = content.substr(offset, space.size());
    rocksdb::Slice read;
    EXPECT_TRUE(file->Read(offset, space.size(), {}, &read, space.data(), nullptr).ok());
    EXPECT_EQ(read.ToString(), expected);
    rocksdb::FSReadRequest request;  // its other fields depend on RocksDB's version
    request.offset = offset;
    request.len = space.size();
    request.scratch = space.data();
    EXPECT_TRUE(file->MultiRead(&request, 1, {}, nullptr).ok());
    EXPECT_EQ(request.result.ToString(), expected);
    EXPECT_EQ(request.offset, offset);
    const auto check = [](const rocksdb::FSReadRequest& done, void* text) {
      EXPECT_EQ(done.result.ToString(), *static_cast<const std::string*>(text));
    };
    std::string copy = expected;
    EXPECT_TRUE(file->ReadAsync(request, {}, check, &copy, nullptr, nullptr, nullptr).ok());
  }
}

TEST_F(EncryptedFilesTest, ASkippedPartIsNotRead) {
  Write("a dolmen is a table of stone");
  std::unique_ptr<rocksdb::FSSequentialFile> file;
  ASSERT_TRUE(files_->NewSequentialFile(path_, {}, &file, nullptr).ok());
  std::string space(100, '\0');
  rocksdb::Slice read;
  EXPECT_TRUE(file->Skip(14).ok());
  EXPECT_TRUE(file->Read(5, {}, &read, space.data(), nullptr).ok());
  EXPECT_EQ(read.ToString(), "table");
  EXPECT_TRUE(file->Skip(4).ok());
  EXPECT_TRUE(file->Read(space.size(), {}, &read, space.data(), nullptr).ok());
  EXPECT_EQ(read.ToString(), "stone");
}

TEST_F(EncryptedFilesTest, TwoFilesWithOneContentAreStoredDifferently) {
  Write("a dolmen is a table of stone");
  const std::string first = Stored();
  Write("a dolmen is a table of stone");
  EXPECT_NE(Stored().substr(kEncryptedPrefixBytes), first.substr(kEncryptedPrefixBytes));
}

TEST_F(EncryptedFilesTest, AFileOpensOnlyWithItsKey) {
  Write("content");
  EXPECT_TRUE(Open(kKey).ok());
  EXPECT_TRUE(Open(kOtherKey).IsCorruption());
  EXPECT_THAT(Open(kOtherKey).ToString(), testing::HasSubstr(path_));
  Store(std::string(kEncryptedPrefixBytes, 'x') + "a plain file");
  EXPECT_TRUE(Open(kKey).IsCorruption());
}

TEST_F(EncryptedFilesTest, NoSingleBitOfThePrefixIsNeeded) {
  Write("content");
  const std::string stored = Stored();
  const auto is_in_header = [](std::size_t byte) { return byte % kCopyAt < kHeaderBytes; };
  for (std::size_t bit = 0; bit < 8 * kEncryptedPrefixBytes; bit += is_in_header(bit / 8) ? 1 : 8) {
    std::string damaged = stored;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    Store(damaged);
    ASSERT_TRUE(Open(kKey).ok()) << bit;
    if (is_in_header(bit / 8)) {
      ASSERT_EQ(Read(), "content") << bit;
    }
  }
}

TEST_F(EncryptedFilesTest, AFileWithoutAWholeHeaderIsDamaged) {
  Write("content");
  const std::string stored = Stored();
  const auto flip = [&](std::string* bytes, std::size_t from) {
    const std::size_t bit = 8 * from + random_.Below(8 * kHeaderBytes);
    (*bytes)[bit / 8] = static_cast<char>((*bytes)[bit / 8] ^ (1 << bit % 8));
  };
  for (int i = 0; i < 100; ++i) {
    std::string damaged = stored;
    flip(&damaged, 0);
    flip(&damaged, kCopyAt);
    Store(damaged);
    EXPECT_TRUE(Open(kKey).IsCorruption());
    EXPECT_TRUE(Open(kOtherKey).IsCorruption());
  }
  Store(std::string(kCopyAt, '\0') + stored.substr(kCopyAt));
  EXPECT_TRUE(Open(kKey).ok());
  Store(std::string(kEncryptedPrefixBytes, '\0') + stored.substr(kEncryptedPrefixBytes));
  std::string content;
  EXPECT_TRUE(rocksdb::ReadFileToString(files_.get(), path_, &content).IsCorruption());
}

TEST_F(EncryptedFilesTest, AFileThatEndsInItsPrefixIsEmpty) {
  Write("content");
  const std::string stored = Stored();
  for (std::size_t size = 0; size <= kEncryptedPrefixBytes; size += size < 60 ? 1 : 4) {
    Store(stored.substr(0, size));
    EXPECT_TRUE(Open(kKey).ok());
    EXPECT_EQ(Size(), 0) << size;
    EXPECT_EQ(Read(), "") << size;
    std::unique_ptr<rocksdb::FSRandomAccessFile> file;
    ASSERT_TRUE(files_->NewRandomAccessFile(path_, {}, &file, nullptr).ok());
    char byte = 0;
    rocksdb::Slice read;
    EXPECT_TRUE(file->Read(0, 1, {}, &read, &byte, nullptr).ok());
    EXPECT_EQ(read.size(), 0) << size;
    EXPECT_TRUE(Reopen(path_)->Truncate(0, {}, nullptr).ok());
    EXPECT_EQ(Stored().size(), size);
  }
}

TEST_F(EncryptedFilesTest, AHoleOfALogReadsAsZeros) {
  Write(std::string(100, 'x'));
  const std::string stored = Stored();
  for (std::size_t start = 0; start <= 96; start += 16) {
    for (std::size_t end = start + 16; end <= 100; end += end < 96 ? 16 : 4) {
      std::string with_hole = stored;
      with_hole.replace(kEncryptedPrefixBytes + start, end - start, end - start, '\0');
      Store(with_hole);
      EXPECT_EQ(Read(), std::string(start, 'x') + std::string(end - start, '\0') +
                            std::string(100 - end, 'x'));
    }
  }
  Store(std::string(stored.size(), '\0'));
  EXPECT_EQ(Read(), std::string(100, '\0'));
}

// RocksDB would end the process if it got Corruption.
TEST_F(EncryptedFilesTest, AFileIdentityWithADamagedPrefixIsMissing) {
  const std::string path = directory_ / "IDENTITY";
  std::ofstream(path, std::ios::binary) << std::string(kEncryptedPrefixBytes + 36, '\0');
  std::unique_ptr<rocksdb::FSSequentialFile> file;
  EXPECT_TRUE(files_->NewSequentialFile(path, {}, &file, nullptr).IsPathNotFound());
}

// Otherwise a power cut could lose the prefix and keep bytes behind it. No program could decrypt
// them.
TEST_F(EncryptedFilesTest, ThePrefixOfALogIsOnTheDiskBeforeItsContent) {
  const auto log = Create(path_);
  EXPECT_EQ(faults_->log_syncs, 1);
  EXPECT_TRUE(log->Append("content", {}, nullptr).ok());
  EXPECT_EQ(faults_->log_syncs, 1);
}

TEST_F(EncryptedFilesTest, SizesDoNotCountThePrefix) {
  Write("content");
  EXPECT_EQ(Size(), 7);
  EXPECT_EQ(Stored().size(), kEncryptedPrefixBytes + 7);
  EXPECT_EQ(Reopen(path_)->GetFileSize({}, nullptr), 7);
  std::vector<rocksdb::FileAttributes> attributes;
  const std::string directory = directory_.path();
  EXPECT_TRUE(files_->GetChildrenFileAttributes(directory, {}, &attributes, nullptr).ok());
  ASSERT_EQ(attributes.size(), 1);
  EXPECT_EQ(attributes.front().size_bytes, 7);
  EXPECT_TRUE(Reopen(path_)->Truncate(4, {}, nullptr).ok());
  EXPECT_EQ(Read(), "cont");
}

// RocksDB allocates a whole block before it writes a file, and does not use all of it.
TEST_F(EncryptedFilesTest, TheSpaceThatWasAllocatedForAFileIsFreedWhenTheFileIsClosed) {
  constexpr std::size_t kBlock = 16 << 20;
  const auto file = Create(path_);
  file->SetPreallocationBlockSize(kBlock);
  file->PrepareWrite(0, 10, {}, nullptr);
  ASSERT_TRUE(file->Append("ten bytes.", {}, nullptr).ok());
  std::size_t size = 0;
  std::size_t last = 0;
  file->GetPreallocationStatus(&size, &last);
  EXPECT_EQ(size, kBlock);
  EXPECT_EQ(last, 1u);
  ASSERT_TRUE(file->Close({}, nullptr).ok());
  struct stat stored = {};
  ASSERT_EQ(::stat(path_.c_str(), &stored), 0);
  EXPECT_LT(stored.st_blocks * 512, 64 << 10);
}

TEST_F(EncryptedFilesTest, NoByteIsWrittenTwice) {
  Write("content");
  EXPECT_TRUE(Reopen(path_)->Append("more", {}, nullptr).IsNotSupported());
  const auto truncated = Create(path_);
  EXPECT_TRUE(truncated->Append("content", {}, nullptr).ok());
  EXPECT_TRUE(truncated->Truncate(3, {}, nullptr).ok());
  EXPECT_TRUE(truncated->Append("other", {}, nullptr).IsNotSupported());
  const auto failed = Create(path_);
  faults_->writes_fail = true;
  EXPECT_TRUE(failed->Append("content", {}, nullptr).IsIOError());
  faults_->writes_fail = false;
  EXPECT_TRUE(failed->Append("content", {}, nullptr).IsNotSupported());
  EXPECT_TRUE(failed->PositionedAppend("content", 0, {}, nullptr).IsNotSupported());
}

TEST_F(EncryptedFilesTest, ReopeningAnAbsentFileCreatesIt) {
  EXPECT_TRUE(Reopen(path_)->Append("content", {}, nullptr).ok());
  EXPECT_EQ(Read(), "content");
}

TEST_F(EncryptedFilesTest, NoAccessGoesAroundTheCipher) {
  Write("content");
  std::unique_ptr<rocksdb::FSWritableFile> reused;
  std::unique_ptr<rocksdb::FSRandomRWFile> updated;
  std::unique_ptr<rocksdb::MemoryMappedFileBuffer> mapped;
  std::shared_ptr<rocksdb::Logger> log;
  const std::string other = path_ + ".new";
  EXPECT_TRUE(files_->ReuseWritableFile(other, path_, {}, &reused, nullptr).IsNotSupported());
  EXPECT_TRUE(files_->NewRandomRWFile(path_, {}, &updated, nullptr).IsNotSupported());
  EXPECT_TRUE(files_->NewMemoryMappedFileBuffer(path_, &mapped).IsNotSupported());
  EXPECT_TRUE(files_->NewLogger(other, {}, &log, nullptr).IsNotSupported());
  EXPECT_TRUE(files_->Truncate(path_, 3, {}, nullptr).IsNotSupported());
  rocksdb::FileOptions mapping;
  mapping.use_mmap_reads = true;
  std::unique_ptr<rocksdb::FSRandomAccessFile> file;
  ASSERT_TRUE(files_->NewRandomAccessFile(path_, mapping, &file, nullptr).ok());
  std::string space(7, '\0');
  rocksdb::Slice read;
  EXPECT_TRUE(file->Read(0, space.size(), {}, &read, space.data(), nullptr).ok());
  EXPECT_EQ(read.ToString(), "content");
}

}  // namespace
}  // namespace dolmen::engine
