#include "wire/operations.h"

#include <algorithm>
#include <array>

#include "wire/account_operations.h"
#include "wire/auto_scaling_operations.h"
#include "wire/backup_operations.h"
#include "wire/batch_operations.h"
#include "wire/bulk_operations.h"
#include "wire/continuous_backup_operations.h"
#include "wire/contributor_insights_operations.h"
#include "wire/export_operations.h"
#include "wire/global_table_operations.h"
#include "wire/import_operations.h"
#include "wire/item_operations.h"
#include "wire/kinesis_operations.h"
#include "wire/query_operations.h"
#include "wire/resource_policy_operations.h"
#include "wire/restore_operations.h"
#include "wire/statement_operations.h"
#include "wire/stream_operations.h"
#include "wire/table_operations.h"
#include "wire/tag_operations.h"
#include "wire/time_to_live_operations.h"
#include "wire/transact_operations.h"
#include "wire/vector_operations.h"

namespace dolmen::wire {
namespace {

constexpr std::array kOperations = {
    &kGetItem,
    &kQuery,
    &kPutItem,
    &kUpdateItem,
    &kDeleteItem,
    &kTransactWriteItems,
    &kTransactGetItems,
    &kBatchGetItem,
    &kBatchWriteItem,
    &kScan,
    &kCreateTable,
    &kDescribeTable,
    &kListTables,
    &kUpdateTable,
    &kDeleteTable,
    &kTagResource,
    &kUntagResource,
    &kListTagsOfResource,
    &kUpdateTimeToLive,
    &kDescribeTimeToLive,
    &kDescribeLimits,
    &kDescribeEndpoints,
    &kListStreams,
    &kDescribeStream,
    &kGetShardIterator,
    &kGetRecords,
    &kDescribeContinuousBackups,
    &kExecuteStatement,
    &kUpdateContinuousBackups,
    &kCreateBackup,
    &kDescribeBackup,
    &kListBackups,
    &kDeleteBackup,
    &kRestoreTableFromBackup,
    &kRestoreTableToPointInTime,
    &kEnableKinesisStreamingDestination,
    &kDisableKinesisStreamingDestination,
    &kUpdateKinesisStreamingDestination,
    &kDescribeKinesisStreamingDestination,
    &kUpdateContributorInsights,
    &kDescribeContributorInsights,
    &kListContributorInsights,
    &kPutResourcePolicy,
    &kGetResourcePolicy,
    &kDeleteResourcePolicy,
    &kDescribeTableReplicaAutoScaling,
    &kUpdateTableReplicaAutoScaling,
    &kCreateGlobalTable,
    &kDescribeGlobalTable,
    &kUpdateGlobalTable,
    &kDescribeGlobalTableSettings,
    &kUpdateGlobalTableSettings,
    &kListGlobalTables,
    &kSearchVectors,
    &kBatchExecuteStatement,
    &kExecuteTransaction,
    &kExportTableToPointInTime,
    &kDescribeExport,
    &kListExports,
    &kImportTable,
    &kDescribeImport,
    &kListImports,
    &kStartBulkPutItems,
    &kDescribeBulkOperation,
    &kListBulkOperations,
    &kCancelBulkOperation,
};

}  // namespace

const Operation* FindOperation(std::string_view name) {
  const auto found =
      std::find_if(kOperations.begin(), kOperations.end(),
                   [&](const Operation* operation) { return operation->name == name; });
  return found != kOperations.end() ? *found : nullptr;
}

bool IsLong(std::string_view name) {
  const Operation* const operation = FindOperation(name);
  return operation != nullptr && operation->is_long;
}

}  // namespace dolmen::wire
