// Loads the history of a conversation.

#include <algorithm>

#include "models/chat/chat.h"
#include "models/chat/order.h"

namespace dolmen::chat {

Status Chat::ImportMessages(std::span<const Message> messages) {
  if (messages.empty()) return {};
  const Conversation conversation = {.id = messages.front().id.conversation_id};
  const auto is_elsewhere = [&](const Message& message) {
    return message.id.conversation_id != conversation.id;
  };
  if (std::ranges::any_of(messages, is_elsewhere)) {
    return Status::Validation("imported messages must all belong to one conversation");
  }
  for (auto rest = messages; !rest.empty();) {
    const auto chunk = rest.first(std::min<std::size_t>(rest.size(), 99));
    rest = rest.subspan(chunk.size());
    EntityTransaction import = table_.Transact();
    import.Require(conversation, AttrOf<&Conversation::archived_at>().NotExists(),
                   "the conversation is archived");
    for (const Message& message : chunk) import.Put(message);
    if (Status status = import.Commit(); !status.ok()) return status;
  }
  const auto last = std::ranges::max_element(
      messages, {}, [](const Message& message) { return message.id.ulid; });
  const Status moved = table_.Update(conversation)
                           .Set<&Conversation::last_message>(PreviewOf(*last))
                           .If(IsAfterLastMessage(last->id.ulid))
                           .Commit()
                           .status();
  // A failed condition means that the conversation has a newer message.
  return moved.code() == StatusCode::kConditionalCheckFailed ? Status() : moved;
}

}  // namespace dolmen::chat
