// The pattern's sample data: the group c_01 "Project Chat" of u_01 and u_02, and the direct
// conversation c_02 of u_01 and u_03, on 15 April 2026.  README.md says where it fills gaps.

#pragma once

#include "models/chat/chat.h"

namespace dolmen::chat {

// Makes both conversations by the chat's ordinary operations.  What is there already stays as it
// is, so loading that broke off can be repeated.
Status LoadSampleData(Chat* chat);

// The sample's messages, in order: "Can we ship by Friday?", "Sounds good!", and "See you tomorrow"
// in c_02.
MessageId SampleMessageCanWeShip();
MessageId SampleMessageSoundsGood();
MessageId SampleMessageSeeYou();

}  // namespace dolmen::chat
