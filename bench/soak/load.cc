#include "bench/soak/load.h"

#include <algorithm>
#include <string>

#include "bench/dolmen_reader.h"
#include "bench/dolmen_senders.h"

namespace dolmen::bench {
namespace {

constexpr std::uint64_t kOneSendIn = 20;

class HistoryReader : public DolmenReader {
 public:
  explicit HistoryReader(const DolmenStore& store)
      : DolmenReader(store, {.forward = false, .limit = kRows}) {}

  // Reads the n-th oldest message of a conversation and the 49 messages before it, newest first.
  Status Ask(const ChatData& data, std::uint64_t conversation, std::uint64_t n) {
    const std::uint64_t newest = data.OldestMessage(conversation, n);
    range().sort_key = Between(kMessagePrefix, ChatData::MessageSortKey(newest));
    Status asked = DolmenReader::Ask(ChatData::PartitionKey(conversation));
    if (!asked.ok() || rows() == std::min(n + 1, kRows)) return asked;
    return Status::Corruption("a page has the wrong number of messages: " + std::to_string(rows()));
  }

 private:
  static constexpr std::uint64_t kRows = 50;
};

// Returns true if the result of a send is valid. A send is canceled if the conversation already
// has a newer message. This happens when two threads send at the same time.
bool IsAnswer(const Status& sent) {
  return sent.ok() || sent.code() == StatusCode::kTransactionCanceled;
}

}  // namespace

MixedLoad::MixedLoad(const ChatData& data, const DolmenStore& store) : data_(data), store_(store) {
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    threads_[i] = std::thread([this, i] { Run(i); });
  }
}

MixedLoad::~MixedLoad() {
  stopping_ = true;
  for (std::thread& thread : threads_) thread.join();
}

Status MixedLoad::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

void MixedLoad::Run(std::uint64_t seed) {
  const Status run = RunUntilStopped(seed);
  const std::lock_guard lock(mutex_);
  if (status_.ok()) status_ = run;
}

Status MixedLoad::RunUntilStopped(std::uint64_t seed) {
  Random random(seed);
  HistoryReader reader(store_);
  DolmenSender sender(store_);
  for (; !stopping_; ++operations_) {
    if (random.Below(kOneSendIn) == 0) {
      const Status sent = sender.Send(MessageTexts(data_.Send(store_.TakeNumber())));
      if (!IsAnswer(sent)) return sent;
      continue;
    }
    const std::uint64_t conversation = random.Below(data_.conversations_with_messages());
    Status read = reader.Ask(data_, conversation, random.Below(kMessagesPerConversation));
    if (!read.ok()) return read;
  }
  return {};
}

}  // namespace dolmen::bench
