#include "wire/alternator.h"

namespace dolmen::wire {

std::vector<std::string> OperationsThatAlternatorLacks() {
  return {
      // Transactions, and PartiQL.
      "TransactGetItems",
      "TransactWriteItems",
      "BatchExecuteStatement",
      "ExecuteStatement",
      "ExecuteTransaction",
      // Backups on demand, and recovery to a point in time.
      "CreateBackup",
      "DeleteBackup",
      "DescribeBackup",
      "ListBackups",
      "RestoreTableFromBackup",
      "DescribeContinuousBackups",
      "RestoreTableToPointInTime",
      "UpdateContinuousBackups",
      // Exports and imports.
      "DescribeExport",
      "ExportTableToPointInTime",
      "ListExports",
      "DescribeImport",
      "ImportTable",
      "ListImports",
      // Global tables.
      "CreateGlobalTable",
      "DescribeGlobalTable",
      "DescribeGlobalTableSettings",
      "ListGlobalTables",
      "UpdateGlobalTable",
      "UpdateGlobalTableSettings",
      // Contributor insights, and streams to Kinesis.
      "DescribeContributorInsights",
      "ListContributorInsights",
      "UpdateContributorInsights",
      "DescribeKinesisStreamingDestination",
      "DisableKinesisStreamingDestination",
      "EnableKinesisStreamingDestination",
      "UpdateKinesisStreamingDestination",
  };
}

}  // namespace dolmen::wire
