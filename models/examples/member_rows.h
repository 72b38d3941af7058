// The changes of memberships as rows of a report.

#pragma once

#include <dolmen/dolmen.h>

#include <array>
#include <functional>
#include <string>

namespace dolmen::examples {

// A membership as the columns of a report. Times are ISO 8601.
struct MemberRow {
  std::string organisation_id = {};
  std::string organisation_name = {};
  std::string email = {};
  std::string groups = {};       // separated by blanks
  std::string accepted_at = {};  // "" = an open invitation

  std::array<std::string, 5> columns() const {
    return {organisation_id, organisation_name, email, groups, accepted_at};
  }
};

// Passes each change of a membership to `handle`, in order, whenever Deliver is called. The row is the
// membership after the change, or, if it was removed, before. `name` is that of the subscription.
Result<Subscription> SubscribeToMembers(
    const Database& database, const std::string& name,
    const std::function<Status(const MemberRow& row, const StreamRecord& record)>& handle);

}  // namespace dolmen::examples
