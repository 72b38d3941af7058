// The participants of conversations: creating, joining, leaving, roles and read receipts.

#include <algorithm>

#include "models/chat/chat.h"

namespace dolmen::chat {
namespace {

// A transaction has at most 100 writes. One of them is that of the conversation.
constexpr std::size_t kPeoplePerTransaction = 99;

constexpr const char* kExactlyTwo = "a direct conversation has exactly two people";

// Adds the creation of participants. They join when the conversation is created, or now if it has
// no time.
void CreateParticipants(const Conversation& conversation, std::span<const NewParticipant> people,
                        EntityTransaction* transaction) {
  for (const NewParticipant& person : people) {
    transaction->Create(
        Participant{.id = {.conversation_id = conversation.id, .user_id = person.user_id},
                    .role = person.role,
                    .joined_at = conversation.created_at,
                    .last_read_at = conversation.created_at});
  }
}

// Returns the change of the number of participants, which only a group allows.
Changes<Conversation> CountParticipants(std::int64_t change) {
  return Changes<Conversation>().Add<&Conversation::participant_count>(change).If(
      AttrOf<&Conversation::type>() == ConversationType::kGroup, kExactlyTwo);
}

// Adds people to a group in transactions. They join at conversation.created_at, or now if it is not
// set.
Status AddPeople(const EntityTable& table, const Conversation& conversation,
                 std::span<const NewParticipant> people) {
  while (!people.empty()) {
    const auto chunk = people.first(std::min(people.size(), kPeoplePerTransaction));
    people = people.subspan(chunk.size());
    Changes<Conversation> count = CountParticipants(static_cast<std::int64_t>(chunk.size()));
    count.If(AttrOf<&Conversation::archived_at>().NotExists(), "the conversation is archived");
    EntityTransaction joining = table.Transact();
    joining.Update(Conversation{.id = conversation.id}, count);
    CreateParticipants(conversation, chunk, &joining);
    if (Status status = joining.Commit(); !status.ok()) return status;
  }
  return {};
}

}  // namespace

Result<Conversation> Chat::CreateConversation(const NewConversation& request) {
  const std::span<const NewParticipant> people = request.participants;
  const bool is_direct = request.type == ConversationType::kDirect;
  if (is_direct && people.size() != 2) return Status::Validation(kExactlyTwo);
  const auto first = people.first(std::min(people.size(), kPeoplePerTransaction));
  Conversation conversation = {.id = request.id.empty() ? table_.NewUlid() : request.id,
                               .name = request.name,
                               .type = request.type,
                               .participant_count = static_cast<std::uint32_t>(first.size()),
                               .created_at = request.created_at};
  if (is_direct) conversation.direct_pair = PairOf(people[0].user_id, people[1].user_id);

  EntityTransaction creation = table_.Transact();
  creation.Create(conversation);
  CreateParticipants(conversation, first, &creation);
  Status created = creation.Commit();
  if (created.ok()) created = AddPeople(table_, conversation, people.subspan(first.size()));
  if (!created.ok()) return created;
  return GetConversation(conversation.id);
}

Status Chat::AddParticipants(const std::string& id, std::span<const NewParticipant> people) {
  return AddPeople(table_, {.id = id}, people);
}

Status Chat::RemoveParticipant(const ParticipantId& id) {
  return table_.Transact()
      .Update(Conversation{.id = id.conversation_id}, CountParticipants(-1))
      .Remove(Participant{.id = id})
      .Commit();
}

Result<Participant> Chat::ChangeRole(const ParticipantId& id, Role role) {
  return table_.Update(Participant{.id = id}).Set<&Participant::role>(role).Commit();
}

Result<Participant> Chat::GetParticipant(const ParticipantId& id) const {
  return table_.Get(Participant{.id = id});
}

Result<std::vector<Participant>> Chat::ListParticipants(const std::string& id) const {
  return table_.Query<Participant>()
      .With<&Participant::id, &ParticipantId::conversation_id>(id)
      .All();
}

Status Chat::MarkRead(const ParticipantId& id, Timestamp up_to) {
  const Status marked = table_.Update(Participant{.id = id})
                            .Set<&Participant::last_read_at>(up_to)
                            .If(AttrOf<&Participant::last_read_at>() < up_to)
                            .Commit()
                            .status();
  // A failed condition means that the stored lastReadAt is already later.
  return marked.code() == StatusCode::kConditionalCheckFailed ? Status() : marked;
}

}  // namespace dolmen::chat
