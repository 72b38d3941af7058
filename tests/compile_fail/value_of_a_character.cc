// Checks that the compiler rejects an attribute value that is made of a character in UTF-8.
// error: no matching

#include <dolmen/attribute_value.h>

namespace dolmen {

#ifdef WRONG
const AttributeValue kValue(u8'x');
#else
const AttributeValue kValue("x");
#endif

}  // namespace dolmen
