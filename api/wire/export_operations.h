// The operations on exports of tables to a bucket.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataExport.HowItWorks.html

#pragma once

#include "wire/operation.h"

namespace dolmen::wire {

extern const Operation kExportTableToPointInTime;
extern const Operation kDescribeExport;
extern const Operation kListExports;

}  // namespace dolmen::wire
