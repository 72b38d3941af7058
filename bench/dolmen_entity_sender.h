// How messages are written through the entity layer.

#pragma once

#include <dolmen/entity.h>

#include <string>
#include <string_view>

#include "bench/dolmen_senders.h"

namespace dolmen::bench {

// What an application has in its hands when its messages are structs.
struct NewMessage {
  explicit NewMessage(const SentMessage& sent);

  std::string conversation_id;
  std::string id;
  std::string sender_id;
  std::string body;
  Timestamp at;
};

// As models/chat does it: the entities of a chat, and a transaction of theirs for each send.
class DolmenEntitySender : public DolmenSenderBase {
 public:
  using Request = NewMessage;
  static constexpr std::string_view kName = "dolmen_entities";

  explicit DolmenEntitySender(const DolmenStore& store);
  Status Send(const NewMessage& message);

 private:
  EntityTable entities_;
};

}  // namespace dolmen::bench
