// A reader of CSV rows, in the form that DynamoDB's import accepts.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataImport.Format.html

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command/line_reader.h"
#include "dolmen/attribute_value.h"
#include "dolmen/create_table.h"
#include "dolmen/result.h"

namespace dolmen::command {

using CsvRow = std::vector<std::string>;

// Returns the name and the type of a column: total:N is a number, and time or time:stamp is a string, with
// the whole cell as its name.
// - kValidation: the word after the colon is a type that a cell cannot have, or is in lower case.
Result<KeyAttribute> CsvColumn(const std::string& cell);

// Splits a row at the delimiter. A cell may be in double quotes, in which a double quote is
// doubled.
// - kValidation: a quote stands inside a cell without quotes, or the last quote is missing.
Result<CsvRow> ParseCsvRow(std::string_view line, char delimiter);

// Reads the next row, and skips empty lines. A cell in quotes may contain line ends. Returns nothing
// at the end of the input.
// - kValidation: the row is invalid. The next call reads the next line.
// - The other errors of LineReader::Next.
Result<std::optional<CsvRow>> ReadCsvRow(LineReader* reader, char delimiter);

// A maker of items from rows. A column is a string, unless `keys` gives the type of an attribute of
// its name. An empty cell of a key attribute is left out, and every other empty cell is an empty
// string.
class CsvItems {
 public:
  CsvItems(CsvRow header, std::vector<KeyAttribute> keys)
      : header_(std::move(header)), keys_(std::move(keys)) {}

  // - kValidation: the row and the header differ in length, or a number or base64 is invalid. The message
  //   names the column and the cell.
  Result<Item> ItemOf(const CsvRow& row) const;

 private:
  CsvRow header_;
  std::vector<KeyAttribute> keys_;
};

}  // namespace dolmen::command
