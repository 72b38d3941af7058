// Checks that the compiler rejects a hidden attribute of a nested struct.
// error: Hidden() needs an attribute of an entity outside its primary key
// error: hash

#include <dolmen/entity/definition.h>

#include <string>

namespace dolmen {

struct Login {
  std::string name = {};
  std::string hash = {};
};
constexpr auto DescribeAttributes(const Login*) {
  return DefineAttributes<Login>({Attribute<&Login::name>("name"),
#ifdef WRONG
                                  Attribute<&Login::hash>("hash").Hidden()
#else
                                  Attribute<&Login::hash>("hash")
#endif
  });
}

struct User {
  std::string id = {};
  Login login = {};
};
constexpr auto DescribeEntity(const User*) {
  return DefineEntity<User>("user",
                            {Attribute<&User::id>("userId"), Attribute<&User::login>("login")},
                            {PrimaryKey("USER#{userId}", "USER")});
}
static_assert(EntityName<User>() == "user");

}  // namespace dolmen
