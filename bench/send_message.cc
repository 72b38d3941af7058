// send_message: what models/chat does for a message, as one transaction.  The message is inserted,
// its conversation gets a new preview, and its sender's participant a new lastReadAt, for which the
// participant's entry in GSI1, which holds a copy, is written anew.  No write waits for the disk.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bench/bare_senders.h"
#include "bench/contender.h"
#include "bench/data.h"
#include "bench/dolmen_senders.h"

namespace dolmen::bench {
namespace {

// Requests are made while the clock stands, so many at a time that stopping it costs nothing, and
// so few that they stay in the processor's cache.
constexpr std::size_t kRequestsAtATime = 256;
constexpr std::uint64_t kSendsChecked = 1000;

// `Sender` says how a message is sent:
//   static constexpr std::string_view kName;
//   using Store = ...;
//   using Request = ...;  // made of a SentMessage
//   explicit Sender(const Store& store);
//   Status Send(const Request& request);
//   Result<StoredRow> Read(const StoredRow& row);  // what the store has in place of a row or entry
template <typename Sender>
class SendMessage : public Contender {
 public:
  std::string name() const override { return "send_message/" + std::string(Sender::kName); }

  bool writes() const override { return true; }

  Status Prepare(Stores& stores) override {
    data_ = stores.data();
    const auto store = stores.ToWrite<typename Sender::Store>();
    if (!store.ok()) return store.status();
    store_ = *store;
    Sender sender(*store_);
    return CheckSends(&sender);
  }

  void Time(benchmark::State& state) override {
    Sender sender(*store_);
    std::vector<typename Sender::Request> requests;
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
      const Status sent = sender.Send(requests[i++]);
      if (!sent.ok()) {
        state.SkipWithError(sent.ToString().c_str());
        break;
      }
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
  }

 private:
  Status Check(const Answer& expected, Sender* sender) {
    Answer actual;
    for (const StoredRow& row : expected) {
      Result<StoredRow> read = sender->Read(row);
      if (!read.ok()) return read.status();
      actual.push_back(*std::move(read));
    }
    const auto difference = Difference(expected, actual);
    return difference ? Status::Corruption("wrong contents: " + *difference) : Status();
  }

  // Later sends replace what earlier ones have made of a conversation or a participant.
  Status CheckSends(Sender* sender) {
    std::map<std::string, std::string> expected;
    for (std::uint64_t i = 0; i < kSendsChecked; ++i) {
      const SentMessage message = data_.Send(store_->TakeNumber());
      if (Status sent = sender->Send(typename Sender::Request(message)); !sent.ok()) return sent;
      Answer rows;
      AppendStoredRows(message.message, &rows);
      AppendStoredRows(message.conversation, &rows);
      AppendStoredRows(message.participant, &rows);
      for (StoredRow& row : rows) expected[std::move(row.key)] = std::move(row.item);
    }
    Answer answer;
    for (auto& [key, item] : expected) answer.push_back({key, std::move(item)});
    return Check(answer, sender);
  }

  const typename Sender::Store* store_ = nullptr;
  ChatData data_{10 * kMessagesPerConversation};
};

const Registered<SendMessage<DolmenSender>> kDolmen;
const Registered<SendMessage<DolmenBuiltSender>> kDolmenBuilt;
const Registered<SendMessage<BareSender<RocksdbWrite>>> kRocksdb;
const Registered<SendMessage<BareSender<SqliteWrite>>> kSqlite;
const Registered<SendMessage<BareSender<LmdbWrite>>> kLmdb;

}  // namespace
}  // namespace dolmen::bench
