// The tables of a remote database: their definitions, and the operations on tables.

#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "dolmen/create_table.h"
#include "dolmen/describe_table.h"
#include "dolmen/list_tables.h"
#include "dolmen/result.h"
#include "dolmen/time_to_live.h"
#include "dolmen/update_table.h"
#include "engine/base/mutex.h"
#include "remote/remote_table.h"
#include "remote/service.h"

namespace dolmen::remote {

// The identity of a table. ScyllaDB gives the present time as `created_at`.
struct TableIdentity {
  std::string id = {};
  Timestamp created_at = {};
  // The newest stream when the identity was read, and its retention. They are not part of the identity.
  std::string stream_arn = {};
  std::chrono::milliseconds stream_retention = StreamSpecification().retention;
};

// The tables that a database has opened, by name. A service has no place for hide_expired of a time to
// live, so it is the tag "dolmen:hide-expired" of the table. If the service has no tags, this object
// remembers it. Thread-safe.
class Tables {
 public:
  explicit Tables(const Service& service) : service_(service) {}

  // Contracts: the operations of Database of the same name. Create waits until the table and its
  // indexes are ready. Delete waits until the table is gone.
  Result<std::shared_ptr<RemoteTable>> Create(const CreateTableInput& input);
  Result<std::shared_ptr<RemoteTable>> Open(std::string_view name);
  Result<TableDescription> Describe(std::string_view name);
  Result<ListTablesOutput> List(const ListTablesInput& input);
  Result<TableDescription> Update(const UpdateTableInput& input);
  Status Delete(std::string_view name);
  Result<TimeToLiveSpecification> UpdateTimeToLive(const UpdateTimeToLiveInput& input);
  Result<TimeToLiveDescription> DescribeTimeToLive(std::string_view name);

  // Returns the identity of the table, which a later table of the same name does not have.
  Result<TableIdentity> Identify(std::string_view name);
  // Waits until the table, whose creation was requested, is ACTIVE. DescribeTable may not know it for
  // some seconds.
  Status WaitForNewTable(std::string_view name);
  // Waits until the table is ACTIVE and no index is being built.
  Status WaitUntilReady(std::string_view name);
  // Reads the definition of the table again and replaces that of the open table, if it is open.
  Status Refresh(std::string_view name);

 private:
  Result<TableDescription> Read(std::string_view name, std::string* arn);
  Result<TimeToLiveDescription> ReadTimeToLive(std::string_view name, const std::string& arn);
  Result<bool> HasHideTag(const std::string& arn);
  Status SetHideTag(const std::string& arn, bool hides);
  Result<std::shared_ptr<const TableDefinition>> ReadDefinition(std::string_view name);

  const Service& service_;
  std::atomic<std::uint64_t> next_read_ = 0;
  Mutex mutex_;
  std::map<std::string, std::shared_ptr<RemoteTable>, std::less<>> open_ DOLMEN_GUARDED_BY(mutex_);
  // The ARNs of tables that hide expired items, on a service without tags.
  std::set<std::string> hidden_without_tag_ DOLMEN_GUARDED_BY(mutex_);
};

}  // namespace dolmen::remote
