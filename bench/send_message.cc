// send_message is the transaction of models/chat for one message.  It inserts the message and
// updates the conversation's preview and the sender's participant, which gets a new lastReadAt.
// The participant's entry in GSI1 holds a copy of the item, so the entry is also written.  No write
// waits for the disk.

#include <cstdint>
#include <string_view>

#include "bench/dolmen_entity_sender.h"
#include "bench/writers.h"

namespace dolmen::bench {
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
const Registered<MessageWrites<SendMessage, DolmenBuiltSender>> kDolmenBuilt;
const Registered<MessageWrites<SendMessage, DolmenEntitySender>> kDolmenEntities;

}  // namespace
}  // namespace dolmen::bench
