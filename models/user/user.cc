#include "models/user/user.h"

namespace dolmen::user {
namespace {

// Stores the normalisation rules in a new table. Checks that an existing table was created with the
// same rules. An address that was stored under different rules could not be found or compared with
// new addresses.
Status KeepNormalization(const Settings& settings, const EmailNormalization& normalization) {
  const AttributeValue wanted = DescribeNormalization(normalization);
  const SettingId id = {.scope = "users", .name = "emailNormalization"};
  const Status made = settings.Put({.scope = id.scope, .name = id.name, .value = wanted}).status();
  if (made.code() != StatusCode::kTransactionConflict) return made;
  const Result<Setting> found = settings.Get(id);
  if (!found.ok()) return found.status();
  if (found->value == wanted) return {};
  const auto* rules = found->value.get_if<std::string>();
  return Status::Validation(
      "open these users with the e-mail normalization that they were created with: " +
      (rules == nullptr ? std::string("unknown") : *rules));
}

}  // namespace

UserStore::UserStore(const EntityTable& table, const UserOptions& options)
    : users_(table, options.normalization),
      sessions_(table, options.session_lifetimes),
      achievements_(table),
      connections_(table),
      rate_limits_(table),
      circuits_(table),
      cache_(table),
      settings_(table) {}

Result<UserStore> UserStore::Open(const Database& database, const UserOptions& options) {
  const Result<EntityTable> table =
      EntityTable::Open(database, {.name = "user",
                                   .indexes = {"GSI1"},
                                   .time_to_live = std::string(kTimeToLive),
                                   .observer = options.observer});
  if (!table.ok()) return table.status();
  UserStore store(*table, options);
  Status kept = KeepNormalization(store.settings_, options.normalization);
  if (!kept.ok()) return kept;
  return store;
}

}  // namespace dolmen::user
