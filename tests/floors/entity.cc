#include "dolmen/design/picture.h"
#include "dolmen/entity/key_text.h"

int main() {
#ifdef PLANTED
  // undefined: dolmen::PicturePage(
  if (dolmen::PicturePage("", "").empty()) return 1;
#endif
  return dolmen::entity::IsDay("2026-04-15") ? 0 : 1;
}
