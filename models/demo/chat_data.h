// Generated messages for the demo's chat, beside the sample data of the model. Every run generates the
// same messages.

#pragma once

#include <cstddef>
#include <functional>

#include "models/chat/chat.h"

namespace dolmen::demo {

inline constexpr std::size_t kGeneratedMessages = 10'000;
inline constexpr const char* kLargeConversation = "c_03";  // holds 7,000 generated messages

// Loads the generated conversations. After each stored part, calls `progress` with the number of
// messages in this part.
Status LoadChatData(chat::Chat* chat, const std::function<void(std::size_t)>& progress);

}  // namespace dolmen::demo
