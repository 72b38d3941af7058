#include "remote/missing_operation.h"

#include <algorithm>
#include <initializer_list>
#include <string>

namespace dolmen::remote {
namespace {

bool IsOneOf(std::string_view operation, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, operation) != names.end();
}

std::string_view Instead(std::string_view operation) {
  if (operation == "TransactWriteItems") {
    return "Write the items one after the other, each with a condition. dolmen/entity.h lists the "
           "writes of entities that are transactions.";
  }
  if (operation == "TransactGetItems") {
    return "Read the items with BatchGetItem, which does not read one snapshot.";
  }
  if (operation.ends_with("Statement") || operation == "ExecuteTransaction") {
    return "It has no PartiQL: use the other functions of Table and Database.";
  }
  if (operation.ends_with("Backup") || operation.ends_with("Backups") ||
      operation == "RestoreTableToPointInTime") {
    return "Make and restore backups with the tools of the service.";
  }
  if (IsOneOf(operation, {"ListStreams", "DescribeStream", "GetShardIterator", "GetRecords"})) {
    return "Enable streams in the configuration of the service, or read the tables again.";
  }
  if (operation.ends_with("TimeToLive")) {
    return "Delete expired items in the program.";
  }
  return "Use a service that has it.";
}

}  // namespace

Status MissingOperation(std::string_view url, std::string_view operation) {
  return Status::UnknownOperation(std::string("The service ")
                                      .append(url)
                                      .append(" does not have the operation ")
                                      .append(operation)
                                      .append(". ")
                                      .append(Instead(operation)));
}

}  // namespace dolmen::remote
