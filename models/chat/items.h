// Entities to and from the table's items.  Reading fails with kCorruption, naming the item and the
// attribute, if the item lacks something or holds it with the wrong type or form.

#pragma once

#include <dolmen/item_view.h>
#include <dolmen/result.h>

#include "models/chat/entities.h"

namespace dolmen::chat {

Item ToItem(const Conversation& conversation);
Item ToItem(const Participant& participant);
Item ToItem(const Message& message);

Result<Conversation> ConversationFrom(ItemView item);
Result<Participant> ParticipantFrom(ItemView item);
Result<Message> MessageFrom(ItemView item);

// With ChatOptions::order_by_activity a participant's item also has what a line of the inbox shows
// of the conversation, and the keys of GSI2, which sort it by last activity.
void AddInboxAttributes(const Conversation& conversation, Item* participant_item);
Result<InboxEntry> InboxEntryFrom(ItemView participant_item);

}  // namespace dolmen::chat
