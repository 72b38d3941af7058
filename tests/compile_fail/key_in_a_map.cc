// Checks that the compiler rejects InKeyOnly() in a struct that is stored as a map. A map has no
// key.
// error: a nested struct has no key for InKeyOnly()

#include <dolmen/entity/definition.h>

#include <string>

namespace dolmen {

struct Address {
  std::string city = {};
};

#ifdef WRONG
constexpr AttributeOf<Address> kCity = Attribute<&Address::city>("city").InKeyOnly();
#else
constexpr AttributeOf<Address> kCity = Attribute<&Address::city>("city");
#endif

constexpr auto DescribeAttributes(const Address*) { return DefineAttributes<Address>({kCity}); }
static_assert(AttributeCodec<Address>::kNested.attributes.size() == 1);

}  // namespace dolmen
