#include "database/statement/select_requests.h"

#include "database/statement/columns.h"

namespace dolmen::database {

SelectRequests::SelectRequests(const Statement& statement, const Parameters& parameters,
                               const ExecuteStatementInput& input, LoweredRead&& read)
    : statement_(statement), parameters_(parameters), input_(input), read_(std::move(read)) {}

GetItemInput SelectRequests::TakeGet() {
  return {.key = *std::move(read_.key),
          .projection = ProjectionOf(statement_),
          .consistent_read = input_.consistent_read,
          .options = input_.options};
}

QueryInput SelectRequests::Query(const NextPlace& place,
                                 const std::optional<std::uint32_t>& limit) const {
  QueryInput query;
  query.key_condition = KeyConditionExpression(shape().ranges[place.range], parameters_.encoded());
  Fill(place, limit, &query);
  query.forward = shape().forward;
  return query;
}

ScanInput SelectRequests::Scan(const NextPlace& place,
                               const std::optional<std::uint32_t>& limit) const {
  ScanInput scan;
  Fill(place, limit, &scan);
  return scan;
}

template <typename Input>
void SelectRequests::Fill(const NextPlace& place, const std::optional<std::uint32_t>& limit,
                          Input* request) const {
  request->index = statement_.index;
  request->limit = limit;
  request->exclusive_start_key = place.key;
  request->consistent_read = input_.consistent_read;
  request->options = input_.options;
  request->projection = ProjectionOf(statement_);
  if (shape().filter != nullptr) {
    request->filter = FilterExpression(shape().filter, parameters_.encoded());
  }
}

}  // namespace dolmen::database
