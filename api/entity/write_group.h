// Writes of entities together with the writes that the entities' declarations add to them.

#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "dolmen/entity/claims.h"
#include "dolmen/entity/request_sender.h"

namespace dolmen::entity {

// Returns true if the declaration of the written entity adds writes. Then the write must be sent by
// a WriteGroup.
bool AddsWrites(const PlannedWrite& write);

// Sends writes with what their declarations add, in one transaction: the claims of unique values, and the
// inverses of edges.
//
// A claim depends on the value that an item has before the write. The group reads this value first,
// and makes the write depend on it. If another writer changes the value in between, the group
// begins again.
//
// A value type. Several threads must not use one object at the same time.
class WriteGroup {
 public:
  // Sends all writes. A write of an entity with claims or inverses that adds none is sent alone, unless
  // `token` is given.
  //
  // The group keeps its plan, or PlannedWrite::sent. So a second call with the same writes and token sends
  // the same request, as long as it is up to date. REQUIRES: between two calls, writes are only appended.
  // - kValidation: with their additions, the writes are more than 100.
  // - kTransactionCanceled: reasons() has one status for each of the writes.
  // - kTransactionConflict: other writers changed the items during each of many attempts.
  Status Send(const RequestSender& sender, std::vector<PlannedWrite>* writes,
              const std::string& token);

 private:
  // The item on which a write depends, as it was before. Nothing: there was no item.
  struct Guard {
    std::size_t write = 0;
    std::optional<Item> before = {};
  };
  // The requests of the group: the writes, and then the additions.
  struct Plan {
    std::size_t write_count = 0;  // 0: there is no plan
    std::vector<PlannedWrite> requests = {};
    std::vector<std::size_t> causes = {};  // the writes that caused the additions
    std::size_t inverse_count = 0;         // the first additions; the others are claims
    std::vector<Guard> guards = {};
  };
  class Planner;

  // Checks that the plan fits into a transaction.
  Status CheckSize() const;
  // Sends the plan. If the table refuses a write that is sent alone, returns kTransactionCanceled.
  Status SendOnce(const RequestSender& sender, const std::string& token);
  // Returns true if a write was refused because the plan is out of date.
  Result<bool> IsOutdated(const RequestSender& sender, const std::vector<Status>& refusals);
  // Returns the refusals of the writes. The refusal of an addition becomes that of its cause.
  std::vector<Status> RefusalsOfWrites(const std::vector<Status>& refusals) const;

  Plan plan_;
  // The claims that belong to other items than those with their values, each with the latter.
  std::set<std::string> foreign_;
};

}  // namespace dolmen::entity
