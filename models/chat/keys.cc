#include "models/chat/keys.h"

#include <algorithm>
#include <chrono>

namespace dolmen::chat {
namespace {

using std::chrono::sys_days;
using std::chrono::year;

constexpr Timestamp kTimeMin = sys_days(year(0) / 1 / 1);
constexpr Timestamp kTimeMax = sys_days(year(10000) / 1 / 1) - std::chrono::milliseconds(1);

std::string Join(std::string_view prefix, std::string_view id) {
  return std::string(prefix).append(id);
}

Item Key(std::string partition, std::string sort) {
  return Item{{"PK", std::move(partition)}, {"SK", std::move(sort)}};
}

}  // namespace

std::string ConversationPartition(std::string_view conversation_id) {
  return Join(kConversationPrefix, conversation_id);
}

std::string UserPartition(std::string_view user_id) { return Join(kUserPrefix, user_id); }

std::string MessageSort(std::string_view ulid) { return Join(kMessagePrefix, ulid); }

std::string ActivitySort(Timestamp activity, std::string_view conversation_id) {
  return TimeText(activity) + "#" + ConversationPartition(conversation_id);
}

Item ConversationKey(std::string_view conversation_id) {
  return Key(ConversationPartition(conversation_id), "#METADATA");
}

Item ParticipantKey(const ParticipantId& id) {
  return Key(ConversationPartition(id.conversation_id), Join(kParticipantPrefix, id.user_id));
}

Item MessageKey(const MessageId& id) {
  return Key(ConversationPartition(id.conversation_id), MessageSort(id.ulid));
}

Item SettingsKey() { return Key("CHAT", "#SETTINGS"); }

std::string TimeText(Timestamp time) {
  std::string text = ToIso8601(std::clamp(time, kTimeMin, kTimeMax));
  if (text.find('.') == std::string::npos) text.insert(text.size() - 1, ".000");
  return text;
}

}  // namespace dolmen::chat
