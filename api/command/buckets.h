// The folders of a directory as the buckets of exports and imports (wire/buckets.h).

#pragma once

#include <memory>
#include <string>

#include "dolmen/result.h"
#include "wire/buckets.h"

namespace dolmen::command {

// Opens the directory, which must exist. Each folder in it is a bucket. The folder `.dolmen` has the
// descriptions of exports and imports, and the logs of the items that an import has rejected.
// Neither an export nor an import leaves the folder of its bucket, and symbolic links below a bucket
// are not followed.
// - kValidation: `directory` is not a directory.
Result<std::shared_ptr<wire::Buckets>> OpenBuckets(const std::string& directory);

}  // namespace dolmen::command
