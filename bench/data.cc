#include "bench/data.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <string_view>

#include "dolmen/clock.h"

namespace dolmen::bench {
namespace {

constexpr std::int64_t kFirstMilliseconds = 1'709'283'600'000;      // 2024-03-01 09:00 UTC
constexpr std::int64_t kFirstSendMilliseconds = 1'711'962'000'000;  // 2024-04-01 09:00 UTC
constexpr std::uint64_t kMillisecondsApart = 40;

constexpr std::array<std::string_view, 32> kWords = {
    "we",     "can",     "ship",  "by",       "Friday",  "if",     "the",   "tests",
    "pass",   "tonight", "and",   "nobody",   "minds",   "that",   "our",   "release",
    "notes",  "are",     "still", "a",        "draft",   "please", "look",  "at",
    "thread", "before",  "lunch", "tomorrow", "morning", "so",     "let's", "talk",
};

std::int64_t After(std::int64_t first, std::uint64_t i) {
  return first + static_cast<std::int64_t>(i * kMillisecondsApart);
}

// Returns the creation time of the i-th message or conversation.
std::int64_t TimeOf(std::uint64_t i) { return After(kFirstMilliseconds, i); }

// Formats a time and always includes milliseconds, because texts sort in the order of time only if
// they have equal lengths.
std::string TimeText(std::int64_t milliseconds) {
  std::string text = ToIso8601(Timestamp(std::chrono::milliseconds(milliseconds)));
  if (text.find('.') == std::string::npos) text.insert(text.size() - 1, ".000");
  return text;
}

std::string Padded(const char* format, std::uint64_t number) {
  std::array<char, 32> text;
  const int size = std::snprintf(text.data(), text.size(), format, number);
  return {text.data(), static_cast<std::size_t>(size)};
}

std::string UserId(std::uint64_t user) { return Padded("u_%06lu", user); }

// Returns a ULID: 48 bits of time and 80 random bits, with five bits per character.
// https://github.com/ulid/spec
std::string Ulid(std::int64_t milliseconds, Random random) {
  constexpr std::string_view kAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  std::string ulid;
  for (int shift = 45; shift >= 0; shift -= 5) {
    ulid += kAlphabet[static_cast<std::size_t>(milliseconds >> shift) % kAlphabet.size()];
  }
  while (ulid.size() < 26) ulid += kAlphabet[random.Below(kAlphabet.size())];
  return ulid;
}

std::string Body(Random random) {
  const std::uint64_t words = 8 + random.Below(13);
  std::string body;
  for (std::uint64_t i = 0; i < words; ++i) {
    if (i > 0) body += ' ';
    body += kWords[random.Below(kWords.size())];
  }
  return body;
}

void SetPreview(const std::string& body, const std::string& sender, const std::string& at,
                Item* conversation) {
  (*conversation)["lastMessageBody"] = body;
  (*conversation)["lastMessageSender"] = sender;
  (*conversation)["lastMessageAt"] = at;
  (*conversation)["updatedAt"] = at;
}

}  // namespace

DataSet ChatData::data_set() const {
  constexpr std::uint64_t kItems = 1 + kParticipantsPerConversation;
  const std::uint64_t others = conversations() * kItems;
  return {
      .size = others + messages_,
      .item =
          [data = *this, others](std::uint64_t i) {
            if (i >= others) return data.Message(i - others);
            const std::uint64_t conversation = i / kItems;
            if (i % kItems == 0) return data.Conversation(conversation);
            return data.Participant(conversation * kParticipantsPerConversation + i % kItems - 1);
          },
      .indexes = {GlobalSecondaryIndex::Overloaded(kIndexName)}};
}

DataSet ChatData::message_set() const {
  return {.size = messages_, .item = [data = *this](std::uint64_t i) { return data.Message(i); }};
}

std::string ChatData::PartitionKey(std::uint64_t conversation) {
  return Padded("CONVO#c_%06lu", conversation + 1);
}

std::string ChatData::MessageSortKey(std::uint64_t i) {
  return kMessagePrefix + Ulid(TimeOf(i), Random(i));
}

std::string ChatData::IndexPartition(std::uint64_t user) { return "USER#" + UserId(user); }

Item ChatData::Conversation(std::uint64_t conversation) const {
  const std::string made_at = TimeText(TimeOf(conversation));
  Item item = {
      {"PK", PartitionKey(conversation)},
      {"SK", kMetadataSortKey},
      {"createdAt", made_at},
      {"entityType", "conversation"},
      {"name", "Project " + std::to_string(conversation + 1)},
      {"participantCount", kParticipantsPerConversation},
      {"type", "group"},
  };
  const std::uint64_t sender = conversation * kParticipantsPerConversation % users();
  SetPreview(Body(Random(~conversation)), UserId(sender), made_at, &item);
  return item;
}

Item ChatData::Participant(std::uint64_t participant) const {
  const std::uint64_t conversation = participant / kParticipantsPerConversation;
  const std::string partition_key = PartitionKey(conversation);
  const std::string index_partition = IndexPartition(participant % users());
  const std::string made_at = TimeText(TimeOf(conversation));
  return {
      {"GSI1PK", index_partition},
      {"GSI1SK", partition_key},
      {"PK", partition_key},
      {"SK", "PARTICIPANT#" + index_partition},
      {"entityType", "participant"},
      {"joinedAt", made_at},
      {"lastReadAt", made_at},
      {"role", participant % kParticipantsPerConversation == 0 ? "admin" : "member"},
  };
}

Item ChatData::Message(std::uint64_t i) const {
  const std::uint64_t conversation = i % conversations_with_messages();
  const std::string partition_key = PartitionKey(conversation);
  const std::string sort_key = MessageSortKey(i);
  return {
      {"PK", partition_key},
      {"SK", sort_key},
      {"body", Body(Random(~i))},
      {"conversationId", partition_key.substr(partition_key.find('#') + 1)},
      {"createdAt", ToIso8601(Timestamp(std::chrono::milliseconds(TimeOf(i))))},
      {"edited", IsEdited(i)},
      {"messageId", sort_key.substr(sort_key.find('#') + 1)},
      {"senderId", UserId(Random(i).Below(100'000))},
      {"type", "Message"},
  };
}

bool ChatData::IsEdited(std::uint64_t i) const {
  constexpr std::uint64_t kOneIn = kMessagesPerConversation / kEditedPerConversation;
  const std::uint64_t conversation = i % conversations_with_messages();
  const std::uint64_t n = i / conversations_with_messages();
  const std::uint64_t first = OldestMessage(conversation, n - n % kOneIn);
  return n % kOneIn == Random(first).Below(kOneIn);
}

SentMessage ChatData::Send(std::uint64_t i) const {
  Random random(i);
  const std::uint64_t participant = random.Below(participants());
  const std::uint64_t conversation = participant / kParticipantsPerConversation;
  const std::int64_t milliseconds = After(kFirstSendMilliseconds, i);
  const std::string at = TimeText(milliseconds);
  const std::string sender = UserId(participant % users());
  const std::string body = Body(random);

  SentMessage sent = {.message = {{"PK", PartitionKey(conversation)},
                                  {"SK", kMessagePrefix + Ulid(milliseconds, random)},
                                  {"body", body},
                                  {"createdAt", at},
                                  {"entityType", "message"},
                                  {"senderId", sender},
                                  {"type", "text"}},
                      .conversation = Conversation(conversation),
                      .participant = Participant(participant)};
  SetPreview(body, sender, at, &sent.conversation);
  sent.participant["lastReadAt"] = at;
  return sent;
}

std::uint64_t Random::Next() {
  std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

}  // namespace dolmen::bench
