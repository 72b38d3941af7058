// A sender that writes messages with the entity layer.

#pragma once

#include <dolmen/entity.h>

#include <string>
#include <string_view>

#include "bench/dolmen_senders.h"

namespace dolmen::bench {

// A message as a struct of an application holds it.
struct NewMessage {
  explicit NewMessage(const SentMessage& sent);

  std::string conversation_id;
  std::string id;
  std::string sender_id;
  std::string body;
  Timestamp at;
};

// A sender that writes entities, in one transaction per send, as models/chat does.
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
