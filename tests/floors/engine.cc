#include "engine/engine.h"

#include "dolmen/database.h"

int main() {
#ifdef PLANTED
  // undefined: dolmen::Database::InMemory(
  if (dolmen::Database::InMemory().ok()) return 1;
#endif
  return dolmen::engine::Engine::InMemory({}).ok() ? 0 : 1;
}
