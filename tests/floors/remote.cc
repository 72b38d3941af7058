#include "dolmen/database.h"
#include "dolmen/entity/key_text.h"
#include "dolmen/open_options.h"
#include "server/service.h"

int main() {
#ifdef PLANTED
  // undefined: dolmen::server::IsLong(
  if (dolmen::server::IsLong({})) return 1;
  // undefined: dolmen::entity::IsDay(
  if (!dolmen::entity::IsDay("2026-04-15")) return 1;
#endif
  return dolmen::Database::Connect({.endpoint = "no URL"}).ok() ? 1 : 0;
}
