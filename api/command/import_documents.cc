#include "command/import_documents.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "command/csv_lines.h"
#include "engine/base/status_macros.h"
#include "wire/json.h"
#include "wire/json_text.h"
#include "wire/json_writer.h"

namespace dolmen::command {
namespace {

using Parts = std::vector<wire::JsonPart>;

bool IsOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

bool IsObject(const wire::JsonPart& part) { return part.value.starts_with('{'); }
bool IsArray(const wire::JsonPart& part) { return part.value.starts_with('['); }

bool IsListOfObjects(const wire::JsonPart& part) {
  const Parts elements = IsArray(part) ? wire::JsonParts(part.value) : Parts();
  return IsArray(part) && (elements.empty() || IsObject(elements.front()));
}

// Returns true if the members are those of a response with Items, or of the output of a tool that shows
// one. An item without types may have an attribute Items, but has others, too.
bool IsPage(const Parts& members) {
  const auto is_page_member = [](const wire::JsonPart& part) {
    if (part.name == "Items") return IsListOfObjects(part);
    return IsOneOf(part.name, {"Count", "ScannedCount", "LastEvaluatedKey", "ConsumedCapacity",
                               "NextToken", "ResponseMetadata", "$metadata"});
  };
  return std::ranges::all_of(members, is_page_member) &&
         std::ranges::find(members, "Items", &wire::JsonPart::name) != members.end();
}

// Returns true if the members are those of a request of BatchWriteItem.
bool IsBatchRequest(const Parts& members) {
  const auto is_batch_member = [](const wire::JsonPart& part) {
    if (part.name == "RequestItems") return IsObject(part);
    return IsOneOf(part.name, {"ReturnConsumedCapacity", "ReturnItemCollectionMetrics"});
  };
  return std::ranges::all_of(members, is_batch_member) &&
         std::ranges::find(members, "RequestItems", &wire::JsonPart::name) != members.end();
}

bool IsWriteRequest(const wire::JsonPart& element) {
  const Parts members = IsObject(element) ? wire::JsonParts(element.value) : Parts();
  return std::ranges::any_of(members, [](const wire::JsonPart& member) {
    return IsOneOf(member.name, {"PutRequest", "DeleteRequest"});
  });
}

// Returns true if each member is a table with requests to write, and one of them has a request.
bool IsTablesOfRequests(const Parts& tables) {
  bool has_request = false;
  for (const wire::JsonPart& table : tables) {
    if (!IsArray(table)) return false;
    const Parts requests = wire::JsonParts(table.value);
    if (requests.empty()) continue;
    if (!IsWriteRequest(requests.front())) return false;
    has_request = true;
  }
  return has_request;
}

// Returns true if the value at the beginning of `text` continues in the next line. A damaged line does not,
// because the next line then begins another value.
bool SpansLines(std::string_view text) {
  const std::string_view first = wire::FirstValue(text);
  const std::size_t end = first.find('\n');
  if (end == first.npos) return false;
  const std::size_t last = first.find_last_not_of(" \t\r\n", end);
  const std::string_view rest = wire::SkipSpace(first.substr(end));
  if (rest.empty() || IsOneOf(rest.substr(0, 1), {"}", "]", ",", ":"})) return true;
  const char before = first[last];
  return before == '[' || ((before == '{' || before == ',') && rest.starts_with('"'));
}

// Returns true if the text begins as JSON that is not one item in each line: a list, a value of several
// lines, a response with Items, or requests to write. The order of members does not matter.
bool BeginsAsDocument(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  text = wire::SkipSpace(text);
  if (text.starts_with('[')) return true;
  if (!text.starts_with('{')) return false;
  if (SpansLines(text)) return true;
  const Parts members = wire::JsonParts(text);
  return IsPage(members) || IsBatchRequest(members) || IsTablesOfRequests(members);
}

Result<std::string> ReadRest(LineReader* reader) {
  std::string text;
  for (;;) {
    DOLMEN_ASSIGN_OR_RETURN(const auto& line, reader->Next());
    if (!line) return text;
    text.append(*line).push_back('\n');
  }
}

// Appends JSON as a line, with the text of its numbers and strings as it is. So the line of an item is read,
// and refused, as any other.
void AppendLine(std::string_view json, std::string* lines) {
  const std::size_t begin = lines->size();
  lines->resize(begin + json.size());
  std::size_t size = 0;
  if (simdjson::minify(json.data(), json.size(), lines->data() + begin, size) !=
      simdjson::SUCCESS) {
    size = 0;  // not for JSON
  }
  lines->resize(begin + size);
  lines->push_back('\n');
}

void AppendItem(std::string_view item, std::string* lines) {
  AppendLine(R"({"Item":)" + std::string(item) + "}", lines);
}

void AppendItems(const Parts& items, std::string* lines) {
  for (const wire::JsonPart& item : items) AppendItem(item.value, lines);
}

// Returns the value of the member, or "".
std::string_view TextOf(const Parts& members, std::string_view name) {
  const auto found = std::ranges::find(members, name, &wire::JsonPart::name);
  return found == members.end() ? std::string_view() : found->value;
}

// Appends the items of the requests to write into one table.
Status AppendRequests(const Parts& requests, std::string* lines) {
  for (const wire::JsonPart& request : requests) {
    const std::string_view put = TextOf(wire::JsonParts(request.value), "PutRequest");
    const std::string_view item = TextOf(wire::JsonParts(put), "Item");
    if (item.empty()) {
      return Status::Validation(
          "a request of the batch has no PutRequest with an Item; an import only puts items");
    }
    AppendItem(item, lines);
  }
  return {};
}

Status AppendTables(const Parts& tables, std::string* lines) {
  if (tables.size() != 1) {
    return Status::Validation("the batch must have the requests of one table, not of " +
                              std::to_string(tables.size()));
  }
  return AppendRequests(wire::JsonParts(tables[0].value), lines);
}

// Appends the items of a value: those of a document, or the value as an item.
Status AppendDocument(std::string_view document, std::string* lines) {
  const Parts parts = wire::JsonParts(document);
  if (document.starts_with('[')) {
    AppendItems(parts, lines);
  } else if (IsPage(parts)) {
    AppendItems(wire::JsonParts(TextOf(parts, "Items")), lines);
  } else if (IsBatchRequest(parts)) {
    return AppendTables(wire::JsonParts(TextOf(parts, "RequestItems")), lines);
  } else if (IsTablesOfRequests(parts)) {
    return AppendTables(parts, lines);
  } else {
    AppendLine(document, lines);
  }
  return {};
}

// Checks that the text is JSON. Half of a surrogate pair is an error of the line of its item.
Status CheckJson(std::string_view text, const std::string& name) {
  simdjson::dom::parser parser;
  const Status parsed = wire::ParseJson(text, name, &parser).status();
  if (parsed.ok() || !wire::FindHalfSurrogate(text)) return parsed;
  return wire::ParseJson(wire::WithoutHalfSurrogates(text), name, &parser).status();
}

// Returns the items of one or more values, each in a line.
Result<std::string> LinesOfJson(LineReader* reader) {
  DOLMEN_ASSIGN_OR_RETURN(const std::string& text, ReadRest(reader));
  std::string lines;
  for (std::string_view rest = wire::SkipSpace(text); !rest.empty();) {
    const std::string_view value = wire::FirstValue(rest);
    DOLMEN_RETURN_IF_ERROR(CheckJson(value, reader->name()));
    DOLMEN_RETURN_IF_ERROR(AppendDocument(value, &lines));
    rest = wire::SkipSpace(rest.substr(value.size()));
  }
  return lines;
}

Result<std::string> LinesOfCsv(LineReader* reader) {
  DOLMEN_ASSIGN_OR_RETURN(auto header, ReadCsvRow(reader, ','));
  std::string lines;
  if (!header) return lines;
  std::vector<KeyAttribute> types;
  for (std::string& name : *header) {
    DOLMEN_ASSIGN_OR_RETURN(KeyAttribute column, CsvColumn(name));
    if (column.name == name) continue;  // without a type
    name = column.name;
    types.push_back(std::move(column));
  }
  const CsvItems items(*std::move(header), std::move(types));
  for (std::size_t number = 1;; ++number) {
    DOLMEN_ASSIGN_OR_RETURN(const auto& row, ReadCsvRow(reader, ','));
    if (!row) return lines;
    const Result<Item> item = items.ItemOf(*row);
    if (!item.ok()) {
      return Status::Validation(reader->name() + ": row " + std::to_string(number) + ": " +
                                item.status().message());
    }
    lines.append(R"({"Item":)");
    wire::JsonWriter(&lines).ItemAttributes(*item);
    lines.append("}\n");
  }
}

}  // namespace

Result<LineReader> LinesOfDocument(LineReader reader, std::string_view path) {
  if (path.ends_with(".gz")) path.remove_suffix(3);
  const bool csv = path.ends_with(".csv");
  if (!csv) {
    // Next returns the lines before an error, and then the error.
    const Result<std::string_view> beginning = reader.Peek();
    if (!beginning.ok() || !BeginsAsDocument(*beginning)) return reader;
  }
  DOLMEN_ASSIGN_OR_RETURN(const std::string& lines,
                          csv ? LinesOfCsv(&reader) : LinesOfJson(&reader));
  return LineReader::OfText(lines, reader.name());
}

}  // namespace dolmen::command
