// The form of DynamoDB's operations, and the list of them.

#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "dolmen/database.h"
#include "dolmen/result.h"
#include "wire/buckets.h"
#include "wire/contributor_insights.h"
#include "wire/jobs.h"
#include "wire/json.h"
#include "wire/json_writer.h"
#include "wire/names.h"
#include "wire/restore_failures.h"
#include "wire/shape.h"

namespace dolmen::wire {

// The objects that operations work on, and their place in ARNs.
struct Context {
  const Database& database;
  Place place;
  const std::shared_ptr<Buckets>& buckets;  // of exports and imports; null: the server has none
  Jobs& jobs;
  const std::shared_ptr<RestoreFailures>& restore_failures;  // of the database
  const std::shared_ptr<ContributorInsights>& insights;      // of the database
  bool statement_additions;                                  // EndpointOptions::statement_additions
  std::string_view* exception;  // the name that Fail sets; empty: that of the status code
};

// Returns an error that the response reports as DynamoDB's exception `exception`. It is for
// exceptions that no StatusCode stands for, because no operation of Database or Table causes them.
inline Status Fail(const Context& context, std::string_view exception, std::string message) {
  *context.exception = exception;
  return Status::Validation(std::move(message));
}

// An operation: its name, the shape of its request, and the function that runs it.
struct Operation {
  std::string_view name;
  const Shape* input = nullptr;  // the shape of the request: a structure

  // Runs the operation. The types and constraints of `request` have been checked against the shape
  // `input`. Writes the whole response, which may be empty. After an error, the caller discards the
  // written text.
  Status (*run)(const Context& context, const JsonObject& request, JsonWriter* response) = nullptr;

  std::string_view missing_table =
      "ResourceNotFoundException";  // the exception for kResourceNotFound

  // True: the operation may take seconds, because it copies, links or deletes files, or reads or
  // writes a whole table.
  bool is_long = false;

  // The shape whose order and words messages have if the request lacks its last member,
  // or has a value that nests too deeply to parse. Null: `input`.
  const Shape* older_input = nullptr;
};

// Returns the operation with the given name, or null if it does not exist.
const Operation* FindOperation(std::string_view name);

// Returns true if the operation with the given name exists and may take seconds
// (Operation::is_long).
bool IsLong(std::string_view name);

// Return the operations of one subject, which are in the file of the same name: item_operations.cc.
std::span<const Operation> TableOperations();
std::span<const Operation> TagOperations();
std::span<const Operation> ItemOperations();
std::span<const Operation> QueryOperations();
std::span<const Operation> BatchOperations();
std::span<const Operation> TransactOperations();
std::span<const Operation> StatementOperations();
std::span<const Operation> StreamOperations();
std::span<const Operation> BackupOperations();
std::span<const Operation> RestoreOperations();
std::span<const Operation> ExportOperations();
std::span<const Operation> ImportOperations();
std::span<const Operation> BulkOperations();
std::span<const Operation> ContributorInsightsOperations();
std::span<const Operation> KinesisOperations();
std::span<const Operation> ResourcePolicyOperations();
std::span<const Operation> AutoScalingOperations();
std::span<const Operation> ConstantOperations();

}  // namespace dolmen::wire
