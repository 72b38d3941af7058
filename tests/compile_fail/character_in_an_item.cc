// Checks that the compiler rejects a character as the value of an attribute.
// error: FlatMap<

#include <dolmen/attribute_value.h>

namespace dolmen {

#ifdef WRONG
const Item kItem = {{"PK", "a"}, {"SK", 'M'}};
#else
const Item kItem = {{"PK", "a"}, {"SK", "M"}};
#endif

}  // namespace dolmen
