// The access patterns of models/org. A hundredth of the size is the number of organisations. Each has
// a service and 20 members, who are in this organisation alone. A member is three items.

#include "models/org/org.h"

#include "bench/models/models.h"
#include "dolmen/benchmark.h"

namespace dolmen::bench {
namespace {

using org::Org;

constexpr std::size_t kMembers = 20;
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
  if (Status put = app.PutUser({.email = "written@example.com"}).status(); !put.ok()) return put;
  const org::Organisation written = {.id = "written", .name = "Written"};
  return app.CreateOrganisation(written, "written@example.com").status();
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
  rows->Pattern("rename an organisation", [](const Org& app, BenchmarkCall call) {
    return app.RenameOrganisation("written", Id('n', call.number));
  });
  rows->Pattern("invite, accept and remove", [](const Org& app) {
    const org::MembershipId id = {"written", Address(0, 0)};
    Status status = app.Invite(id);
    if (status.ok()) status = app.Accept(id);
    return status.ok() ? app.RemoveMember(id) : status;
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
}

}  // namespace dolmen::bench
