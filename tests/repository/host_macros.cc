// A program with the macros of X11, Windows and Qt. It uses the API behind them, and has its macros afterwards.

#include "host_macros.h"
// The macros come first.
#include <dolmen/dolmen.h>
#include <dolmen/entity.h>
#include <dolmen/testing/simulate.h>
#include <dolmen/testing/test_database.h>
#include <dolmen/wire.h>

#include <type_traits>

// A program calls its macros as before, so dolmen::Status has no name here: `auto` names it, and a program that needs
// the name says #undef Status behind its last header of X11.
static_assert(std::is_same_v<Status, int> && Always == 2 && I == 1 && max(1, 2) == 2);
static_assert(min(1, 2) == 1 && None == 0L && ERROR == 0);

int main() {
  const auto db = dolmen::Database::InMemory({.simulate = dolmen::Simulate({})});
  if (!db.ok()) return 1;
  const auto table = db->CreateTable({.name = "app"});
  if (!table.ok()) return 1;
  const auto put = table->PutItem({.item = {{"PK", "a"}, {"SK", "b"}}});
  if (put.status().code() != dolmen::StatusCode::kOk) return 1;
  for (const dolmen::ItemView item : table->ScanAll({})) {
    if (item.bytes().empty()) return 1;
  }
  const auto subscription = table->Subscribe(
      {.name = "s"}, [&](const dolmen::StreamRecord&) { return db->CheckWritable(); });
  return subscription.status().ok() ? 0 : 1;
}

#undef Status

dolmen::Status Check(const dolmen::Database& db) { return db.CheckWritable(); }
