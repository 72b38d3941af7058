// A plug-in of an external project. host.cc loads it with dlopen.

#include <dolmen/dolmen.h>

extern "C" __attribute__((visibility("default"))) int CountTables() {
  const auto db = dolmen::Database::InMemory();
  if (!db || !db->CreateTable({.name = "app"})) return -1;
  const auto tables = db->ListTables();
  return tables ? static_cast<int>(tables->table_names.size()) : -1;
}
