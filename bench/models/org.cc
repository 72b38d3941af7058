// The access patterns of models/org. A hundredth of the size is the number of organisations. Each has
// a service and 20 members, who are in this organisation alone. A member is three items.

#include "models/org/org.h"

#include "bench/models/models.h"
#include "dolmen/design/benchmark.h"

namespace dolmen::bench {
namespace {

using org::Org;

constexpr std::size_t kMembers = 20;
constexpr const char* kOwner =
    "written@example.com";  // of the organisation to which patterns write
const org::GroupId kEditors = {.service_id = "", .name = "editors"};

std::string Address(std::size_t organisation, std::size_t member) {
  return Id('u', organisation * kMembers + member) + "@example.com";
}

Status LoadOrganisation(const Org& app, std::size_t number) {
  std::vector<org::User> users;
  for (std::size_t i = 0; i < kMembers; ++i) {
    users.push_back({.email = Address(number, i), .first_name = "Ana", .last_name = "Souza"});
  }
  const std::string id = Id('o', number);
  Status loaded = app.PutUsers(users);
  if (loaded.ok()) {
    loaded = app.CreateOrganisation({.id = id, .name = "Acme"}, Address(number, 0)).status();
  }
  if (loaded.ok()) loaded = app.PutService(id, {.id = "s1", .name = "Shop"});
  for (std::size_t i = 1; i < kMembers && loaded.ok(); ++i) {
    const org::MembershipId member = {id, Address(number, i)};
    loaded = app.Invite(member, {kEditors.name});
    if (loaded.ok()) loaded = app.Accept(member);
  }
  return loaded;
}

Status Load(const Org& app, std::size_t size) {
  for (std::size_t number = 0; number < size / 100; ++number) {
    if (Status loaded = LoadOrganisation(app, number); !loaded.ok()) return loaded;
  }
  if (Status put = app.PutUser({.email = kOwner}).status(); !put.ok()) return put;
  const org::Organisation written = {.id = "written", .name = "Written"};
  const Status created = app.CreateOrganisation(written, kOwner).status();
  return created.ok() ? app.PutService("written", {.id = "s1", .name = "Shop"}) : created;
}

std::size_t NumberOf(BenchmarkCall call) { return call.number % (call.size / 100); }
std::string OrganisationOf(BenchmarkCall call) { return Id('o', NumberOf(call)); }
std::string AddressOf(BenchmarkCall call) { return Address(NumberOf(call), 1); }
org::MembershipId MemberOf(BenchmarkCall call) { return {OrganisationOf(call), AddressOf(call)}; }

void AddReads(ModelBenchmark<Org>* rows) {
  rows->Pattern("user",
                [](const Org& app, BenchmarkCall call) { return app.GetUser(AddressOf(call)); });
  rows->Pattern("user with organisations", [](const Org& app, BenchmarkCall call) {
    return app.GetUserDetails(AddressOf(call));
  });
  rows->Pattern("organisation", [](const Org& app, BenchmarkCall call) {
    return app.GetOrganisation(OrganisationOf(call));
  });
  rows->Pattern("organisation with members", [](const Org& app, BenchmarkCall call) {
    return app.GetOrganisationDetails(OrganisationOf(call));
  });
  rows->Pattern("organisation as a member", [](const Org& app, BenchmarkCall call) {
    return app.GetOrganisationAs(MemberOf(call));
  });
  rows->Pattern("member",
                [](const Org& app, BenchmarkCall call) { return app.GetMember(MemberOf(call)); });
  rows->Pattern("is in group", [](const Org& app, BenchmarkCall call) {
    return app.IsInGroup(MemberOf(call), kEditors);
  });
}

void AddWrites(ModelBenchmark<Org>* rows) {
  rows->Pattern("put a user", [](const Org& app, BenchmarkCall call) {
    return app.PutUser({.email = Id('w', call.number) + "@example.com"});
  });
  rows->Pattern("import 25 users", [](const Org& app) {
    std::vector<org::User> users;
    for (std::size_t i = 0; i < 25; ++i) users.push_back({.email = Id('w', i) + "@example.com"});
    return app.PutUsers(users);
  });
  rows->Pattern("create and remove an organisation", [](const Org& app, BenchmarkCall call) {
    const std::string id = Id('w', call.number);
    const Status created = app.CreateOrganisation({.id = id, .name = "Acme"}, kOwner).status();
    return created.ok() ? app.RemoveOrganisation(id) : created;
  });
  rows->Pattern("rename an organisation", [](const Org& app, BenchmarkCall call) {
    return app.RenameOrganisation("written", Id('n', call.number));
  });
  rows->Pattern("put and remove a service", [](const Org& app) {
    const Status put = app.PutService("written", {.id = "s2", .name = "Blog"});
    return put.ok() ? app.RemoveService("written", "s2") : put;
  });
}

void AddWritesOfMembers(ModelBenchmark<Org>* rows) {
  rows->Pattern("invite and decline", [](const Org& app) {
    const org::MembershipId id = {"written", Address(0, 0)};
    const Status invited = app.Invite(id);
    return invited.ok() ? app.Decline(id) : invited;
  });
  rows->Pattern("invite, accept and remove", [](const Org& app) {
    const org::MembershipId id = {"written", Address(0, 0)};
    Status status = app.Invite(id);
    if (status.ok()) status = app.Accept(id);
    return status.ok() ? app.RemoveMember(id) : status;
  });
  rows->Pattern("join and leave a group", [](const Org& app) {
    const org::MembershipId id = {"written", std::string(kOwner)};
    const Status joined = app.AddToGroup(id, kEditors);
    return joined.ok() ? app.RemoveFromGroup(id, kEditors) : joined;
  });
  rows->Pattern("join and leave a group of a service", [](const Org& app) {
    const org::MembershipId id = {"written", std::string(kOwner)};
    const org::GroupId support = {.service_id = "s1", .name = "support"};
    const Status joined = app.AddToGroup(id, support);
    return joined.ok() ? app.RemoveFromGroup(id, support) : joined;
  });
  rows->Pattern("contact a member", [](const Org& app) {
    return app.ContactMember({"written", std::string(kOwner)});
  });
}

}  // namespace

void AddOrg() {
  const auto open = [](const Database& database, RequestObserver observer) {
    return Org::Open(database, {.observer = std::move(observer)});
  };
  ModelBenchmark<Org> rows({.name = "org", .open = open, .load = Load, .sizes = ModelSizes()});
  AddReads(&rows);
  AddWrites(&rows);
  AddWritesOfMembers(&rows);
}

}  // namespace dolmen::bench
