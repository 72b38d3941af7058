// Checks that the compiler rejects a table in which a claim has the name of an entity.
// error: a claim has the name of an entity of the table
// error: email

#include <dolmen/entity/table_check.h>

#include <string>

namespace dolmen {

struct Email {
  std::string address = {};
};
constexpr auto DescribeEntity(const Email*) {
  return DefineEntity<Email>("primaryEmail", {Attribute<&Email::address>("address")},
                             {PrimaryKey("EMAIL#{address}", "EMAIL")})
      .AlsoNamed("email");
}

struct User {
  std::string id = {};
  std::string email = {};
};
constexpr auto DescribeEntity(const User*) {
  return DefineEntity<User>("user", {Attribute<&User::id>("id"), Attribute<&User::email>("email")},
                            {PrimaryKey("USER#{id}", "USER")})
#ifdef WRONG
      .Unique<&User::email>("email");
#else
      .Unique<&User::email>("emailClaim");
#endif
}
static_assert(CheckTable<User, Email>());

}  // namespace dolmen
