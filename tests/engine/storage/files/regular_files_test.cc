// Tests of the rule that the directory of a database holds regular files and directories only.

#include "engine/storage/files/regular_files.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/storage/files/whole_file.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"

namespace dolmen::engine {
namespace {

namespace fs = std::filesystem;
using rocksdb::FileSystem;
using rocksdb::IOStatus;
using testing::AllOf;
using testing::HasSubstr;

void BindSocket(const std::string& path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  ASSERT_LT(path.size(), sizeof address.sun_path);
  std::strcpy(address.sun_path, path.c_str());
  const int file = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(file, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ::close(file);
}

class RegularFilesTest : public testing::Test {
 protected:
  RegularFilesTest() {
    fs::create_directory(root_);
    fs::create_directory(root_ + "/folder");
    std::ofstream(root_ + "/file") << "text";
    std::ofstream(root_ + "/folder/file") << "text";
  }

  // Opens the file in each way that RocksDB has. Returns the outcomes.
  static std::map<std::string, IOStatus> OpenInEachWay(FileSystem* files, const std::string& path) {
    std::unique_ptr<rocksdb::FSSequentialFile> sequential;
    std::unique_ptr<rocksdb::FSRandomAccessFile> random;
    std::unique_ptr<rocksdb::FSWritableFile> writable;
    std::unique_ptr<rocksdb::FSRandomRWFile> random_writable;
    std::map<std::string, IOStatus> outcomes;
    outcomes["sequential"] = files->NewSequentialFile(path, {}, &sequential, nullptr);
    outcomes["random"] = files->NewRandomAccessFile(path, {}, &random, nullptr);
    outcomes["random and writable"] = files->NewRandomRWFile(path, {}, &random_writable, nullptr);
    outcomes["reopened"] = files->ReopenWritableFile(path, {}, &writable, nullptr);
    outcomes["reused"] = files->ReuseWritableFile(path + ".new", path, {}, &writable, nullptr);
    if (outcomes["reused"].ok()) fs::rename(path + ".new", path);
    rocksdb::FileLock* lock = nullptr;
    outcomes["locked"] = files->LockFile(path, {}, &lock, nullptr);
    if (lock != nullptr) files->UnlockFile(lock, {}, nullptr).PermitUncheckedError();
    outcomes["writable"] = files->NewWritableFile(path, {}, &writable, nullptr);
    return outcomes;
  }

  const test::TempDirectory directory_;
  const std::string root_ = directory_ / "db";
  const std::shared_ptr<FileSystem> files_ = RegularFilesIn(root_);
};

// A named pipe that is opened to read would stop the test.
TEST_F(RegularFilesTest, WhatIsNoFileIsRefusedByItsName) {
  const std::map<std::string, std::function<void(const std::string&)>> kKinds = {
      {"a named pipe", [](const std::string& path) { ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0); }},
      {"a socket", BindSocket},
      {"a directory", [](const std::string& path) { fs::create_directory(path); }},
      {"a symbolic link", [&](const std::string& path) { fs::create_symlink("file", path); }},
  };
  for (const auto& [kind, make] : kKinds) {
    const std::string path = root_ + "/000001.log";
    make(path);
    for (const auto& [how, outcome] : OpenInEachWay(files_.get(), path)) {
      EXPECT_THAT(outcome.ToString(),
                  AllOf(HasSubstr(path), HasSubstr("is " + kind + ", not a file: put")))
          << how;
    }
    for (const int flags : {O_RDONLY, O_WRONLY, O_RDWR, O_WRONLY | O_CREAT}) {
      EXPECT_THAT(OpenRegularFile(path, flags, "can't read"),
                  test::StatusIs(StatusCode::kStorage,
                                 AllOf(HasSubstr("can't read " + path), HasSubstr("is " + kind))));
    }
    EXPECT_EQ(CheckDirectory(path).ok(), kind == "a directory") << kind;
    fs::remove(path);
  }
}

TEST_F(RegularFilesTest, AFileIsOpenedInEachWay) {
  fs::create_hard_link(root_ + "/file", root_ + "/hard_link");
  for (const char* name : {"/file", "/hard_link", "/folder/file"}) {
    for (const auto& [how, outcome] : OpenInEachWay(files_.get(), root_ + name)) {
      EXPECT_TRUE(outcome.ok()) << name << " " << how << ": " << outcome.ToString();
    }
  }
}

TEST_F(RegularFilesTest, ALinkIsFollowedToTheDirectoryItselfOnly) {
  const std::string link = directory_ / "link";
  fs::create_directory_symlink(root_, link);
  const auto files = RegularFilesIn(link);
  std::vector<std::string> names;
  EXPECT_TRUE(files->GetChildren(link, {}, &names, nullptr).ok());
  EXPECT_TRUE(OpenInEachWay(files.get(), link + "/file")["sequential"].ok());

  fs::create_directory_symlink("folder", root_ + "/other");
  for (const auto& [how, outcome] : OpenInEachWay(files.get(), link + "/other/file")) {
    EXPECT_THAT(outcome.ToString(), HasSubstr("/other: is a symbolic link, not a directory"))
        << how;
  }
  EXPECT_FALSE(files->GetChildren(link + "/other", {}, &names, nullptr).ok());
  EXPECT_FALSE(files->CreateDirIfMissing(link + "/other", {}, nullptr).ok());
  EXPECT_TRUE(CheckDirectory(link + "/absent").ok());
}

TEST_F(RegularFilesTest, AFileThatIsReadAsAWholeHasALimit) {
  for (const char* name : {"CURRENT", "IDENTITY", "DOLMEN", "DOLMEN.logs", "DOLMEN.table"}) {
    const std::string path = root_ + "/" + name;
    std::ofstream(path) << "text";
    std::string text;
    EXPECT_TRUE(rocksdb::ReadFileToString(files_.get(), path, &text).ok()) << name;
    fs::resize_file(path, std::uintmax_t{1} << 40);
    EXPECT_THAT(rocksdb::ReadFileToString(files_.get(), path, &text).ToString(),
                AllOf(HasSubstr(path), HasSubstr("has 1099511627776 bytes, more than")));
  }
}

// A program that can create a link in the directory must not choose the file that is written.
TEST_F(RegularFilesTest, ALinkInPlaceOfATemporaryFileIsNotFollowed) {
  const std::string other = directory_ / "other";
  std::ofstream(other) << "kept";
  for (const bool is_hard : {false, true}) {
    const std::string temporary = root_ + "/DOLMEN.logs.new";
    is_hard ? fs::create_hard_link(other, temporary) : fs::create_symlink(other, temporary);
    EXPECT_TRUE(ReplaceFile(files_.get(), root_ + "/DOLMEN.logs", "list").ok());
    EXPECT_EQ(fs::file_size(other), 4u) << is_hard;
    EXPECT_EQ(fs::hard_link_count(other), 1u);
    EXPECT_EQ(fs::file_size(root_ + "/DOLMEN.logs"), 4u);
  }
}

}  // namespace
}  // namespace dolmen::engine
