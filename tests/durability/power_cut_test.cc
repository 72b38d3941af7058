// Tests of a power cut during any call of the file system: while the database is opened, written,
// flushed, compacted or closed. With kSync every acknowledged write survives. With kBuffered a prefix
// of the acknowledged writes survives, in their order. Indexes and the stream match the items.

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "tests/durability/pair_database.h"
#include "tests/support/intercepted_disk.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"
#include "tests/support/volatile_disk.h"
#include "tests/support/watchdog.h"

namespace dolmen::engine {
namespace {

using test::IsOk;

constexpr std::size_t kPowerCuts = 20;         // for each durability, encrypted and not
constexpr std::size_t kCutsPerDatabase = 20;   // afterwards a new database is created
constexpr std::int64_t kPowerCutWrites = 300;  // at most, between two cuts; they fill several logs
constexpr std::size_t kPairPaddingMax = 900;
constexpr std::size_t kOpenCalls = 60;   // about the number of calls of an opening
constexpr std::size_t kCloseCalls = 12;  // about the number of calls of a closing

class PowerCutTest : public test::SeededTest,
                     public testing::WithParamInterface<std::tuple<Durability, bool>> {
 protected:
  static Durability durability() { return std::get<0>(GetParam()); }
  static bool is_encrypted() { return std::get<1>(GetParam()); }

  static OpenOptions Options() {
    OpenOptions options;
    options.durability = durability();
    if (is_encrypted()) options.encryption_key = EncryptionKey();
    options.write_buffer_bytes = 64 << 10;  // small, so that there are many logs
    return options;
  }

  // Opens the database in `from`, checks it, writes to it, and may close it. Cuts the power during
  // one of these steps or after them. Copies what remains to `to`.
  void RunUntilTheCut(const std::filesystem::path& from, const std::filesystem::path& to) {
    const auto disk = std::make_shared<test::VolatileDisk>();
    const std::size_t phase = random_.Below(4);
    if (phase < 2) disk->CutPowerAfter(random_.Below(phase == 0 ? kOpenCalls : calls_), &random_);
    is_counted_ = false;
    PairDatabase db;
    const Status opened = db.Open(from, disk, Options());
    EXPECT_TRUE(opened.ok() || disk->is_off()) << opened.ToString();
    if (opened.ok()) {
      CheckContents(db);
      CountCut(*disk, "while the database was checked");
      Write(db, *disk);
      if (phase == 2) disk->CutPowerAfter(random_.Below(kCloseCalls), &random_);
      if (random_.OneIn(phase == 2 ? 1 : 2)) db.Close();
      if (!disk->is_off()) calls_ = std::max(calls_, disk->calls());
      CountCut(*disk, "while the database was closed");
    }
    CountCut(*disk, "while the database was opened");
    ++cuts_[disk->is_off() ? "in all" : "after all calls"];
    disk->CutPower();
    disk->CopyRemains(from, to, &random_);
  }

  // Writes until the power is cut, or some writes less.
  void Write(const PairDatabase& db, const test::VolatileDisk& disk) {
    for (std::int64_t left = random_.Between(0, kPowerCutWrites); left > 0; --left) {
      const Status written = db.Write(++attempted_, random_.Below(kPairPaddingMax));
      EXPECT_TRUE(written.ok() || disk.is_off()) << written.ToString();
      if (!written.ok()) break;
      acknowledged_ = attempted_;
    }
    CountCut(disk, "while the database was written");
  }

  // Looks for the writes whose result the database holds, and checks that they include all writes
  // that must not be lost.
  void CheckContents(const PairDatabase& db) {
    const PairDatabase::Contents found = db.Read();
    EXPECT_EQ(db.Read("GSI1"), found);
    EXPECT_EQ(db.ReadStream(), found);
    const auto verified = db.engine().Verify({});
    EXPECT_THAT(verified, IsOk());
    if (verified.ok()) {
      EXPECT_EQ(verified->finding_count, 0u) << verified->findings[0].message;
    }
    while (kept_ < attempted_ && contents_ != found) PairDatabase::Apply(++kept_, &contents_);
    EXPECT_EQ(found, contents_) << "no state up to write " << attempted_;
    if (durability() == Durability::kSync) {
      EXPECT_GE(kept_, acknowledged_);
    }
    lost_ += acknowledged_ - std::min(acknowledged_, kept_);
    acknowledged_ = attempted_ = kept_;
  }

  // Counts the power cut if it has occurred and was not counted.
  void CountCut(const test::VolatileDisk& disk, const std::string& when) {
    if (!disk.is_off() || is_counted_) return;
    is_counted_ = true;
    ++cuts_[when];
  }

  test::TempDirectory directory_;
  PairDatabase::Contents contents_;  // the contents after write kept_
  std::int64_t kept_ = 0;            // the last write that the database held when it was checked
  std::int64_t acknowledged_ = 0;
  std::int64_t attempted_ = 0;
  std::size_t calls_ = 100;  // the greatest number of calls between two cuts
  std::int64_t lost_ = 0;    // the number of acknowledged writes that were lost
  std::map<std::string, std::size_t> cuts_;
  bool is_counted_ = false;  // true if the latest cut was counted
};

INSTANTIATE_TEST_SUITE_P(Durabilities, PowerCutTest,
                         testing::Combine(testing::Values(Durability::kSync, Durability::kBuffered),
                                          testing::Bool()),
                         [](const auto& parameters) {
                           const std::string name =
                               std::get<0>(parameters.param) == Durability::kSync ? "sync"
                                                                                  : "buffered";
                           return name + (std::get<1>(parameters.param) ? "_encrypted" : "");
                         });

TEST_P(PowerCutTest, LeavesAPrefixOfTheAcknowledgedWrites) {
  std::filesystem::path path;
  for (std::size_t cut = 0; cut < test::TestSteps(kPowerCuts) && !HasFailure(); ++cut) {
    const std::string name = "cut " + std::to_string(cut);
    SCOPED_TRACE(name);
    const test::Watchdog watchdog(name);
    if (cut % kCutsPerDatabase == 0) {
      path = directory_ / (name + ", new");
      contents_ = {};
      kept_ = acknowledged_ = attempted_ = 0;
    }
    const std::filesystem::path remains = directory_ / name;
    RunUntilTheCut(path, remains);
    std::filesystem::remove_all(path);
    path = remains;
  }
  for (const auto& [when, count] : cuts_) std::cout << count << " cuts " << when << '\n';
  std::cout << lost_ << " acknowledged writes were lost\n";
}

// A disk that notes whether CURRENT named a manifest whose own name was not synced.
class ManifestNames : public test::InterceptedDisk {
 public:
  bool found_unsynced() const { return found_unsynced_; }
  bool found_synced() const { return found_synced_; }

  rocksdb::IOStatus Intercept(const test::DiskCall& call,
                              const test::PerformCall& perform) override {
    using CallKind = test::DiskCall::Kind;
    const bool is_manifest = call.path.find("/MANIFEST-") != std::string::npos;
    if (call.kind == CallKind::kCreate && is_manifest) is_synced_ = false;
    if (call.kind == CallKind::kSyncDirectory) is_synced_ = true;
    if (call.kind == CallKind::kRename && call.new_path.ends_with("/CURRENT")) {
      (is_synced_ ? found_synced_ : found_unsynced_) = true;
    }
    return perform(call.bytes);
  }

 private:
  std::atomic<bool> is_synced_ = true;
  std::atomic<bool> found_unsynced_ = false;
  std::atomic<bool> found_synced_ = false;
};

// A file system may keep the rename and lose the creation before it.
TEST(ManifestNameTest, IsOnTheDiskBeforeTheFileCurrentNamesIt) {
  const test::TempDirectory directory;
  const auto disk = std::make_shared<ManifestNames>();
  for (int opening = 0; opening < 2; ++opening) {
    PairDatabase db;
    ASSERT_THAT(db.Open(directory.path(), disk, {}), IsOk());
  }
  EXPECT_TRUE(disk->found_synced());
  EXPECT_FALSE(disk->found_unsynced());
}

}  // namespace
}  // namespace dolmen::engine
