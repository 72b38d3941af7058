// send_message is the transaction that models/chat uses to send one message. The transaction
// inserts the message. It updates the preview in the conversation and lastReadAt in the sender's
// participant. It also writes the participant's entry in GSI1, because the entry contains a copy
// of the item. No write waits for the disk. In the report's row dolmen_uncached, the row cache is
// off.

#include <cstdint>
#include <string_view>

#include "bench/dolmen_entity_sender.h"
#include "bench/writers.h"

namespace dolmen::bench::send_message {
namespace {

struct SendMessage {
  static constexpr std::string_view kName = "send_message";
  static constexpr std::string_view kCopy = "written";
  static constexpr Durability kDurability = Durability::kBuffered;
  static constexpr std::uint64_t kWritesChecked = 1000;

  template <typename Sender>
  static Status Write(const typename Sender::Request& request, Sender* sender) {
    return sender->Send(request);
  }

  static void AddWritten(const SentMessage& sent, WrittenRows* rows) { rows->Add(sent); }
};

const AllWriters<SendMessage> kContenders;
const Registered<MessageWrites<Uncached<SendMessage>, DolmenUncachedSender>> kUncached;
const Registered<MessageWrites<SendMessage, DolmenBuiltSender>> kDolmenBuilt;
const Registered<MessageWrites<SendMessage, DolmenEntitySender>> kDolmenEntities;

}  // namespace
}  // namespace dolmen::bench::send_message
