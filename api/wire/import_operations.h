// The operations on imports of new tables from a bucket.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataImport.HowItWorks.html

#pragma once

#include "wire/operation.h"

namespace dolmen::wire {

extern const Operation kImportTable;
extern const Operation kDescribeImport;
extern const Operation kListImports;

}  // namespace dolmen::wire
