// The data of the chat that the demo shows: the pattern's sample data and 10,000 generated
// messages. Every run generates the same messages.

#pragma once

#include <cstddef>
#include <functional>

#include "models/chat/chat.h"

namespace dolmen::demo {

inline constexpr std::size_t kGeneratedMessages = 10'000;
inline constexpr const char* kLargeConversation = "c_03";  // holds 7,000 generated messages

// Returns true if LoadChatData has completed in this chat.
Result<bool> IsChatDataLoaded(const chat::Chat& chat);

// Loads the sample data and the generated messages. A call after an interrupted load resumes the
// load. After each stored part, calls `progress` with the number of messages in this part.
Status LoadChatData(chat::Chat* chat, const std::function<void(std::size_t)>& progress);

}  // namespace dolmen::demo
