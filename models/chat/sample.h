// The pattern's sample data on 15 April 2026: the group c_01 "Project Chat" of u_01 and u_02, and
// the direct conversation c_02 of u_01 and u_03. README.md lists the values in this data that
// the pattern does not contain.

#pragma once

#include "models/chat/chat.h"

namespace dolmen::chat {

// Creates both conversations through the chat's ordinary operations. Existing items are not
// changed, so an interrupted load can be repeated.
Status LoadSampleData(Chat* chat);

// Return the ids of the sample's messages, in order: "Can we ship by Friday?" and "Sounds good!" in
// c_01, and "See you tomorrow" in c_02.
MessageId SampleMessageCanWeShip();
MessageId SampleMessageSoundsGood();
MessageId SampleMessageSeeYou();

}  // namespace dolmen::chat
