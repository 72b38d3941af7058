#include "dolmen/transaction.h"

#include <utility>

#include "dolmen/database.h"
#include "engine/backend.h"

namespace dolmen {

Transaction::Transaction(const Database& database, const TableRef& table)
    : backend_(database.backend()), table_(table) {}

template <typename Action>
Transaction& Transaction::Add(Action action) {
  input_.actions.push_back({.table = table_, .action = std::move(action)});
  return *this;
}

Transaction& Transaction::In(const TableRef& table) {
  table_ = table;
  return *this;
}

Transaction& Transaction::Put(PutItemInput action) { return Add(std::move(action)); }
Transaction& Transaction::Update(UpdateItemInput action) { return Add(std::move(action)); }
Transaction& Transaction::Delete(DeleteItemInput action) { return Add(std::move(action)); }
Transaction& Transaction::Check(ConditionCheckInput action) { return Add(std::move(action)); }

Transaction& Transaction::WithToken(std::string client_request_token) {
  input_.client_request_token = std::move(client_request_token);
  return *this;
}

Transaction& Transaction::WithOptions(RequestOptions options) {
  input_.options = options;
  return *this;
}

Result<TransactWriteItemsOutput> Transaction::Commit() const {
  return internal::Reach(backend_).TransactWriteItems(input_);
}

}  // namespace dolmen
