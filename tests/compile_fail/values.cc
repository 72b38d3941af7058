// Checks that the compiler rejects characters and doubles where they would become wrong values.
//
// An attribute value that is made of a long double.
// wrong value_of_a_long_double: TEST_VALUE=0.1L
// right: TEST_VALUE=0.1
// error: deleted
//
// An attribute value that is made of a character in UTF-8.
// wrong value_of_a_character: TEST_VALUE=u8'x'
// right: TEST_VALUE="x"
// error: no matching
//
// A double that converts to a Number without FromDouble.
// wrong number_of_a_double: TEST_NUMBER=0.1
// right: TEST_NUMBER=*Number::FromDouble(0.1)
// error: deleted
//
// A Number that is made of a character.
// wrong number_of_a_character: TEST_NUMBER='M'
// right: TEST_NUMBER=77
// error: no matching
//
// A character as the value of an attribute.
// wrong character_in_an_item: TEST_MEMBER='M'
// error: FlatMap<

#include <dolmen/attribute_value.h>

namespace dolmen {

#ifndef TEST_VALUE
#define TEST_VALUE 0.1
#endif
#ifndef TEST_NUMBER
#define TEST_NUMBER 77
#endif
#ifndef TEST_MEMBER
#define TEST_MEMBER "M"
#endif

const AttributeValue kValue(TEST_VALUE);
const Number kNumber(TEST_NUMBER);
const Item kItem = {{"PK", "a"}, {"SK", TEST_MEMBER}};

}  // namespace dolmen
