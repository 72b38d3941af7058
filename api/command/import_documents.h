// Inputs of an import that are not lines of JSON: JSON documents and CSV.

#pragma once

#include "command/line_reader.h"
#include "dolmen/result.h"

namespace dolmen::command {

// Returns a reader of item lines in place of a reader of a document, and every other reader
// unchanged. It reads a whole document into memory, and makes one line of each item, in the order of
// the document. These inputs are documents:
// - the output of `aws dynamodb scan` or `query`: {"Items":[...],...}
// - the input of `aws dynamodb batch-write-item`: {"app":[{"PutRequest":{"Item":...}},...]}
// - a JSON list of items
// - CSV, in a file *.csv or *.csv.gz. A cell of the header is a name, or a name and a type as in
//   "n:N". A column without a type is a string. An empty cell of a column with a type is left out.
// `path` is the path of the input, for its suffix.
// - kValidation: the document is damaged, has a DeleteRequest, or has items of several tables.
// - The errors of LineReader::Next.
// REQUIRES: no line has been read.
Result<LineReader> LinesOfDocument(LineReader reader, std::string_view path);

}  // namespace dolmen::command
