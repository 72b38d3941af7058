#include "command/import_documents.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "command/csv_lines.h"
#include "command/import_table.h"
#include "engine/base/status_macros.h"
#include "wire/json.h"
#include "wire/json_writer.h"

namespace dolmen::command {
namespace {

using wire::Json;
using wire::JsonArray;
using wire::JsonObject;

// Removes the spaces at the beginning of the text, and then `prefix`. Returns false if the text does
// not begin with it.
bool TakeToken(std::string_view prefix, std::string_view* text) {
  text->remove_prefix(std::min(text->find_first_not_of(" \t\r\n"), text->size()));
  if (!text->starts_with(prefix)) return false;
  text->remove_prefix(prefix.size());
  return true;
}

// Returns true if the text begins as an object whose first member is a list, or as a list. No item
// begins so, because the value of an attribute with its type is an object.
bool BeginsAsDocument(std::string_view text) {
  if (TakeToken("[", &text)) return TakeToken("{", &text);
  if (!TakeToken("{", &text) || !TakeToken("\"", &text)) return false;
  const std::size_t quote = text.find('"');
  if (quote == text.npos) return false;
  const std::string_view name = text.substr(0, quote);
  text.remove_prefix(quote + 1);
  if (!TakeToken(":", &text)) return false;
  if (name == "RequestItems") return TakeToken("{", &text);
  if (!TakeToken("[", &text)) return false;
  if (name == "Items") return true;
  return TakeToken("{", &text) &&
         (TakeToken("\"PutRequest\"", &text) || TakeToken("\"DeleteRequest\"", &text));
}

Result<std::string> ReadRest(LineReader* reader) {
  std::string text;
  for (;;) {
    DOLMEN_ASSIGN_OR_RETURN(const auto& line, reader->Next());
    if (!line) return text;
    text.append(*line).push_back('\n');
  }
}

void AppendLine(const Json& item, std::string* lines) {
  lines->append(R"({"Item":)").append(simdjson::minify(item)).append("}\n");
}

// Appends the items of the requests to write into one table.
Status AppendRequests(const JsonArray& requests, std::string* lines) {
  for (const Json request : requests) {
    const auto put = wire::Member(wire::ObjectOf(request), "PutRequest");
    const auto item = put ? wire::Member(wire::ObjectOf(*put), "Item") : std::nullopt;
    if (!item) {
      return Status::Validation(
          "a request of the batch has no PutRequest with an Item; an import only puts items");
    }
    AppendLine(*item, lines);
  }
  return {};
}

Status AppendDocument(const Json& document, std::string* lines) {
  if (document.is_array()) {
    for (const Json item : wire::ArrayOf(document)) AppendLine(item, lines);
    return {};
  }
  JsonObject members = wire::ObjectOf(document);
  if (const auto items = wire::Member(members, "Items"); items && items->is_array()) {
    for (const Json item : wire::ArrayOf(*items)) AppendLine(item, lines);
    return {};
  }
  if (const auto tables = wire::Member(members, "RequestItems")) members = wire::ObjectOf(*tables);
  if (members.size() != 1) {
    return Status::Validation("the batch must have the requests of one table, not of " +
                              std::to_string(members.size()));
  }
  for (const auto& table : members) {
    DOLMEN_RETURN_IF_ERROR(AppendRequests(wire::ArrayOf(table.value), lines));
  }
  return {};
}

Result<std::string> LinesOfJson(LineReader* reader) {
  DOLMEN_ASSIGN_OR_RETURN(const std::string& text, ReadRest(reader));
  simdjson::dom::parser parser;
  DOLMEN_ASSIGN_OR_RETURN(const Json document, wire::ParseJson(text, reader->name(), &parser));
  std::string lines;
  DOLMEN_RETURN_IF_ERROR(AppendDocument(document, &lines));
  return lines;
}

Result<std::string> LinesOfCsv(LineReader* reader) {
  DOLMEN_ASSIGN_OR_RETURN(auto header, ReadCsvRow(reader, ','));
  std::string lines;
  if (!header) return lines;
  std::vector<KeyAttribute> types;
  for (std::string& name : *header) {
    if (name.find(':') == name.npos) continue;
    DOLMEN_ASSIGN_OR_RETURN(KeyAttribute column, ParseKeyAttribute(name));
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
