#include "dolmen/database.h"

#include "dolmen/entity/key_text.h"

int main() {
#ifdef PLANTED
  // undefined: dolmen::entity::IsDay(
  if (!dolmen::entity::IsDay("2026-04-15")) return 1;
#endif
  return dolmen::Database::InMemory().ok() ? 0 : 1;
}
