#include "engine/verify/verify.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/status_macros.h"
#include "engine/verify/key_text.h"
#include "engine/verify/report.h"
#include "engine/verify/salvaging_cursor.h"
#include "engine/verify/table_check.h"

namespace dolmen::engine {
namespace {

void CheckFiles(const Store& store, const std::vector<TableFile>& files, Report* report) {
  for (const TableFile& file : files) {
    if (report->is_stopped()) break;
    const Status read = store.CheckFile(file);
    if (!read.ok()) report->AddFinding({.message = read.message()});
    report->AddFinishedBytes(file.bytes);
    report->ReportProgress("", 0);
  }
}

Status CheckTable(const Store& store, const LiveTable& table, Report* report) {
  for (;;) {
    const TableSchema* const schema = table.schema();
    if (schema == nullptr) return {};
    const Snapshot snapshot(store);
    // The entries of a deleted index are purged only after the table has a new schema. If `schema`
    // is still current when the snapshot exists, the snapshot contains all entries of all indexes
    // in `schema`.
    if (table.schema() == schema) return TableCheck(store, snapshot, *schema, report).Run();
  }
}

}  // namespace

Result<VerifyOutput> Verify(const Store& store, std::span<const LiveTableRef> tables,
                            std::span<const std::string> backup_damage,
                            const VerifyProgressHandler& progress) {
  Report report(progress);
  for (const std::string& damage : backup_damage) report.AddFinding({.message = damage});
  const std::vector<TableFile> files = store.TableFiles();
  for (const TableFile& file : files) report.AddExpectedBytes(file.bytes);
  for (const LiveTableRef& table : tables) {
    const TableSchema* const schema = table->schema();
    if (schema != nullptr) report.AddExpectedBytes(BytesToCheck(store, *schema));
  }
  CheckFiles(store, files, &report);
  for (const LiveTableRef& table : tables) {
    if (report.is_stopped()) break;
    DOLMEN_RETURN_IF_ERROR(CheckTable(store, *table, &report));
  }
  return report.TakeOutput();
}

Status ReadUndamaged(const Store& store, const TableSchema& table, const ItemHandler& on_item,
                     const RepairLossHandler& on_loss) {
  const Snapshot snapshot(store);
  const auto on_gap = [&](const SalvagingCursor::Gap& gap) {
    on_loss({table.name, GapText("items", gap,
                                 [&](std::string_view key) { return KeyText(table.keys, key); })});
  };
  SalvagingCursor cursor(store, PrefixRange(EncodedKey(table.keyspace)), snapshot, on_gap,
                         [](const EncodedKey&) { return true; });
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
    if (std::optional<std::string> damage = FindRowDamage(table, cursor.key(), cursor.value())) {
      on_loss({table.name, *std::move(damage)});
      continue;
    }
    DOLMEN_ASSIGN_OR_RETURN(const ItemView item, ItemView::Parse(cursor.value()));
    DOLMEN_RETURN_IF_ERROR(on_item(item));
  }
  return cursor.status();
}

}  // namespace dolmen::engine
