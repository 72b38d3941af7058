// BatchWriteItem. The writes that the service leaves unprocessed are sent again, until ten requests in
// turn have written nothing. The writes that are left then are in the output. With
// ConnectOptions::attempts_max = 1 no write is sent again.

#pragma once

#include "dolmen/batch.h"
#include "dolmen/result.h"
#include "remote/service.h"

namespace dolmen::remote {

// Contract: Database::BatchWriteItem. After an error, some of the writes may have been done.
// REQUIRES: the tables belong to the service.
Result<BatchWriteItemOutput> BatchWrite(const Service& service, const BatchWriteItemInput& input);

}  // namespace dolmen::remote
