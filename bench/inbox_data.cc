#include "bench/inbox_data.h"

#include <chrono>

#include "dolmen/clock.h"

namespace dolmen::bench {
namespace {

constexpr std::int64_t kFirstConversationMilliseconds = 1'709'283'600'000;  // 2024-03-01 09:00 UTC
constexpr std::int64_t kFirstSendMilliseconds = 1'711'962'000'000;          // 2024-04-01 09:00 UTC
constexpr std::uint64_t kMillisecondsApart = 40;

std::int64_t After(std::int64_t first, std::uint64_t i) {
  return first + static_cast<std::int64_t>(i * kMillisecondsApart);
}

// Always with milliseconds: only texts of one length sort as the times do.
std::string TimeText(std::int64_t milliseconds) {
  std::string text = ToIso8601(Timestamp(std::chrono::milliseconds(milliseconds)));
  if (text.find('.') == std::string::npos) text.insert(text.size() - 1, ".000");
  return text;
}

std::int64_t MadeAt(std::uint64_t conversation) {
  return After(kFirstConversationMilliseconds, conversation);
}

std::string PartitionKey(std::uint64_t conversation) {
  return "CONVO#" + Ulid(MadeAt(conversation), Random(conversation));
}

void SetPreview(const std::string& body, const std::string& sender, const std::string& at,
                Item* conversation) {
  (*conversation)["lastMessageBody"] = body;
  (*conversation)["lastMessageSender"] = sender;
  (*conversation)["lastMessageAt"] = at;
  (*conversation)["updatedAt"] = at;
}

}  // namespace

DataSet InboxData::data_set() const {
  constexpr std::uint64_t kItems = 1 + kParticipantsPerConversation;
  return {
      .size = conversations() * kItems,
      .item =
          [data = *this](std::uint64_t i) {
            const std::uint64_t conversation = i / kItems;
            if (i % kItems == 0) return data.Conversation(conversation);
            return data.Participant(conversation * kParticipantsPerConversation + i % kItems - 1);
          },
      .indexes = {GlobalSecondaryIndex::Overloaded(kIndexName)}};
}

std::string InboxData::IndexPartition(std::uint64_t user) { return "USER#" + UserId(user); }

Item InboxData::Conversation(std::uint64_t conversation) const {
  const std::string made_at = TimeText(MadeAt(conversation));
  Item item = {
      {"PK", PartitionKey(conversation)},
      {"SK", kMetadataSortKey},
      {"createdAt", made_at},
      {"name", "Project " + std::to_string(conversation + 1)},
      {"participantCount", kParticipantsPerConversation},
      {"type", "group"},
  };
  const std::uint64_t sender = conversation * kParticipantsPerConversation % users_;
  SetPreview(Body(Random(~conversation)), UserId(sender), made_at, &item);
  return item;
}

Item InboxData::Participant(std::uint64_t participant) const {
  const std::uint64_t conversation = participant / kParticipantsPerConversation;
  const std::string partition_key = PartitionKey(conversation);
  const std::string index_partition = IndexPartition(participant % users_);
  const std::string made_at = TimeText(MadeAt(conversation));
  return {
      {"GSI1PK", index_partition},
      {"GSI1SK", partition_key},
      {"PK", partition_key},
      {"SK", "PARTICIPANT#" + index_partition},
      {"joinedAt", made_at},
      {"lastReadAt", made_at},
      {"role", participant % kParticipantsPerConversation == 0 ? "admin" : "member"},
  };
}

SentMessage InboxData::Send(std::uint64_t i) const {
  Random random(i);
  const std::uint64_t participant = random.Below(participants());
  const std::uint64_t conversation = participant / kParticipantsPerConversation;
  const std::int64_t milliseconds = After(kFirstSendMilliseconds, i);
  const std::string at = TimeText(milliseconds);
  const std::string sender = UserId(participant % users_);
  const std::string body = Body(random);

  SentMessage sent = {.message = {{"PK", PartitionKey(conversation)},
                                  {"SK", kSortKeyPrefix + Ulid(milliseconds, random)},
                                  {"body", body},
                                  {"createdAt", at},
                                  {"senderId", sender},
                                  {"type", "text"}},
                      .conversation = Conversation(conversation),
                      .participant = Participant(participant)};
  SetPreview(body, sender, at, &sent.conversation);
  sent.participant["lastReadAt"] = at;
  return sent;
}

}  // namespace dolmen::bench
