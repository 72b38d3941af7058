// Delivers new messages to subscribers.

#include <utility>

#include "models/chat/chat.h"

namespace dolmen::chat {

Result<Subscription> Chat::SubscribeToMessages(const MessageSubscription& subscription,
                                               MessageHandler handler) const {
  SubscribeInput input;
  input.name = subscription.name;
  input.start = {.type = ShardIteratorType::kLatest};
  // The filter tests an attribute of the new image, so every record that passes the filter has a
  // new image.
  input.filter = Attr("eventName") == "INSERT" && Attr("NewImage")[kEntityType] == kMessageType;
  input.in_background = subscription.in_background;
  return table_.table().Subscribe(
      input, [handler = std::move(handler)](const StreamRecord& record) {
        const Result<Message> message = FromItem<Message>(record.new_image->view());
        return message.ok() ? handler(*message) : message.status();
      });
}

}  // namespace dolmen::chat
