// Checks that the compiler rejects a query with a Partition and a KeyConditionExpression.
// error: initializer

#include <dolmen/query.h>

namespace dolmen {

#ifdef WRONG
const QueryInput kInput = {.key_condition = Partition("a"), .key_condition = "PK = :p"};
#else
const QueryInput kInput = {.key_condition = Partition("a")};
#endif

}  // namespace dolmen
