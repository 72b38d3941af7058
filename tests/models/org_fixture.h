// A directory in memory with the sample data, created at 12:00 by a manual clock, and a log of its
// requests.

#pragma once

#include <dolmen/entity/table.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "models/org/design.h"
#include "models/org/entities.h"
#include "models/org/org.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::org {

inline const MembershipId kDanInQuarry = {"o_quarry", "dan@example.com"};  // an open invitation

using test::IsOk;
using test::StatusIs;
using test::Value;
using testing::_;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// The operations of an access pattern, and the units that all the operations consumed together.
struct Cost {
  std::vector<std::string> operations = {};
  double read_units = 0;
  double write_units = 0;

  friend bool operator==(const Cost&, const Cost&) = default;
  friend void PrintTo(const Cost& cost, std::ostream* out) {
    for (const std::string& operation : cost.operations) *out << operation << ", ";
    *out << cost.read_units << " read units, " << cost.write_units << " write units";
  }
};

// Prints an address in a message of a test.
inline void PrintTo(const Email& email, std::ostream* out) { *out << email.text(); }

class OrgTest : public testing::Test {
 protected:
  OrgTest() {
    EXPECT_THAT(LoadSampleData(org_), IsOk());
    log_.Take();
  }

  Org Open(NameCopies name_copies) {
    return Value(Org::Open(database_, {.name_copies = name_copies, .observer = log_.observer()}));
  }

  // Returns the cost of the requests since the last call.
  Cost TakeCost() {
    Cost cost;
    for (const RequestTrace& trace : log_.Take()) {
      cost.operations.push_back(trace.operation);
      cost.read_units += trace.total().read_units;
      cost.write_units += trace.total().write_units;
    }
    return cost;
  }

  // Returns the key of the user's side and of the organisation's side of a membership.
  static UserOrganisationRecord UserSide(const MembershipId& id) {
    return {.email = id.email, .invitation = {.organisation = {.id = id.organisation_id}}};
  }
  static OrganisationMemberRecord OrganisationSide(const MembershipId& id) {
    return {.organisation_id = id.organisation_id, .member = {.user = {.email = id.email}}};
  }

  // Returns both sides of a membership as of one moment.
  std::tuple<std::optional<UserOrganisationRecord>, std::optional<OrganisationMemberRecord>> Sides(
      const MembershipId& id) {
    return Value(raw_.TransactGet(UserSide(id), OrganisationSide(id)));
  }

  OrganisationDetails Details(const std::string& id) {
    return Value(org_.GetOrganisationDetails(id));
  }

  static std::vector<std::string> Emails(const std::vector<Member>& members) {
    std::vector<std::string> emails;
    for (const Member& member : members) emails.push_back(member.user.email.text());
    return emails;
  }

  // Formats organisations as "o_quarry Quarry Works".
  static std::vector<std::string> Names(const std::vector<Organisation>& organisations) {
    std::vector<std::string> names;
    for (const Organisation& organisation : organisations) {
      names.push_back(organisation.id + " " + organisation.name);
    }
    return names;
  }

  // Formats groups as "support: bob@example.com cleo@example.com".
  static std::vector<std::string> Texts(const std::vector<Group>& groups) {
    std::vector<std::string> texts;
    for (const Group& group : groups) {
      texts.push_back(group.name + ":");
      for (const User& user : group.users) texts.back() += " " + user.email.text();
    }
    return texts;
  }

  static constexpr Timestamp kNoon =
      std::chrono::sys_days(std::chrono::year(2026) / 4 / 15) + std::chrono::hours(12);

  std::shared_ptr<ManualClock> clock_ = std::make_shared<ManualClock>(kNoon);
  Database database_ = Value(Database::InMemory({.clock = clock_, .expiry_lag = std::nullopt}));
  RequestLog log_;
  Org org_ = Open(NameCopies::kInTransaction);
  EntityTable raw_{database_, Value(database_.OpenTable("org"))};
};

}  // namespace dolmen::org
