// The requests that read the items of a SELECT.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "database/statement/lower/lower_read.h"
#include "database/statement/next_token.h"
#include "database/statement/parameters.h"
#include "database/statement/syntax/statement.h"
#include "dolmen/internal/lifetime.h"
#include "dolmen/query.h"
#include "dolmen/scan.h"
#include "dolmen/statement.h"

namespace dolmen::database {

// The requests of a lowered SELECT: one GetItem, or one Query for each range, or a Scan. A SELECT
// sends them, and EXPLAIN describes them. Borrows the statement, its parameters and the input. Const
// methods are thread-safe.
class SelectRequests {
 public:
  SelectRequests(const Statement& statement DOLMEN_LIFETIME_BOUND,
                 const Parameters& parameters DOLMEN_LIFETIME_BOUND,
                 const ExecuteStatementInput& input DOLMEN_LIFETIME_BOUND, LoweredRead&& read);

  const ReadShape& shape() const DOLMEN_LIFETIME_BOUND { return *read_.shape; }

  // Returns true if one GetItem reads the item.
  bool gets_item() const {
    return read_.key && shape().filter == nullptr && !input_.limit && input_.next_token.empty();
  }
  bool scans() const { return shape().ranges.empty(); }
  // The number of Queries, or 1 for a Scan.
  std::size_t count() const { return std::max<std::size_t>(shape().ranges.size(), 1); }

  // Returns the key of the item. REQUIRES: gets_item().
  const Item& key() const DOLMEN_LIFETIME_BOUND { return *read_.key; }
  // Returns the request, and moves the key into it. REQUIRES: gets_item().
  GetItemInput TakeGet();
  // Returns the request that continues at the place. REQUIRES: !scans().
  QueryInput Query(const NextPlace& place, const std::optional<std::uint32_t>& limit) const;
  // REQUIRES: scans().
  ScanInput Scan(const NextPlace& place, const std::optional<std::uint32_t>& limit) const;

 private:
  template <typename Input>
  void Fill(const NextPlace& place, const std::optional<std::uint32_t>& limit,
            Input* request) const;

  const Statement& statement_;
  const Parameters& parameters_;
  const ExecuteStatementInput& input_;
  LoweredRead read_;
};

}  // namespace dolmen::database
