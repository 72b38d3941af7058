// An open table of a remote database.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/describe_table.h"
#include "dolmen/result.h"
#include "dolmen/table_ref.h"
#include "dolmen/time_to_live.h"
#include "engine/base/mutex.h"
#include "remote/hidden_items.h"

namespace dolmen::remote {

// The definition of a table when it was last read from the service. Immutable.
struct TableDefinition {
  TableDescription table;
  TimeToLiveDescription time_to_live;
  std::string arn;
  std::uint64_t read_number = 0;  // the order in which the reads of definitions began

  // Returns the items that are hidden from a request at the time `now`; nothing if the request sees all
  // items. `asked` is RequestOptions::hide_expired.
  std::optional<HiddenItems> HiddenFrom(const std::optional<bool>& asked, Timestamp now) const;

  // Returns the names of the table's key attributes.
  std::vector<std::string> TableKeys() const;
  // Returns the names of the key attributes of the index and of the table, each once. The partition
  // key of the index comes first, then its sort key. "" is the table itself. Empty: no such index.
  std::vector<std::string> KeysOf(std::string_view index) const;
};

// A table. Its definition is replaced when it changes. Thread-safe.
class RemoteTable final : public internal::TableState {
 public:
  RemoteTable(std::string name, std::shared_ptr<const TableDefinition> definition)
      : name_(std::move(name)), definition_(std::move(definition)) {}

  const std::string& name() const override { return name_; }

  std::shared_ptr<const TableDefinition> definition() const {
    const MutexLock lock(mutex_);
    return definition_;
  }
  // Does nothing if the definition is older than the present one.
  void Replace(std::shared_ptr<const TableDefinition> definition) {
    const MutexLock lock(mutex_);
    if (definition->read_number > definition_->read_number) definition_ = std::move(definition);
  }

 private:
  const std::string name_;
  mutable Mutex mutex_;
  std::shared_ptr<const TableDefinition> definition_ DOLMEN_GUARDED_BY(mutex_);
};

// Returns the table of a reference that belongs to a remote database.
inline RemoteTable& TableOf(const TableRef& table) {
  return static_cast<RemoteTable&>(*table.state());
}

}  // namespace dolmen::remote
