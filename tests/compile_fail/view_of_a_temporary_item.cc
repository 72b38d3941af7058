// Checks that the compiler rejects a view of a temporary item.
// error: deleted

#include <dolmen/item_view.h>

namespace dolmen {

StoredItem Read();
void Show(ItemView item);

void ShowItem() {
#ifdef WRONG
  Show(Read().view());
#else
  const StoredItem item = Read();
  Show(item.view());
#endif
}

}  // namespace dolmen
