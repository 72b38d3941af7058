// The changes that a program in one of three versions (tests/entity/club.h) makes to the members of
// a club. All changes follow from the seed of the test, so that the parent of a killed process knows
// each change.

#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "dolmen/entity.h"

namespace dolmen::test {

// The number of threads that write. Each changes its own members: those with number % kWriters equal
// to its own number.
inline constexpr int kWriters = 2;

// The values of a member that all programs together have written.
struct ClubMember {
  std::string title = {};
  std::int64_t visits = 0;
  int level = 3;
  std::string badge = {};  // the words of the badge. "": no badge

  friend bool operator==(const ClubMember&, const ClubMember&) = default;
};
using Club = std::map<int, ClubMember>;

// A change that a thread makes.
struct ClubChange {
  enum class Kind : std::uint8_t { kVisit, kVisitByPut, kJoin, kPromote, kBadge, kRename };
  Kind kind = Kind::kVisit;
  int number = 0;  // of the member
  std::string text = {};
};

// Returns the change number `turn`, from 1, of a thread in the program `version`. `members` is the
// number of members at the start of the test.
ClubChange ChangeOf(std::uint64_t seed, int version, int writer, std::uint64_t turn, int members);

// Makes the change in the club.
void Apply(const ClubChange& change, Club* club);

// Makes the change in the table, with the entities of the version.
Status Write(const EntityTable& table, int version, const ClubChange& change);

// Returns true if a walk of the version has begun and not ended.
Result<bool> HasBegunWalk(const EntityTable& table, int version);

// Walks over the whole table once: Reindex in version 2, Reindex and Migrate in turn in version 3.
// Stores its position in the table. Resumes a walk that has begun.
// REQUIRES: `version` is 2 or 3
Status WalkOnce(const EntityTable& table, int version);

}  // namespace dolmen::test
