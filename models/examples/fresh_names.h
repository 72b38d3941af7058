// Names that are repeated in other items, and a subscription that keeps the copies fresh.
//
// An organisation's name is also in an item of each of its members, so that a user's organisations,
// names included, are one Query.  Renaming writes one item; the copies follow by the table's
// stream, however many they are.
//
//   item          PK                  SK                      attributes
//   organisation  organisation/<id>   organisation            organisationName, nameVersion
//   member        organisation/<id>   organisationMember/<e>
//   membership    user/<e>            userOrganisation/<id>   organisationName, nameVersion
//
// <e> is a user's email address, and nameVersion counts the names that an organisation has had.

#pragma once

#include <dolmen/dolmen.h>

#include <string>
#include <vector>

namespace dolmen::examples {

struct Membership {
  std::string organisation_id = {};
  std::string organisation_name = {};

  friend bool operator==(const Membership&, const Membership&) = default;
};

// Callable from any number of threads.
class Organisations {
 public:
  // Makes the table `organisations`, with a stream, if there is none.
  static Result<Organisations> Open(const Database& database);

  // PutItem organisation.  kResourceInUse: it is there already.
  Status Create(const std::string& id, const std::string& name) const;
  // UpdateItem organisation.  kResourceNotFound: it is not there.
  Status Rename(const std::string& id, const std::string& name) const;

  // TransactWriteItems: Put the member and the membership, whose copy of the name is the one that
  // the organisation has when they are written: a ConditionCheck of nameVersion sees to that.
  // kResourceNotFound: there is no such organisation.
  Status AddMember(const std::string& id, const std::string& email) const;
  Status RemoveMember(const std::string& id, const std::string& email) const;

  // Query PK = user/<email>, begins_with(SK, userOrganisation/).  A name that has just been changed
  // may still be the old one.
  Result<std::vector<Membership>> MembershipsOf(const std::string& email) const;

  // Keeps the copies fresh for as long as the Subscription lives.  What is renamed while there is
  // none is made up for when there is one again, if that is within 30 days; later, its status()
  // says kTrimmedDataAccess until it is told to go on: Seek({.type =
  // ShardIteratorType::kTrimHorizon}).
  Result<Subscription> KeepNamesFresh(bool in_background = true) const;

  // What that does with a record of a rename.  A record may come more than once, and much later:
  // a membership that is gone stays gone, and one with a newer name keeps it.
  Status RefreshCopies(const StreamRecord& rename) const;

 private:
  Organisations(Database database, Table table);

  Database database_;
  Table table_;
};

}  // namespace dolmen::examples
