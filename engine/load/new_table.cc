#include "engine/load/new_table.h"

#include <algorithm>
#include <string>

#include "dolmen/item_view.h"
#include "engine/base/status_macros.h"
#include "engine/write/index_upkeep.h"

namespace dolmen::engine {
namespace {

constexpr std::uint64_t kReportedBytes = std::uint64_t{1} << 20;

}  // namespace

Result<std::unique_ptr<NewTableRows>> NewTableRows::Begin(Store* store, const TableSchema& table) {
  const auto name = std::to_string(static_cast<std::uint32_t>(table.keyspace));
  DOLMEN_ASSIGN_OR_RETURN(auto load, TableLoad::Begin(store, name));
  return std::unique_ptr<NewTableRows>(new NewTableRows(table, std::move(load)));
}

Result<bool> NewTableRows::Finish(const CopyProgressHandler& progress) {
  written_max_ = std::max<std::uint64_t>(1, items_ * (1 + table_.indexes.size()));
  items_ = 0;
  Status written = rows_->ReadAll([&](std::string_view key, std::string_view bytes) -> Status {
    ++items_;
    DOLMEN_RETURN_IF_ERROR(AddEntries(bytes));
    return Append(key, bytes, progress);
  });
  rows_.reset();
  // The keyspaces of the indexes follow that of the rows.
  if (written.ok()) {
    written = entries_->ReadAll(
        [&](std::string_view key, std::string_view bytes) { return Append(key, bytes, progress); });
  }
  entries_.reset();
  if (!goes_on_) return false;
  DOLMEN_RETURN_IF_ERROR(written);
  DOLMEN_ASSIGN_OR_RETURN(files_, load_->Finish());
  written_ = written_max_;
  return Report(progress);
}

Status NewTableRows::AddEntries(std::string_view bytes) {
  if (table_.indexes.empty()) return {};
  DOLMEN_ASSIGN_OR_RETURN(const ItemView item, ItemView::Parse(bytes));
  for (const IndexSchema& index : table_.indexes) {
    IndexEntry entry;
    DOLMEN_ASSIGN_OR_RETURN(const bool has_entry, MakeEntry(table_, index, item, &entry));
    if (has_entry) DOLMEN_RETURN_IF_ERROR(entries_->Put(entry.key.bytes(), entry.bytes));
  }
  return {};
}

Status NewTableRows::Append(std::string_view key, std::string_view value,
                            const CopyProgressHandler& progress) {
  const bool reports = written_++ == 0 || written_bytes_ >= reported_bytes_ + kReportedBytes;
  if (reports && !Report(progress)) {
    goes_on_ = false;
    return Status::Validation("the progress handler ended the load");
  }
  written_bytes_ += key.size() + value.size();
  return load_->Append(key, value);
}

bool NewTableRows::Report(const CopyProgressHandler& progress) {
  reported_bytes_ = written_bytes_;
  const double fraction = static_cast<double>(written_) / static_cast<double>(written_max_);
  return !progress ||
         progress({.bytes_copied = written_bytes_, .fraction = std::min(1.0, fraction)});
}

Result<bool> CreateFilledTable(Store* store, Catalog* catalog, const CreateTableInput& input,
                               const FillTable& fill) {
  DOLMEN_ASSIGN_OR_RETURN(const TableSchema schema, catalog->Prepare(input));
  const auto create = [&]() -> Result<bool> {
    DOLMEN_ASSIGN_OR_RETURN(const auto rows, NewTableRows::Begin(store, schema));
    DOLMEN_ASSIGN_OR_RETURN(const bool complete, fill(schema, rows.get()));
    if (complete) DOLMEN_RETURN_IF_ERROR(catalog->Publish(schema, rows->files()));
    return complete;
  };
  const Result<bool> created = create();
  if (!created.ok() || !*created) catalog->Abandon(schema);
  return created;
}

}  // namespace dolmen::engine
