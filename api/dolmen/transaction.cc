#include "dolmen/transaction.h"

#include <utility>

namespace dolmen {

Transaction::Transaction(Database database, Table table)
    : database_(std::move(database)), table_(std::move(table)) {}

template <typename Action>
Transaction& Transaction::Add(Action action) {
  input_.actions.push_back({.table = table_, .action = std::move(action)});
  return *this;
}

Transaction& Transaction::In(Table table) {
  table_ = std::move(table);
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

Transaction& Transaction::ReturnCapacity(ReturnConsumedCapacity which) {
  input_.return_consumed_capacity = which;
  return *this;
}

Result<TransactWriteItemsOutput> Transaction::Commit() const {
  return database_.TransactWriteItems(input_);
}

}  // namespace dolmen
