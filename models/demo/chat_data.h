// The chat that the demo shows: the pattern's sample data and 10,000 made-up messages, the same
// ones each time.

#pragma once

#include <cstddef>
#include <functional>

#include "models/chat/chat.h"

namespace dolmen::demo {

inline constexpr std::size_t kGeneratedMessages = 10'000;
inline constexpr const char* kLargeConversation = "c_03";  // holds 7,000 of them

// Whether LoadChatData has run to its end in this chat.
Result<bool> IsChatDataLoaded(const chat::Chat& chat);

// Loads everything.  Loading that broke off goes on when it is repeated.
// Calls `progress` with the number of generated messages that have been stored since its last call.
Status LoadChatData(chat::Chat* chat, const std::function<void(std::size_t)>& progress);

}  // namespace dolmen::demo
