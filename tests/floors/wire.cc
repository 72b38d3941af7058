#include "dolmen/wire.h"

#include "dolmen/entity/key_text.h"
#include "http/uri.h"

int main() {
#ifdef PLANTED
  // undefined: dolmen::entity::IsDay(
  if (!dolmen::entity::IsDay("2026-04-15")) return 1;
  // undefined: dolmen::http::PathOf(
  if (dolmen::http::PathOf("/?a").empty()) return 1;
#endif
  const dolmen::Endpoint endpoint(*dolmen::Database::InMemory());
  return endpoint.Execute("ListTables", "{}").status == 200 ? 0 : 1;
}
