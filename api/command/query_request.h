// What `dolmen query` asks for, out of the words of a command line.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dolmen/query.h"
#include "dolmen/scan.h"
#include "dolmen/tables.h"

namespace dolmen::command {

// At most one of the conditions on the sort key but sort_equals, which may give the first ones of
// an index with several.
struct QueryWords {
  std::string index = {};
  std::vector<std::string> partition = {};  // a value for each attribute of the key; none: a scan
  std::vector<std::string> sort_equals = {};
  std::vector<std::string> sort_begins_with = {};
  std::vector<std::string> sort_between = {};  // two
  std::vector<std::string> sort_less = {};
  std::vector<std::string> sort_at_most = {};
  std::vector<std::string> sort_greater = {};
  std::vector<std::string> sort_at_least = {};
  std::string filter = {};
  std::string names = {};   // JSON: {"#s": "status"}
  std::string values = {};  // DynamoDB JSON: {":one": {"N": "1"}}
  bool reverse = false;
};

// A key's value of the type that the key has: a string as it is, a number, a binary in Base64.
// kValidation: it is none of that type.
Result<AttributeValue> KeyValue(const KeyAttribute& key, const std::string& word);

// The Query for the words, whose conditions are a KeyConditionExpression.  kValidation, naming the
// option: they don't fit the keys of table or index, or the JSON is none.
// REQUIRES: !words.partition.empty()
Result<QueryInput> QueryOf(const TableDescription& table, const QueryWords& words);

// The Scan, if there is no partition.  kValidation: there are conditions on the sort key, or an
// order, which a scan has not.
Result<ScanInput> ScanOf(const TableDescription& table, const QueryWords& words);

}  // namespace dolmen::command
