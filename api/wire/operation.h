// The form of DynamoDB's operations.

#pragma once

#include <memory>
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
};

}  // namespace dolmen::wire
