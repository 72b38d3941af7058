// expire_1000 deletes a thousand expired items among 10^4, 10^5 and 10^6 live items, in memory.
// The cost should not grow with the number of live items.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/contender.h"
#include "bench/data.h"
#include "dolmen/database.h"

namespace dolmen::bench::expire_1000 {
namespace {

constexpr std::uint64_t kExpired = 1000;
// Time by which the clock advances before each sweep: six years. A sweep ignores expiry times more
// than five years ago, so it does not scan the keys that the previous sweep deleted. RocksDB would
// have to step over these deleted keys, and that cost is not part of the bench.
constexpr std::chrono::hours kRound{24 * 366 * 6};
constexpr std::chrono::hours kLifetime{1'000'000 * kRound};  // time until the live items expire

// A table of sessions, some live and some expired. The keys are random, so live and expired
// sessions are mixed.
class Sessions : public OpenStore {
 public:
  static Result<std::unique_ptr<Sessions>> Make(std::uint64_t live);

  // Puts `count` items that expire at `time`. The first item has the number `first`.
  Status Put(std::uint64_t first, std::uint64_t count, Timestamp time) const;

  // Puts a thousand items that expired a second ago.
  Status PutExpired() const;

  // Deletes the expired items.
  // - kCorruption: the number of deleted items is wrong.
  Status Expire() const;

  // Returns true if the item exists.
  Result<bool> Has(std::uint64_t i) const;

 private:
  Sessions(std::uint64_t live, std::shared_ptr<ManualClock> clock, Database database, Table table)
      : live_(live),
        clock_(std::move(clock)),
        database_(std::move(database)),
        table_(std::move(table)) {}

  static Item Key(std::uint64_t i) {
    return {{"PK", "SESSION#" + std::to_string(Random(i).Next())}};
  }

  std::uint64_t live_;  // number of live items; the expired items have the numbers after them
  std::shared_ptr<ManualClock> clock_;
  Database database_;
  Table table_;
};

Result<std::unique_ptr<Sessions>> Sessions::Make(std::uint64_t live) {
  const auto clock =
      std::make_shared<ManualClock>(std::chrono::sys_days(std::chrono::year(2026) / 1 / 1));
  OpenOptions options;
  options.clock = clock;
  options.expiry_lag = std::nullopt;
  options.cache_bytes = std::size_t{1} << 30;
  const Result<Database> database = Database::InMemory(options);
  if (!database.ok()) return database.status();
  CreateTableInput input;
  input.name = "sessions";
  input.sort_key = std::nullopt;
  const Result<Table> table = database->CreateTable(input);
  if (!table.ok()) return table.status();
  const auto enabled = database->UpdateTimeToLive(
      {.table_name = "sessions", .specification = {.attribute_name = "expiresAt"}});
  if (!enabled.ok()) return enabled.status();
  std::unique_ptr<Sessions> sessions(new Sessions(live, clock, *database, *table));
  const Timestamp expiry = clock->Now() + kLifetime;
  if (Status put = sessions->Put(0, live, expiry); !put.ok()) return put;
  return sessions;
}

Status Sessions::Put(std::uint64_t first, std::uint64_t count, Timestamp time) const {
  constexpr std::uint64_t kActionsMax = 100;
  const std::int64_t seconds =
      std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
  std::vector<TransactWriteItem> actions;
  for (std::uint64_t i = first; i < first + count; ++i) {
    Item item = Key(i);
    item["userId"] = "u_" + std::to_string(i);
    item["expiresAt"] = seconds;
    actions.push_back({table_, PutItemInput{.item = std::move(item)}});
    if (actions.size() < kActionsMax && i + 1 < first + count) continue;
    Status written = database_.TransactWriteItems({.actions = actions}).status();
    if (!written.ok()) return written;
    actions.clear();
  }
  return {};
}

Status Sessions::PutExpired() const {
  clock_->Advance(kRound);
  return Put(live_, kExpired, clock_->Now() - std::chrono::seconds(1));
}

Status Sessions::Expire() const {
  const Result<std::uint64_t> deleted = table_.ExpireNow();
  if (!deleted.ok()) return deleted.status();
  if (*deleted == kExpired) return {};
  return Status::Corruption(std::to_string(*deleted) + " items were deleted");
}

Result<bool> Sessions::Has(std::uint64_t i) const {
  const auto found = table_.GetItem({.key = Key(i)});
  if (!found.ok()) return found.status();
  return found->item.has_value();
}

template <std::uint64_t kLive>
class Expire1000 : public Contender {
 public:
  std::string name() const override { return "expire_1000/dolmen/" + std::to_string(kLive); }

  Status Prepare(Stores& stores) override {
    Result<std::unique_ptr<Sessions>> made = Sessions::Make(kLive);
    if (!made.ok()) return made.status();
    sessions_ = stores.Keep(name(), *std::move(made));
    if (Status put = sessions_->PutExpired(); !put.ok()) return put;
    if (Status expired = sessions_->Expire(); !expired.ok()) return expired;
    // Checks that all expired items are deleted, and that a thousand of the live items still
    // exist.
    for (std::uint64_t i = kLive - kExpired; i < kLive + kExpired; ++i) {
      const Result<bool> has = sessions_->Has(i);
      if (!has.ok()) return has.status();
      if (*has != (i < kLive)) return Status::Corruption("the wrong items were deleted");
    }
    return {};
  }

  void Time(benchmark::State& state) override {
    for ([[maybe_unused]] auto iteration : state) {
      state.PauseTiming();
      Status status = sessions_->PutExpired();
      state.ResumeTiming();
      if (status.ok()) status = sessions_->Expire();
      if (status.ok()) continue;
      state.SkipWithError(status.ToString().c_str());
      break;
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kExpired));
  }

 private:
  const Sessions* sessions_ = nullptr;
};

const Registered<Expire1000<10'000>> kTenThousand;
const Registered<Expire1000<100'000>> kHundredThousand;
const Registered<Expire1000<1'000'000>> kMillion;

}  // namespace
}  // namespace dolmen::bench::expire_1000
