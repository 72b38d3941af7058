#include "bench/sqlite_reader.h"

#include <string_view>

#include "dolmen/item_view.h"

namespace dolmen::bench {
namespace {

// Returns the SELECT statement for the table. The parameter `from` is the operator ">=" or ">",
// which compares the sort key with its lower bound.
std::string TableQuery(std::string_view from, bool forward) {
  return "SELECT sk, item FROM items WHERE pk = ?1 AND sk " + std::string(from) +
         " ?3 AND sk < ?4 ORDER BY sk " + (forward ? "ASC" : "DESC") + " LIMIT ?2";
}

std::string IndexQuery(const std::string& source, bool forward) {
  const std::string order = forward ? " ASC" : " DESC";
  return "SELECT gsi1sk, item FROM " + source + " WHERE gsi1pk = ?1 ORDER BY gsi1sk" + order +
         ", pk" + order + ", sk" + order + " LIMIT ?2";
}

// Appends the rows that a statement returns to `*rows`, and resets the statement.
Status ReadAll(sqlite3* db, SqliteStatement* statement, RowBuffer* rows) {
  int stepped = statement->Step();
  for (; stepped == SQLITE_ROW; stepped = statement->Step()) {
    rows->Append(statement->Column(0), statement->Column(1));
  }
  Status status;
  if (stepped != SQLITE_DONE) status = FromSqlite(db, "reading");
  statement->Reset();
  return status;
}

// Returns rows of the table. Replaces the SQLite keys by the encoded keys that Dolmen has for the
// same rows.
Answer RowsIn(const std::string& partition, const RowBuffer& rows) {
  Answer answer = rows.rows();
  for (StoredRow& row : answer) row.key = RowKeyOf(partition, row.key).bytes();
  return answer;
}

// Returns rows of the index. Replaces the SQLite keys by the encoded keys that Dolmen has for the
// same index entries.
Answer EntriesIn(const std::string& index_partition, const RowBuffer& rows) {
  Answer answer = rows.rows();
  for (StoredRow& row : answer) {
    KeyTexts keys = KeyTextsOf(*ItemView::Parse(row.item));
    keys.gsi1pk = index_partition;
    keys.gsi1sk = row.key;
    row.key = std::string(EntryKeyOf(keys).bytes());
  }
  return answer;
}

}  // namespace

SqliteReader::SqliteReader(sqlite3* db, const RangeShape& shape, const std::string& index_source)
    : db_(db),
      shape_(shape),
      sort_upper_(shape.sort_prefix),
      first_(db_, shape.index ? IndexQuery(index_source, shape.forward)
                              : TableQuery(">=", shape.forward)),
      next_(db_, TableQuery(">", shape.forward)) {
  if (!sort_upper_.empty()) ++sort_upper_.back();
}

Status SqliteReader::Ask(const std::string& partition) {
  partition_ = partition;
  return Read(shape_.sort_prefix, &first_);
}

Status SqliteReader::AskNext() {
  last_sort_ = rows_.last_key();
  return Read(last_sort_, &next_);
}

Answer SqliteReader::answer() const {
  return shape_.index ? EntriesIn(partition_, rows_) : RowsIn(partition_, rows_);
}

Status SqliteReader::Read(const std::string& sort_lower, SqliteStatement* statement) {
  rows_.Clear();
  statement->BindText(1, partition_);
  statement->BindInteger(2, shape_.limit > 0 ? sqlite3_int64{shape_.limit} : -1);
  if (!shape_.index) {
    statement->BindText(3, sort_lower);
    statement->BindText(4, sort_upper_);
  }
  return ReadAll(db_, statement, &rows_);
}

SqliteItemReader::SqliteItemReader(const SqliteStore& store)
    : db_(store.db()), statement_(db_, "SELECT sk, item FROM items WHERE pk = ?1 AND sk = ?2") {}

Status SqliteItemReader::Ask(const ItemKey& key) {
  rows_.Clear();
  partition_ = key.partition;
  statement_.BindText(1, partition_);
  statement_.BindText(2, key.sort);
  return ReadAll(db_, &statement_, &rows_);
}

Answer SqliteItemReader::answer() const { return RowsIn(partition_, rows_); }

}  // namespace dolmen::bench
