#include "dolmen/database.h"
#include "dolmen/design/picture.h"
#include "dolmen/design/workbench.h"

int main() {
#ifdef PLANTED
  // undefined: dolmen::WriteDataModel(
  if (dolmen::WriteDataModel(*dolmen::Database::InMemory(), {"app"}).ok()) return 1;
#endif
  return dolmen::PicturePage("", "").empty() ? 1 : 0;
}
