#include "dolmen/database.h"
#include "http/uri.h"

int main() {
#ifdef PLANTED
  // undefined: dolmen::Database::InMemory(
  if (dolmen::Database::InMemory().ok()) return 1;
#endif
  return dolmen::http::PathOf("/?a") == "/" ? 0 : 1;
}
