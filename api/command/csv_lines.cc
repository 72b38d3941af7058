#include "command/csv_lines.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "command/text.h"
#include "database/base64.h"
#include "engine/base/status_macros.h"
#include "wire/attribute_json.h"

namespace dolmen::command {
namespace {

// Reads a cell in quotes from the beginning of `rest`, and removes it.
Result<std::string> TakeQuotedCell(std::string_view* rest) {
  std::string cell;
  rest->remove_prefix(1);
  for (;;) {
    const std::size_t quote = rest->find('"');
    if (quote == rest->npos) return Status::Validation("a double quote of the row is not closed");
    cell.append(rest->substr(0, quote));
    rest->remove_prefix(quote + 1);
    if (!rest->starts_with('"')) return cell;
    cell.push_back('"');
    rest->remove_prefix(1);
  }
}

Result<std::string> TakeCell(char delimiter, std::string_view* rest) {
  if (rest->starts_with('"')) return TakeQuotedCell(rest);
  std::string cell(rest->substr(0, rest->find(delimiter)));
  rest->remove_prefix(cell.size());
  if (cell.find('"') == cell.npos) return cell;
  return Status::Validation("a double quote stands inside the cell " + cell);
}

Result<AttributeValue> ValueOf(const std::string& cell, AttributeType type) {
  if (type == AttributeType::kN) {
    DOLMEN_ASSIGN_OR_RETURN(const Number number, Number::Parse(cell));
    return AttributeValue(number);
  }
  if (type == AttributeType::kS) return AttributeValue(cell);
  std::string bytes;
  DOLMEN_RETURN_IF_ERROR(internal::DecodeBase64(cell, &bytes));
  return AttributeValue(Binary(std::move(bytes)));
}

// Returns true for the name of a type in upper or lower case. Such a word after a colon is meant as a type,
// and every other word is a part of the name.
bool IsMeantAsType(std::string_view word) {
  std::string upper(word);
  std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return std::toupper(c); });
  return wire::IsTypeName(upper);
}

}  // namespace

Result<KeyAttribute> CsvColumn(const std::string& cell) {
  const std::size_t colon = cell.rfind(':');
  if (colon == cell.npos) return KeyAttribute{.name = cell};
  const std::string_view type = std::string_view(cell).substr(colon + 1);
  for (const AttributeType known : {AttributeType::kS, AttributeType::kN, AttributeType::kB}) {
    if (type == AttributeTypeName(known)) {
      return KeyAttribute{.name = cell.substr(0, colon), .type = known};
    }
  }
  if (!IsMeantAsType(type)) return KeyAttribute{.name = cell};
  return Status::Validation("the type of the column " + Printable(cell) +
                            " must be S, N or B, as in total:N");
}

Result<CsvRow> ParseCsvRow(std::string_view line, char delimiter) {
  CsvRow row;
  for (;;) {
    DOLMEN_ASSIGN_OR_RETURN(std::string cell, TakeCell(delimiter, &line));
    row.push_back(std::move(cell));
    if (line.empty()) return row;
    if (line.front() != delimiter) {
      return Status::Validation("a cell continues after its closing double quote");
    }
    line.remove_prefix(1);
  }
}

Result<std::optional<CsvRow>> ReadCsvRow(LineReader* reader, char delimiter) {
  std::string text;
  for (bool is_quoted = false;;) {
    DOLMEN_ASSIGN_OR_RETURN(const auto& line, reader->Next());
    if (!line && text.empty()) return std::optional<CsvRow>();
    if (!line) break;
    if (line->empty() && text.empty()) continue;
    if (text.size() + line->size() > LineReader::kLineBytesMax) {
      return Status::Validation("a row is too long: probably a double quote is missing");
    }
    text.append(*line);
    // After an odd number of quotes a cell continues in the next line.
    is_quoted ^= std::count(line->begin(), line->end(), '"') % 2 != 0;
    if (!is_quoted) break;
    text.push_back('\n');
  }
  DOLMEN_ASSIGN_OR_RETURN(CsvRow row, ParseCsvRow(text, delimiter));
  return std::optional(std::move(row));
}

Result<Item> CsvItems::ItemOf(const CsvRow& row) const {
  if (row.size() != header_.size()) {
    return Status::Validation("the row has " + std::to_string(row.size()) +
                              " cells, and the header " + std::to_string(header_.size()));
  }
  Item item;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const auto key = std::find_if(keys_.begin(), keys_.end(), [&](const KeyAttribute& attribute) {
      return attribute.name == header_[i];
    });
    if (key != keys_.end() && row[i].empty()) continue;
    const AttributeType type = key == keys_.end() ? AttributeType::kS : key->type;
    Result<AttributeValue> value = ValueOf(row[i], type);
    if (!value.ok()) {
      return Status::Validation(header_[i] + ": " + Printable(row[i]) + ": " +
                                value.status().message());
    }
    item.insert_or_assign(header_[i], *std::move(value));
  }
  return item;
}

}  // namespace dolmen::command
