// Checks that the compiler rejects a program that fills a page.
// error: incomplete type

#include <dolmen/query.h>

namespace dolmen {

void Fill(QueryOutput* page) {
#ifdef WRONG
  internal::PageWriter(page).Clear();
#else
  *page = {};
#endif
}

}  // namespace dolmen
