// The keys of the table, and the times in it: the one place that knows how they are spelt.

#pragma once

#include <dolmen/attribute_value.h>
#include <dolmen/clock.h>

#include <string>
#include <string_view>

#include "models/chat/entities.h"

namespace dolmen::chat {

inline constexpr std::string_view kConversationPrefix = "CONVO#";
inline constexpr std::string_view kParticipantPrefix = "PARTICIPANT#";
inline constexpr std::string_view kMessagePrefix = "MSG#";
inline constexpr std::string_view kUserPrefix = "USER#";

std::string ConversationPartition(std::string_view conversation_id);  // CONVO#<id>
std::string UserPartition(std::string_view user_id);                  // USER#<id>, in GSI1 and GSI2
std::string MessageSort(std::string_view ulid);                       // MSG#<ulid>

// GSI2SK: the time first, for the order; the conversation behind it, for telling ties apart.
std::string ActivitySort(Timestamp activity, std::string_view conversation_id);

// Primary keys.
Item ConversationKey(std::string_view conversation_id);
Item ParticipantKey(const ParticipantId& id);
Item MessageKey(const MessageId& id);
Item SettingsKey();

// The time as the table holds it, "2026-04-15T10:30:00.000Z": always with milliseconds, because
// texts of one length sort as the times do and "...:00Z" would sort behind "...:00.250Z".  Years
// before 0 and past 9999, which have no such text, count as the first and the last that have.
std::string TimeText(Timestamp time);

}  // namespace dolmen::chat
