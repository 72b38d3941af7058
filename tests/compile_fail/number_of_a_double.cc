// Checks that the compiler rejects a double that converts to a Number without FromDouble.
// error: deleted

#include <dolmen/number.h>

namespace dolmen {

#ifdef WRONG
const Number kNumber(0.1);
#else
const Number kNumber = *Number::FromDouble(0.1);
#endif

}  // namespace dolmen
