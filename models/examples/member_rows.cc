#include "models/examples/member_rows.h"

#include <dolmen/entity.h>

#include "models/org/entities.h"

namespace dolmen::examples {
namespace {

using Record = org::OrganisationMemberRecord;

MemberRow RowOf(const Record& record) {
  MemberRow row = {.organisation_id = record.organisation_id,
                   .organisation_name = record.organisation_name,
                   .email = record.member.user.email.text()};
  for (const org::GroupId& group : record.member.groups) {
    if (!row.groups.empty()) row.groups += ' ';
    row.groups += group.service_id.empty() ? group.name : group.service_id + '/' + group.name;
  }
  if (record.member.accepted_at) row.accepted_at = ToIso8601(*record.member.accepted_at);
  return row;
}

}  // namespace

Result<Subscription> SubscribeToMembers(
    const Database& database, const std::string& name,
    const std::function<Status(const MemberRow& row, const StreamRecord& record)>& handle) {
  return EntityTable::Open(database, {.name = "org"}).and_then([&](const EntityTable& table) {
    return table.Subscribe<Record>(
        {.name = name, .in_background = false}, [handle](const EntityChange<Record>& change) {
          const Record& now = change.after ? *change.after : *change.before;
          return handle(RowOf(now), *change.record);
        });
  });
}

}  // namespace dolmen::examples
