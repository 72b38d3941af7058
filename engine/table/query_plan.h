// A Query, validated and bound: which keys to read, which items to keep, what to return of them.

#pragma once

#include <optional>
#include <string_view>

#include "dolmen/query.h"
#include "dolmen/status.h"
#include "engine/expression/placeholders.h"
#include "engine/expression/request_expression.h"
#include "engine/key/encoded_key.h"
#include "engine/key/key_codec.h"
#include "engine/table/table_schema.h"

namespace dolmen::engine {

// Borrows from the table's schema and from the request, which must outlive it.  Its parts borrow
// from each other: it stays where it is made.
struct QueryPlan {
  QueryPlan() = default;
  QueryPlan(const QueryPlan&) = delete;
  QueryPlan& operator=(const QueryPlan&) = delete;

  const TableSchema* table = nullptr;
  const IndexSchema* index = nullptr;  // null: the table itself
  KeyRange range;                      // what is left of it behind the start key

  std::optional<Placeholders> placeholders = {};
  RequestKeyCondition key_condition = {};
  RequestFilter filter = {};
  RequestProjection projection = {};

  const KeySchema& keys() const { return index != nullptr ? index->keys : table->keys; }
  KeyspaceId keyspace() const { return index != nullptr ? index->keyspace : table->keyspace; }
};

// Fills a fresh plan.  kValidation, with DynamoDB's messages, if the request is wrong.
Status PlanQuery(const TableSchema& table, const QueryInput& input, QueryPlan* plan);

}  // namespace dolmen::engine
