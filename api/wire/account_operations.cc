#include "wire/account_operations.h"

#include "wire/operation.h"

namespace dolmen::wire {
namespace {

constexpr Shape kEmptyInput = {.kind = Shape::Kind::kStructure};

// Writes the limits that a new AWS account has. Dolmen enforces none of them.
Status RunDescribeLimits(const Context&, const JsonObject&, JsonWriter* response) {
  response->BeginObject();
  response->IntegerField("AccountMaxReadCapacityUnits", 80000);
  response->IntegerField("AccountMaxWriteCapacityUnits", 80000);
  response->IntegerField("TableMaxReadCapacityUnits", 40000);
  response->IntegerField("TableMaxWriteCapacityUnits", 40000);
  response->EndObject();
  return {};
}

// Writes an endpoint address that does not resolve. An SDK with endpoint discovery and without an
// endpoint URL sends all later requests to this address by HTTPS. Dolmen does not know its own
// address, and the address of a real region would send a test's writes to AWS. With this address
// the client fails at once, and its error names the address.
Status RunDescribeEndpoints(const Context&, const JsonObject&, JsonWriter* response) {
  response->BeginObject();
  response->Key("Endpoints");
  response->BeginArray();
  response->BeginObject();
  response->StringField("Address", "dynamodb.ddblocal.amazonaws.com");
  response->IntegerField("CachePeriodInMinutes", 1440);
  response->EndObject();
  response->EndArray();
  response->EndObject();
  return {};
}

}  // namespace

const Operation kDescribeLimits = {"DescribeLimits", &kEmptyInput, RunDescribeLimits};
const Operation kDescribeEndpoints = {"DescribeEndpoints", &kEmptyInput, RunDescribeEndpoints};

}  // namespace dolmen::wire
