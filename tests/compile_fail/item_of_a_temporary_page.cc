// Checks that the compiler rejects a view of an item of a temporary page.
// error: deleted

#include <dolmen/query.h>

namespace dolmen {

QueryOutput Read();
void Show(ItemView item);

void ShowFirst() {
#ifdef WRONG
  Show(Read()[0]);
#else
  const QueryOutput page = Read();
  Show(page[0]);
#endif
}

}  // namespace dolmen
