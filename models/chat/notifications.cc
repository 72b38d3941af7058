// New messages, told to who has subscribed to them.

#include <utility>

#include "dolmen/condition_builder.h"
#include "models/chat/chat.h"
#include "models/chat/items.h"
#include "models/chat/keys.h"

namespace dolmen::chat {

Result<Subscription> Chat::SubscribeToMessages(const MessageSubscription& subscription,
                                               MessageHandler handler) const {
  SubscribeInput input;
  input.name = subscription.name;
  input.start = {.type = ShardIteratorType::kLatest};
  // The kind of an item is in its sort key.  Asked of the image, so that there is one.
  input.filter = Attr("eventName") == "INSERT" && Attr("NewImage")["SK"].BeginsWith(kMessagePrefix);
  input.in_background = subscription.in_background;
  return table_.Subscribe(input, [handler = std::move(handler)](const StreamRecord& record) {
    const Result<Message> message = MessageFrom(record.new_image->view());
    return message.ok() ? handler(*message) : message.status();
  });
}

}  // namespace dolmen::chat
