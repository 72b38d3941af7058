// The request of `dolmen query`, built from its command line.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dolmen/create_table.h"
#include "dolmen/describe_table.h"
#include "dolmen/query.h"
#include "dolmen/scan.h"

namespace dolmen::command {

// The arguments of `dolmen query`. sort_equals holds values for the first sort keys of the table or
// index. The other members with the prefix sort_ are range conditions, of which at most one may be
// given. The range condition applies to the first sort key without a value in sort_equals.
struct QueryWords {
  std::string index = {};
  std::vector<std::string> partition = {};  // a value per key attribute; empty: a scan
  std::vector<std::string> sort_equals = {};
  std::vector<std::string> sort_begins_with = {};
  std::vector<std::string> sort_between = {};  // the lower and the upper bound
  std::vector<std::string> sort_less = {};
  std::vector<std::string> sort_at_most = {};
  std::vector<std::string> sort_greater = {};
  std::vector<std::string> sort_at_least = {};
  std::string filter = {};
  std::string names = {};   // JSON: {"#s": "status"}
  std::string values = {};  // DynamoDB JSON: {":one": {"N": "1"}}
  bool reverse = false;
};

// Converts a word to the type of the key: a string as given, a number, or a binary from Base64.
// - kValidation: the word cannot be converted.
Result<AttributeValue> KeyValue(const KeyAttribute& key, const std::string& word);

// Returns the Query for the arguments, with a KeyConditionExpression.
// - kValidation: the arguments do not suit the keys of the table or index, or JSON is invalid. The
//   message names the option.
//
// REQUIRES: !words.partition.empty()
Result<QueryInput> QueryOf(const TableDescription& table, const QueryWords& words);

// Returns the Scan for arguments without a partition.
// - kValidation: the arguments have a condition on the sort key, or an order. A scan supports
//   neither.
Result<ScanInput> ScanOf(const TableDescription& table, const QueryWords& words);

}  // namespace dolmen::command
