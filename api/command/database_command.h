// The common parts of commands that work on a database, in a directory or on a service.

#pragma once

#include <string>

#include "command/command.h"
#include "command/endpoint.h"
#include "dolmen/database.h"

namespace dolmen::command {

// A database to open.
struct DatabaseWords {
  std::string path = {};
  std::string key_file = {};    // the file that holds its encryption key
  EndpointWords endpoint = {};  // if given, the service in place of `path`

  // Returns a text that names the database, for messages.
  std::string name() const { return endpoint.given() ? endpoint.name() : path; }
};

// Adds the required option --path, whose value must not be empty, and --encryption-key-file.
void AddDatabaseOptions(CLI::App* command, DatabaseWords* words);
// Adds the same options and those of AddEndpointOptions. The command line must have --path or one of
// the latter.
void AddDatabaseOrEndpointOptions(CLI::App* command, DatabaseWords* words);
// Adds the option --encryption-key-file.
CLI::Option* AddKeyFileOption(CLI::App* command, std::string* key_file);
// Adds the required option --table. Its value must not be empty.
CLI::Option* AddTableOption(CLI::App* command, std::string* table);
// Adds the option --overwrite, which replaces an existing output file (output_file.h).
void AddOverwriteOption(CLI::App* command, bool* overwrite);

// Returns true if the directory has the file by which Database::Open recognizes a database.
bool IsDatabase(const std::string& path);

// A database and one of its tables.
struct OpenedTable {
  Database database;
  Table table;
  TableDescription description;
};

// Open an existing database, or a table in an existing database, for reading only. The files in a
// directory stay unchanged byte for byte, and no other program may have the database open. The
// message of an error says what to do.
Result<Database> OpenDatabase(const DatabaseWords& words);
Result<OpenedTable> OpenTable(const DatabaseWords& words, const std::string& table,
                              ContentSizes sizes = ContentSizes::kOmit);

// Opens a database for writing: connects to the service, or opens the directory with the options, to
// which it adds the key. The message of an error says what to do.
Result<Database> OpenToWrite(const DatabaseWords& words, OpenOptions options);

// Replaces the message of an error of Database::Open by a message that says what to do.
Status DescribeOpenError(const std::string& path, const Status& status);
// Opens a table. If the table does not exist, the message of the error names the existing tables.
Result<OpenedTable> TableOf(Database database, const std::string& name,
                            ContentSizes sizes = ContentSizes::kOmit);

// Returns a failure with the message of `status`.
CommandResult FailureOf(const Status& status);

// Flushes standard output. Returns a failure if the output could not be written.
CommandResult FlushedOutput();

}  // namespace dolmen::command
