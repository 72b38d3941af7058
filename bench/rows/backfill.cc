// backfill adds an index to a table of messages on disk and waits until the index is built. It
// reports wall-clock time, because a background thread builds the index.

#include <algorithm>
#include <cstdint>
#include <string>

#include "bench/contender.h"
#include "bench/data.h"
#include "bench/dolmen_store.h"

namespace dolmen::bench::backfill {
namespace {

constexpr std::uint64_t kItemsMax = 100'000;

ChatData DataOf(const Stores& stores) {
  return ChatData(std::min(stores.data().messages(), kItemsMax));
}

class Backfill : public Contender {
 public:
  std::string name() const override { return "backfill/dolmen"; }
  bool takes_real_time() const override { return true; }

  Status Prepare(Stores& stores) override {
    const ChatData data = DataOf(stores);
    items_ = data.messages();
    const auto store = stores.Own<DolmenStore>("backfill", data.message_set());
    if (!store.ok()) return store.status();
    store_ = *store;
    if (Status made = MakeIndex(); !made.ok()) return made;
    if (Status right = CheckIndex(); !right.ok()) return right;
    return DeleteIndex();
  }

  void Time(benchmark::State& state) override {
    for ([[maybe_unused]] auto iteration : state) {
      Status done = MakeIndex();
      state.PauseTiming();
      if (done.ok()) done = DeleteIndex();
      state.ResumeTiming();
      if (done.ok()) continue;
      state.SkipWithError(done.ToString().c_str());
      break;
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(items_) *
                            static_cast<std::int64_t>(state.iterations()));
  }

 private:
  Status MakeIndex() {
    const GlobalSecondaryIndex index{
        .name = "by_sender", .partition_key = {{"senderId"}}, .sort_key = {{"createdAt"}}};
    Status added = store_->database()
                       .UpdateTable({.name = store_->table().name(), .create_index = index})
                       .status();
    return added.ok() ? store_->table().WaitForIndexes() : added;
  }

  Status DeleteIndex() {
    return store_->database()
        .UpdateTable({.name = store_->table().name(), .delete_index = "by_sender"})
        .status();
  }

  Status CheckIndex() {
    ScanInput input{.index = "by_sender", .select = Select::kCount};
    std::uint64_t count = 0;
    do {
      const auto page = store_->table().Scan(input);
      if (!page.ok()) return page.status();
      count += page->count();
      input.exclusive_start_key = page->last_evaluated_key();
    } while (!input.exclusive_start_key.empty());
    return count == items_ ? Status()
                           : Status::Corruption("the index has a wrong number of entries");
  }

  std::uint64_t items_ = 0;
  const DolmenStore* store_ = nullptr;
};

const Registered<Backfill> kDolmen;

}  // namespace
}  // namespace dolmen::bench::backfill
