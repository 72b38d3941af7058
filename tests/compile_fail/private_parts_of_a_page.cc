// Checks that the compiler rejects a program that changes the results of a page.
// error: private

#include <dolmen/query.h>

namespace dolmen {

void Fill(QueryOutput* page) {
#ifdef WRONG
  page->count_ = 1;
#else
  *page = {};
#endif
}

}  // namespace dolmen
