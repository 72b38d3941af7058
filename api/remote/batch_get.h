// BatchGetItem. The keys that the service leaves unprocessed are sent again, until ten requests in
// turn have read nothing. The keys that are left then are in the output. With
// ConnectOptions::attempts_max = 1 no key is sent again.

#pragma once

#include "dolmen/batch.h"
#include "dolmen/result.h"
#include "remote/service.h"

namespace dolmen::remote {

// Contract: Database::BatchGetItem. The items are not read from one snapshot.
// REQUIRES: the tables belong to the service.
Result<BatchGetItemOutput> BatchGet(const Service& service, const BatchGetItemInput& input);

}  // namespace dolmen::remote
