// Checks that the compiler rejects a Number that is made of a character.
// error: no matching

#include <dolmen/number.h>

namespace dolmen {

#ifdef WRONG
const Number kNumber('M');
#else
const Number kNumber(77);
#endif

}  // namespace dolmen
