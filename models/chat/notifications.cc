// Delivers new messages to subscribers.

#include <utility>

#include "models/chat/chat.h"

namespace dolmen::chat {

Result<Subscription> Chat::SubscribeToMessages(const std::string& name, MessageHandler handler,
                                               bool in_background) const {
  return table_.Subscribe<Message>(
      {.name = name,
       .start = {.type = ShardIteratorType::kLatest},
       .filter =
           Attr("eventName") == "INSERT" && Attr("NewImage")[kEntityType] == EntityName<Message>(),
       .in_background = in_background},
      [handler = std::move(handler)](const EntityChange<Message>& change) {
        return handler(*change.after);
      });
}

}  // namespace dolmen::chat
