#include "models/examples/sqlite_report.h"

#include <sqlite3.h>

#include <memory>
#include <string>

#include "models/examples/member_rows.h"

namespace dolmen::examples {
namespace {

using Connection = std::shared_ptr<sqlite3>;

constexpr const char* kCreate =
    "CREATE TABLE IF NOT EXISTS member (organisation TEXT, name TEXT, email TEXT, groups TEXT, "
    "accepted_at TEXT, PRIMARY KEY (organisation, email))";
// In a removed row only the key counts.
constexpr const char* kStore =
    "INSERT OR REPLACE INTO member VALUES (?1, ?2, ?3, ?4, NULLIF(?5, ''))";
constexpr const char* kRemove = "DELETE FROM member WHERE organisation = ?1 AND email = ?3";

// Runs a statement with the columns as its parameters. Binds those that the statement has.
Status Run(const Connection& sqlite, const char* sql, const MemberRow& row) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(sqlite.get(), sql, -1, &statement, nullptr) == SQLITE_OK) {
    const auto columns = row.columns();
    const int parameters = sqlite3_bind_parameter_count(statement);
    for (int i = 0; i < parameters; ++i) {
      sqlite3_bind_text(statement, i + 1, columns[static_cast<std::size_t>(i)].c_str(), -1,
                        SQLITE_TRANSIENT);
    }
    sqlite3_step(statement);
  }
  if (sqlite3_finalize(statement) == SQLITE_OK && sqlite3_errcode(sqlite.get()) == SQLITE_OK)
    return {};
  return Status::Storage(std::string("SQLite: ") + sqlite3_errmsg(sqlite.get()));
}

}  // namespace

Result<Subscription> KeepMembersInSqlite(const Database& database,
                                         const std::filesystem::path& file) {
  sqlite3* opened = nullptr;
  const int outcome = sqlite3_open(file.c_str(), &opened);
  const Connection sqlite(opened, sqlite3_close);
  if (outcome != SQLITE_OK) return Status::Storage("SQLite cannot open " + file.string());
  if (Status created = Run(sqlite, kCreate, {}); !created.ok()) return created;
  return SubscribeToMembers(database, "members in SQLite",
                            [sqlite](const MemberRow& row, const StreamRecord& record) {
                              return Run(sqlite, record.new_image ? kStore : kRemove, row);
                            });
}

}  // namespace dolmen::examples
