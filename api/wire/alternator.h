// The operations that ScyllaDB's Alternator does not have, as its documentation lists them.
// https://docs.scylladb.com/manual/stable/alternator/compatibility.html

#pragma once

#include <string>
#include <vector>

namespace dolmen::wire {

// Returns the names of operations of DynamoDB that Alternator does not have, for
// EndpointOptions::without. Alternator also ignores some members of requests, which an endpoint with
// these options executes.
std::vector<std::string> OperationsThatAlternatorLacks();

}  // namespace dolmen::wire
