// DescribeLimits and DescribeEndpoints.

#include "wire/operation.h"

namespace dolmen::wire {
namespace {

constexpr Shape kEmptyInput = {.kind = Shape::Kind::kStructure};

// An account's own, as DynamoDB sets them at first.  None of them limits anything here.
Status RunDescribeLimits(const Context&, const JsonObject&, JsonWriter* response) {
  response->BeginObject();
  response->IntegerField("AccountMaxReadCapacityUnits", 80000);
  response->IntegerField("AccountMaxWriteCapacityUnits", 80000);
  response->IntegerField("TableMaxReadCapacityUnits", 40000);
  response->IntegerField("TableMaxWriteCapacityUnits", 40000);
  response->EndObject();
  return {};
}

// SDKs that discover endpoints, which they do if they are told to and have no endpoint URL, send
// all that follows to this address, by HTTPS.  Where this endpoint listens is not known here, and a
// real region's address would send a test's writes to AWS.  That of the region that is in the ARNs
// is nobody's: such a client fails at once, and says what it looked for.
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
