// mixed is the load of a chat server. Nineteen of twenty operations are newest_50 and one is
// send_message. One, two and four threads run the load. items_per_second is the number of
// operations per second of wall-clock time.

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "bench/bare_senders.h"
#include "bench/contender.h"
#include "bench/data.h"
#include "bench/dolmen_reader.h"
#include "bench/dolmen_senders.h"
#include "bench/lmdb_reader.h"
#include "bench/rocksdb_reader.h"
#include "bench/sqlite_reader.h"
#include "bench/written_rows.h"

namespace dolmen::bench::mixed {
namespace {

constexpr int kThreadsMax = 4;
constexpr std::uint64_t kOperationsPerSend = 20;
constexpr std::uint32_t kRows = 50;

RangeShape Newest50() { return {.sort_prefix = kMessagePrefix, .forward = false, .limit = kRows}; }

// The handle with which a thread uses a store. All threads share the store.
template <typename Store>
class Client {
 public:
  Status Connect(const Store& store) {
    store_ = &store;
    return {};
  }
  const Store& store() const { return *store_; }

 private:
  const Store* store_ = nullptr;
};

// The handle with which a thread uses SQLite. Each thread has its own connection. The connection
// stays open as long as the contender exists, because the connection holds a cache.
template <>
class Client<SqliteStore> {
 public:
  Status Connect(const SqliteStore& store) {
    Result<std::unique_ptr<SqliteStore>> connected = store.Connect();
    if (connected.ok()) connection_ = *std::move(connected);
    return connected.status();
  }
  const SqliteStore& store() const { return *connection_; }

 private:
  std::unique_ptr<SqliteStore> connection_;
};

// The sequence of operations of a thread. Every run and every store uses the same sequence.
class Script {
 public:
  explicit Script(int thread)
      : kinds_(static_cast<std::uint64_t>(thread)), choices_(~static_cast<std::uint64_t>(thread)) {}

  bool SendsNext() { return kinds_.Below(kOperationsPerSend) == 0; }
  std::uint64_t NextOf(std::uint64_t count) { return choices_.Below(count); }

 private:
  Random kinds_;
  Random choices_;
};

template <typename Sender, typename Reader>
class Mixed : public Contender {
 public:
  std::string name() const override { return "mixed/" + std::string(Store::kName); }
  bool takes_real_time() const override { return true; }
  bool uses_copy() const override { return true; }
  int threads_max() const override { return kThreadsMax; }

  // Uses a copy of the store that no other workload uses. A write through one SQLite connection
  // clears the caches of the other connections. On a shared copy, the writes of `mixed` would clear
  // the caches of the single-threaded workloads and slow them down.
  Status Prepare(Stores& stores) override {
    data_ = stores.data();
    const auto store = stores.CopyOf<Store>("mixed");
    if (!store.ok()) return store.status();
    store_ = *store;
    for (std::uint64_t i = 0; i < data_.conversations_with_messages(); ++i) {
      partitions_.push_back(ChatData::PartitionKey(i));
    }
    Sender sender(*store_);
    if (Status warm = CheckAndWarm(data_, *store_, &sender); !warm.ok()) return warm;
    for (Client<Store>& client : clients_) {
      if (Status connected = client.Connect(*store_); !connected.ok()) return connected;
      Reader reader(client.store(), Newest50());
      for (const std::string& partition : partitions_) {
        if (Status asked = Ask(partition, &reader); !asked.ok()) return asked;
      }
    }
    return CheckSends();
  }

  void Time(benchmark::State& state) override {
    const auto thread = static_cast<std::size_t>(state.thread_index());
    Sender sender(clients_[thread].store());
    Reader reader(clients_[thread].store(), Newest50());
    const std::vector<Request> requests = RequestsFor(state);
    Script script(state.thread_index());
    std::size_t sent = 0;
    for ([[maybe_unused]] auto iteration : state) {
      const Status done = script.SendsNext()
                              ? sender.Send(requests[sent++])
                              : Ask(partitions_[script.NextOf(partitions_.size())], &reader);
      if (!done.ok()) {
        state.SkipWithError(done.ToString().c_str());
        break;
      }
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
  }

 private:
  using Store = typename Sender::Store;
  using Request = typename Sender::Request;
  static_assert(std::is_same_v<Store, typename Reader::Store>);

  static Status Ask(const std::string& partition, Reader* reader) {
    Status asked = reader->Ask(partition);
    benchmark::ClobberMemory();  // the compiler must write the answer to memory
    if (!asked.ok() || reader->rows() == kRows) return asked;
    return Status::Corruption("the answer does not have 50 messages");
  }

  // Checks that a client finds the message that another client sent.
  Status CheckSends() {
    constexpr std::size_t kSendsChecked = 1000;
    WrittenRows written;
    for (std::size_t i = 0; i < kSendsChecked; ++i) {
      const SentMessage message = data_.Send(store_->TakeNumber());
      Sender sender(clients_[i % kThreadsMax].store());
      if (Status sent = sender.Send(Request(message)); !sent.ok()) return sent;
      written.Add(message);
      if (!std::ranges::binary_search(partitions_, PartitionOf(message))) continue;
      Reader reader(clients_[(i + 1) % kThreadsMax].store(), Newest50());
      if (Status asked = Ask(PartitionOf(message), &reader); !asked.ok()) return asked;
      Answer newest;
      AppendStoredRows(message.message, &newest);
      const auto difference = Difference(newest, {reader.answer().front()});
      if (difference)
        return Status::Corruption("the newest message is not the message that was sent: " +
                                  *difference);
    }
    Sender sender(clients_[0].store());
    return written.Check(&sender);
  }

  // Returns all send requests of the thread. No two threads send to the same conversation, because
  // a send fails if the conversation already has a newer message.
  std::vector<Request> RequestsFor(const benchmark::State& state) const {
    Script script(state.thread_index());
    std::int64_t sends = 0;
    for (std::int64_t i = 0; i < state.max_iterations; ++i) sends += script.SendsNext() ? 1 : 0;
    std::vector<Request> requests;
    while (std::ssize(requests) < sends) {
      const SentMessage message = data_.Send(store_->TakeNumber());
      const std::size_t hash = std::hash<std::string>()(PartitionOf(message));
      const auto threads = static_cast<std::size_t>(state.threads());
      if (hash % threads != static_cast<std::size_t>(state.thread_index())) continue;
      requests.emplace_back(message);
    }
    return requests;
  }

  static const std::string& PartitionOf(const SentMessage& message) {
    return *message.message.find("PK")->second.template get_if<std::string>();
  }

  const Store* store_ = nullptr;
  ChatData data_{10 * kMessagesPerConversation};
  std::array<Client<Store>, kThreadsMax> clients_;
  std::vector<std::string> partitions_;  // the keys of the conversations with messages
};

const Registered<Mixed<DolmenSender, DolmenReader>> kDolmen;
const Registered<Mixed<BareSender<RocksdbWrite>, RocksdbReader>> kRocksdb;
const Registered<Mixed<BareSender<SqliteWrite>, SqliteReader>> kSqlite;
const Registered<Mixed<BareSender<LmdbWrite>, LmdbReader>> kLmdb;

}  // namespace
}  // namespace dolmen::bench::mixed
