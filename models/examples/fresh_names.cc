#include "models/examples/fresh_names.h"

#include <chrono>
#include <string_view>
#include <utility>

namespace dolmen::examples {
namespace {

constexpr const char* kTableName = "organisations";
constexpr const char* kName = "organisationName";
constexpr const char* kVersion = "nameVersion";
constexpr std::string_view kOrganisation = "organisation";
constexpr std::string_view kPartitionPrefix = "organisation/";
constexpr std::string_view kMemberPrefix = "organisationMember/";
constexpr std::string_view kMembershipPrefix = "userOrganisation/";

// An organisation's name, and which one it is of those that it has had, counted from 1.
struct Name {
  std::string text = {};
  std::int64_t version = 0;
};

// Of an organisation or a copy.
Result<Name> NameFrom(ItemView item) {
  const auto text = item[kName].AsString();
  const auto version = item[kVersion].AsInt64();
  if (!text || !version) return Status::Corruption("no name in " + item.ToString());
  return Name{.text = std::string(*text), .version = *version};
}

Item WithName(Item item, const Name& name) {
  item[kName] = name.text;
  item[kVersion] = name.version;
  return item;
}

std::string Join(std::string_view prefix, std::string_view id) {
  return std::string(prefix).append(id);
}

std::string OrganisationPartition(const std::string& id) { return Join(kPartitionPrefix, id); }
std::string UserPartition(const std::string& email) { return Join("user/", email); }

Item OrganisationKey(const std::string& id) {
  return {{"PK", OrganisationPartition(id)}, {"SK", kOrganisation}};
}

Item MemberKey(const std::string& id, const std::string& email) {
  return {{"PK", OrganisationPartition(id)}, {"SK", Join(kMemberPrefix, email)}};
}

Item MembershipKey(const std::string& id, const std::string& email) {
  return {{"PK", UserPartition(email)}, {"SK", Join(kMembershipPrefix, id)}};
}

// What follows the prefix in a key that begins so.
std::string Tail(AttributeView key, std::string_view prefix) {
  return std::string(key.AsString().value_or(prefix).substr(prefix.size()));
}

// Calls visit(ItemView), which returns a Status, for each item that begins so, until one fails.
template <typename Visit>
Status ForEach(const Table& table, const std::string& partition, std::string_view prefix,
               const Visit& visit) {
  QueryInput input;
  input.partition = partition;
  input.sort = BeginsWith(prefix);
  do {
    const Result<QueryOutput> page = table.Query(input);
    if (!page.ok()) return page.status();
    for (const ItemView item : *page) {
      if (Status status = visit(item); !status.ok()) return status;
    }
    input.exclusive_start_key = page->last_evaluated_key();
  } while (!input.exclusive_start_key.empty());
  return {};
}

// Gives the copy the name, unless it is gone or has a newer one: then there is nothing to be done.
Status RefreshCopy(const Table& table, Item key, const Name& name) {
  const Status status =
      table
          .UpdateItem({.key = std::move(key),
                       .update = Update().Set(kName, name.text).Set(kVersion, name.version),
                       .condition = AttributeExists("PK") && Attr(kVersion) < name.version})
          .status();
  return status.code() == StatusCode::kConditionalCheckFailed ? Status() : status;
}

Status NoOrganisation(const std::string& id) {
  return Status::ResourceNotFound("there is no organisation " + id);
}

}  // namespace

Organisations::Organisations(Database database, Table table)
    : database_(std::move(database)), table_(std::move(table)) {}

Result<Organisations> Organisations::Open(const Database& database) {
  CreateTableInput input;
  input.name = kTableName;
  // Both images, as what is waited for is a name that was another one before.
  input.stream_specification = {.view_type = StreamViewType::kNewAndOldImages,
                                .retention = std::chrono::days(30)};
  Result<Table> table = database.CreateTable(input);
  if (table.status().code() == StatusCode::kResourceInUse) table = database.OpenTable(kTableName);
  if (!table.ok()) return table.status();
  return Organisations(database, *std::move(table));
}

Status Organisations::Create(const std::string& id, const std::string& name) const {
  const Status status =
      table_
          .PutItem({.item = WithName(OrganisationKey(id), {.text = name, .version = 1}),
                    .condition = AttributeNotExists("PK")})
          .status();
  if (status.code() != StatusCode::kConditionalCheckFailed) return status;
  return Status::ResourceInUse("there is an organisation " + id + " already");
}

Status Organisations::Rename(const std::string& id, const std::string& name) const {
  const Status status = table_
                            .UpdateItem({.key = OrganisationKey(id),
                                         .update = Update().Set(kName, name).Add(kVersion, 1),
                                         .condition = AttributeExists("PK")})
                            .status();
  return status.code() == StatusCode::kConditionalCheckFailed ? NoOrganisation(id) : status;
}

Status Organisations::AddMember(const std::string& id, const std::string& email) const {
  constexpr int kAttemptsMax = 100;  // each that fails is a rename that came between
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    const Result<GetItemOutput> organisation = table_.GetItem({.key = OrganisationKey(id)});
    if (!organisation.ok()) return organisation.status();
    if (!organisation->item) return NoOrganisation(id);
    const Result<Name> name = NameFrom(organisation->item->view());
    if (!name.ok()) return name.status();
    const Status status =
        Transaction(database_, table_)
            .Check({.key = OrganisationKey(id), .condition = Attr(kVersion) == name->version})
            .Put({.item = MemberKey(id, email)})
            .Put({.item = WithName(MembershipKey(id, email), *name)})
            .Commit()
            .status();
    if (status.code() != StatusCode::kTransactionCanceled) return status;
  }
  return Status::TransactionConflict();
}

Status Organisations::RemoveMember(const std::string& id, const std::string& email) const {
  return Transaction(database_, table_)
      .Delete({.key = MemberKey(id, email)})
      .Delete({.key = MembershipKey(id, email)})
      .Commit()
      .status();
}

Result<std::vector<Membership>> Organisations::MembershipsOf(const std::string& email) const {
  std::vector<Membership> memberships;
  const Status status =
      ForEach(table_, UserPartition(email), kMembershipPrefix, [&](ItemView item) {
        const Result<Name> name = NameFrom(item);
        if (!name.ok()) return name.status();
        memberships.push_back({.organisation_id = Tail(item["SK"], kMembershipPrefix),
                               .organisation_name = name->text});
        return Status();
      });
  if (!status.ok()) return status;
  return memberships;
}

Result<Subscription> Organisations::KeepNamesFresh(bool in_background) const {
  SubscribeInput input;
  input.name = "fresh names";
  input.filter = Attr("eventName") == "MODIFY" && Attr("Keys")["SK"] == kOrganisation &&
                 Attr("NewImage")[kName] != Attr("OldImage")[kName];
  input.in_background = in_background;
  return table_.Subscribe(input, [organisations = *this](const StreamRecord& rename) {
    return organisations.RefreshCopies(rename);
  });
}

Status Organisations::RefreshCopies(const StreamRecord& rename) const {
  const Result<Name> name = NameFrom(rename.new_image ? rename.new_image->view() : ItemView());
  if (!name.ok()) return name.status();
  const std::string id = Tail(rename.keys["PK"], kPartitionPrefix);
  return ForEach(table_, OrganisationPartition(id), kMemberPrefix, [&](ItemView member) {
    return RefreshCopy(table_, MembershipKey(id, Tail(member["SK"], kMemberPrefix)), *name);
  });
}

}  // namespace dolmen::examples
