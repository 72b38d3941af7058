// Checks that the compiler rejects an attribute value that is made of a long double.
// error: deleted

#include <dolmen/attribute_value.h>

namespace dolmen {

#ifdef WRONG
const AttributeValue kValue(0.1L);
#else
const AttributeValue kValue(0.1);
#endif

}  // namespace dolmen
