#include "models/examples/session_store.h"

#include <random>
#include <utility>

namespace dolmen::examples {
namespace {

constexpr const char* kTableName = "sessions";
constexpr const char* kExpiresAt = "expiresAt";

Result<Table> MakeOrOpenTable(const Database& database) {
  CreateTableInput input;
  input.name = kTableName;
  input.partition_key = {.name = "id"};
  input.sort_key = std::nullopt;
  Result<Table> made = database.CreateTable(input);
  if (made.status().code() == StatusCode::kResourceInUse) return database.OpenTable(kTableName);
  return made;
}

Status HideExpired(const Database& database) {
  const Status updated =
      database
          .UpdateTimeToLive({.table_name = kTableName,
                             .specification = {.attribute_name = kExpiresAt, .hide_expired = true}})
          .status();
  if (updated.ok()) return {};
  const Result<TimeToLiveDescription> found = database.DescribeTimeToLive(kTableName);
  if (!found.ok()) return found.status();
  return found->attribute_name == kExpiresAt && found->hide_expired ? Status() : updated;
}

// Returns 128 random bits as hexadecimal digits.
std::string NewToken() {
  constexpr int kBytes = 16;
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::random_device random;
  std::string token;
  for (int i = 0; i < 2 * kBytes; ++i) token += kDigits[random() % kDigits.size()];
  return token;
}

std::int64_t Seconds(Timestamp time) {
  return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
}

Result<Session> SessionFrom(ItemView item) {
  const auto id = item["id"].AsString();
  const auto user_id = item["userId"].AsString();
  const auto expires_at = item[kExpiresAt].AsInt64();
  if (!id || !user_id || !expires_at)
    return Status::Corruption(
        "the item is not a session: id, userId or expiresAt is missing or has another type");
  return Session{.id = std::string(*id),
                 .user_id = std::string(*user_id),
                 .expires_at = Timestamp(std::chrono::seconds(*expires_at))};
}

}  // namespace

SessionStore::SessionStore(Table table, SharedClock clock, std::chrono::milliseconds lifetime)
    : table_(std::move(table)), clock_(std::move(clock)), lifetime_(lifetime) {}

Result<SessionStore> SessionStore::Open(const Database& database,
                                        std::chrono::milliseconds lifetime) {
  Result<Table> table = MakeOrOpenTable(database);
  if (!table.ok()) return table.status();
  if (Status status = HideExpired(database); !status.ok()) return status;
  return SessionStore(*std::move(table), database.clock(), lifetime);
}

Timestamp SessionStore::ExpiryFromNow() const {
  return std::chrono::ceil<std::chrono::seconds>(clock_->Now() + lifetime_);
}

Result<Session> SessionStore::Create(const std::string& user_id) const {
  Session session = {.id = NewToken(), .user_id = user_id, .expires_at = ExpiryFromNow()};
  const Status put = table_
                         .PutItem({.item = {{"id", session.id},
                                            {"userId", session.user_id},
                                            {kExpiresAt, Seconds(session.expires_at)}},
                                   .condition = AttributeNotExists("id")})
                         .status();
  if (!put.ok()) return put;
  return session;
}

Result<std::optional<Session>> SessionStore::Find(const std::string& id) const {
  const Result<GetItemOutput> found = table_.GetItem({.key = {{"id", id}}});
  if (!found.ok()) return found.status();
  if (!found->item) return std::optional<Session>();
  Result<Session> session = SessionFrom(found->item->view());
  if (!session.ok()) return session.status();
  return std::optional<Session>(*std::move(session));
}

Result<Session> SessionStore::Renew(const std::string& id) const {
  const Result<WriteItemOutput> renewed =
      table_.UpdateItem({.key = {{"id", id}},
                         .update = Update().Set(kExpiresAt, Seconds(ExpiryFromNow())),
                         .condition = AttributeExists("id"),
                         .return_values = ReturnValues::kAllNew});
  if (renewed.status().code() == StatusCode::kConditionalCheckFailed) {
    return Status::ResourceNotFound("the session does not exist or has expired");
  }
  if (!renewed.ok()) return renewed.status();
  return SessionFrom(renewed->attributes->view());
}

Status SessionStore::Revoke(const std::string& id) const {
  return table_.DeleteItem({.key = {{"id", id}}}).status();
}

}  // namespace dolmen::examples
