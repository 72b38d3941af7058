// Checks that the compiler warns of a view of the item in a temporary Result.
// error: will be destroyed at the end of the full-expression

#include <dolmen/dolmen.h>

namespace dolmen {

Result<StoredItem> Read();
void Show(ItemView item);

void ShowItem() {
#ifdef WRONG
  const ItemView item = Read()->view();
#else
  const Result<StoredItem> read = Read();
  const ItemView item = read->view();
#endif
  Show(item);
}

}  // namespace dolmen
