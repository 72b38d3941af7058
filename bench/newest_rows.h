// Workloads that ask for the newest rows of a partition, newest first: a different partition each
// time, in the same order for every contender.

#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bench/contender.h"
#include "bench/data.h"

namespace dolmen::bench {

inline constexpr std::uint32_t kRows = 50;

// `Workload` says what is asked and what the answer is:
//   static constexpr std::string_view kName;
//   explicit Workload(const ChatData& data);
//   template <typename Store> static Result<const Store*> StoreOf(Stores& stores);
//   std::uint64_t partitions() const;
//   std::string Partition(std::uint64_t i) const;
//   Answer Expected(std::uint64_t i) const;  // kRows rows
// and `Query` how a store is asked:
//   using Store = ...;
//   static constexpr std::string_view kName;  // if it is not the store's
//   explicit Query(const Store& store);
//   Status Ask(const std::string& partition);
//   std::size_t rows() const;
//   Answer answer() const;
template <typename Workload, typename Query>
class NewestRows : public Contender {
 public:
  std::string name() const override {
    std::string_view query = Query::Store::kName;
    if constexpr (requires { Query::kName; }) query = Query::kName;
    return std::string(Workload::kName) + "/" + std::string(query);
  }

  Status Prepare(Stores& stores) override {
    const auto store = Workload::template StoreOf<typename Query::Store>(stores);
    if (!store.ok()) return store.status();
    store_ = *store;
    const Workload workload(stores.data());
    if (Status checked = CheckAndWarm(workload); !checked.ok()) return checked;
    constexpr std::uint64_t kSeed = 50;
    constexpr std::size_t kQuestions = 1 << 14;
    Random random(kSeed);
    for (std::size_t i = 0; i < kQuestions; ++i) {
      questions_.push_back(workload.Partition(random.Below(workload.partitions())));
    }
    return {};
  }

  void Time(benchmark::State& state) override {
    Query query(*store_);
    std::size_t i = 0;
    std::size_t rows = 0;
    for ([[maybe_unused]] auto iteration : state) {
      const Status asked = query.Ask(questions_[i]);
      if (!asked.ok() || query.rows() != kRows) {
        state.SkipWithError(("a wrong answer: " + asked.ToString()).c_str());
        break;
      }
      benchmark::ClobberMemory();  // the answer is in memory
      rows += query.rows();
      if (++i == questions_.size()) i = 0;
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(rows));
    state.counters["seconds_per_row"] = benchmark::Counter(
        static_cast<double>(rows), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  }

 private:
  Status CheckAndWarm(const Workload& workload) {
    constexpr std::uint64_t kPartitionsChecked = 100;
    Query query(*store_);
    const std::uint64_t step =
        std::max<std::uint64_t>(workload.partitions() / kPartitionsChecked, 1);
    for (std::uint64_t i = 0; i < workload.partitions(); ++i) {
      const std::string partition = workload.Partition(i);
      if (Status asked = query.Ask(partition); !asked.ok()) return asked;
      if (i % step != 0) continue;
      const auto difference = Difference(workload.Expected(i), query.answer());
      if (difference)
        return Status::Corruption("wrong answer for " + partition + ": " + *difference);
    }
    return {};
  }

  const typename Query::Store* store_ = nullptr;
  std::vector<std::string> questions_;  // partition keys
};

}  // namespace dolmen::bench
