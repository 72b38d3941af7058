#include "models/chat/chat.h"

namespace dolmen::chat {

Result<Chat> Chat::Open(const Database& database, const ChatOptions& options) {
  EntityTableInput input = {.name = "chat",
                            .indexes = {"GSI1", "GSI2"},
                            .time_to_live = "ttl",  // of the marks of sends with a token
                            .observer = options.observer};
  if (options.stream) input.stream_specification = {.view_type = StreamViewType::kNewImage};
  return EntityTable::Open(database, input).transform([](const EntityTable& table) {
    return Chat(table);
  });
}

}  // namespace dolmen::chat
