// Workloads that write one message after another.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bench/contender.h"
#include "bench/data.h"
#include "bench/written_rows.h"

namespace dolmen::bench {

// Number of requests that are built together while the timer is paused. The number is large enough
// that the pauses cost little, and small enough that the requests fit into the cache of the
// processor.
inline constexpr std::size_t kRequestsAtATime = 256;

// A contender that writes messages. `Workload` has these members:
//   static constexpr std::string_view kName;
//   static constexpr std::string_view kCopy;  // the name of the store's copy: see Stores::CopyOf
//   static constexpr CopySettings kSettings;  // optional; default: only kDurability
//   static constexpr Durability kDurability;
//   static constexpr std::uint64_t kWritesChecked;
//   template <typename Sender> static Status Write(const Sender::Request& request, Sender* sender);
//   // Adds the rows of one Write.
//   static void AddWritten(const SentMessage& sent, WrittenRows* rows);
template <typename Workload, typename Sender>
class MessageWrites : public Contender {
 public:
  std::string name() const override {
    return std::string(Workload::kName) + "/" + std::string(Sender::kName);
  }
  // If the writes wait for the disk, the row reports wall-clock time, because CPU time does not
  // contain this wait.
  bool takes_real_time() const override { return Workload::kDurability == Durability::kSync; }
  bool uses_copy() const override { return true; }

  Status Prepare(Stores& stores) override {
    data_ = stores.data();
    const auto store = stores.CopyOf<typename Sender::Store>(Workload::kCopy, Settings());
    if (!store.ok()) return store.status();
    store_ = *store;
    Sender sender(*store_);
    if (Status warm = CheckAndWarm(data_, *store_, &sender); !warm.ok()) return warm;
    WrittenRows written;
    for (std::uint64_t i = 0; i < Workload::kWritesChecked; ++i) {
      const SentMessage message = data_.Send(store_->TakeNumber());
      Status done = Workload::Write(Request(message), &sender);
      if (!done.ok()) return done;
      Workload::AddWritten(message, &written);
    }
    return written.Check(&sender);
  }

  void Time(benchmark::State& state) override {
    Sender sender(*store_);
    std::vector<Request> requests;
    std::size_t i = 0;
    for ([[maybe_unused]] auto iteration : state) {
      if (i == requests.size()) {
        state.PauseTiming();
        requests.clear();
        while (requests.size() < kRequestsAtATime) {
          requests.emplace_back(data_.Send(store_->TakeNumber()));
        }
        i = 0;
        state.ResumeTiming();
      }
      const Status done = Workload::Write(requests[i++], &sender);
      if (!done.ok()) {
        state.SkipWithError(done.ToString().c_str());
        break;
      }
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
  }

 private:
  using Request = typename Sender::Request;

  static constexpr CopySettings Settings() {
    if constexpr (requires { Workload::kSettings; }) return Workload::kSettings;
    return {.durability = Workload::kDurability};
  }

  const typename Sender::Store* store_ = nullptr;
  ChatData data_{10 * kMessagesPerConversation};
};

// A workload whose store has no row cache. It has the writes and the name of `Workload`.
template <typename Workload>
struct Uncached : Workload {
  static constexpr std::string_view kCopy = "written_uncached";
  static constexpr CopySettings kSettings = {.durability = Workload::kDurability,
                                             .row_cache_bytes = 0};
};

// A workload that puts a new message and nothing else.
struct MessagePut {
  template <typename Sender>
  static Status Write(const typename Sender::Request& request, Sender* sender) {
    return sender->Put(request);
  }

  static void AddWritten(const SentMessage& sent, WrittenRows* rows) { rows->Add(sent.message); }
};

}  // namespace dolmen::bench
