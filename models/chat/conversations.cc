// Finding, renaming, archiving and deleting conversations.

#include "models/chat/chat.h"

namespace dolmen::chat {
namespace {

// Deletes all items that the query finds.
template <typename T>
Status RemoveAll(const EntityTable& table, const EntityQuery<T>& query) {
  auto pages = query.Pages();
  for (const EntityPage<T>& page : pages) {
    if (Status status = table.BatchRemove(page.items); !status.ok()) return status;
  }
  return pages.status();
}

}  // namespace

Result<Conversation> Chat::OpenDirect(const std::string& user_id, const std::string& other_id) {
  const auto found = table_.FindBy<&Conversation::direct_pair>(PairOf(user_id, other_id));
  if (!found.ok()) return found.status();
  if (*found) return **found;
  const auto made = CreateConversation(
      {.type = ConversationType::kDirect, .participants = {{user_id}, {other_id}}});
  // The error means that a concurrent call has created it.
  return made.status().code() == StatusCode::kResourceInUse ? OpenDirect(user_id, other_id) : made;
}

Result<Conversation> Chat::GetConversation(const std::string& id) const {
  return table_.Get(Conversation{.id = id});
}

Result<Conversation> Chat::RenameConversation(const std::string& id, const std::string& name) {
  return table_.Update(Conversation{.id = id}).Set<&Conversation::name>(name).Commit();
}

Result<Conversation> Chat::ArchiveConversation(const std::string& id, bool is_archived) {
  const auto now = is_archived ? std::optional(table_.Now()) : std::nullopt;
  return table_.Update(Conversation{.id = id}).Set<&Conversation::archived_at>(now).Commit();
}

Status Chat::DeleteConversation(const std::string& id) {
  Status status = ArchiveConversation(id).status();  // users can no longer join or send
  if (status.ok()) {
    auto people = table_.Query<Participant>();
    people.With<&Participant::id, &ParticipantId::conversation_id>(id);
    status = RemoveAll(table_, people);
  }
  if (status.ok()) {
    auto messages = table_.Query<Message>();
    messages.With<&Message::id, &MessageId::conversation_id>(id)
        .Project<&Message::id, &MessageId::ulid>();
    status = RemoveAll(table_, messages);
  }
  return status.ok() ? table_.Remove(Conversation{.id = id}) : status;
}

}  // namespace dolmen::chat
