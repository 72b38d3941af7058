#include "tests/evolution/evolution_writer.h"

#include "engine/base/status_macros.h"
#include "tests/entity/club.h"
#include "tests/support/random.h"

namespace dolmen::test {
namespace {

using evolution::v2::Badge;
using Kind = ClubChange::Kind;
using Member1 = evolution::v1::Member;
using Member2 = evolution::v2::Member;
using Member3 = evolution::v3::Member;

// The position of the walks of a version, so that the next process resumes them.
struct WalkPosition {
  int version = 0;
  std::string cursor = {};  // of the current walk. "": it has not begun
  int ended = 0;            // the number of walks that have ended
};
constexpr auto DescribeEntity(const WalkPosition*) {
  return DefineEntity<WalkPosition>(
      "walk",
      {Attribute<&WalkPosition::version>("version"), Attribute<&WalkPosition::cursor>("cursor"),
       Attribute<&WalkPosition::ended>("ended")},
      {PrimaryKey("WALK#{version}", "POSITION")});
}

Result<WalkPosition> FindPosition(const EntityTable& table, int version) {
  DOLMEN_ASSIGN_OR_RETURN(const auto stored, table.Find(WalkPosition{.version = version}));
  return stored.value_or(WalkPosition{.version = version});
}

// Counts a visit by reading and putting the whole member.
template <typename Member>
Status PutVisit(const EntityTable& table, int number) {
  DOLMEN_ASSIGN_OR_RETURN(Member member, table.Get(Member{.number = number}));
  ++member.visits;
  return table.Put(std::move(member)).status();
}

// Makes a change that the entities of all versions can make.
template <typename Member>
Status WriteShared(const EntityTable& table, const ClubChange& change, Member joined) {
  const Member key = {.number = change.number};
  switch (change.kind) {
    case Kind::kVisit:
      return table.Update(key, Changes<Member>().template Add<&Member::visits>(1)).status();
    case Kind::kVisitByPut:
      return PutVisit<Member>(table, change.number);
    default:
      return table.Put(std::move(joined)).status();
  }
}

template <typename Member>
Status Promote(const EntityTable& table, int number) {
  return table.Update(Member{.number = number}, Changes<Member>().template Add<&Member::level>(1))
      .status();
}

}  // namespace

ClubChange ChangeOf(std::uint64_t seed, int version, int writer, std::uint64_t turn, int members) {
  Random random(seed + turn * kWriters + static_cast<std::uint64_t>(writer));
  constexpr std::size_t kKinds[] = {3, 5, 6};  // the number of changes that each version knows
  ClubChange change;
  change.kind = static_cast<Kind>(random.Below(kKinds[version - 1]));
  const auto place = static_cast<int>(random.Below(static_cast<std::size_t>(members / kWriters)));
  change.number = place * kWriters + writer;
  if (change.kind == Kind::kJoin) {
    change.number = members + static_cast<int>(turn) * kWriters + writer;
  }
  change.text = "text " + std::to_string(turn);
  return change;
}

void Apply(const ClubChange& change, Club* club) {
  ClubMember& member = (*club)[change.number];
  if (change.kind == Kind::kVisit || change.kind == Kind::kVisitByPut) ++member.visits;
  if (change.kind == Kind::kPromote) ++member.level;
  if (change.kind == Kind::kBadge) member.badge = change.text;
  if (change.kind == Kind::kJoin || change.kind == Kind::kRename) member.title = change.text;
}

Status Write(const EntityTable& table, int version, const ClubChange& change) {
  const int number = change.number;
  if (change.kind == Kind::kBadge) {
    return table.Put(Badge{.member = number, .words = change.text}).status();
  }
  if (change.kind == Kind::kRename) {
    return table
        .Update(Member3{.number = number}, Changes<Member3>().Set<&Member3::title>(change.text))
        .status();
  }
  if (change.kind == Kind::kPromote) {
    return version == 2 ? Promote<Member2>(table, number) : Promote<Member3>(table, number);
  }
  if (version == 1) {
    return WriteShared(table, change, Member1{.number = number, .name = change.text});
  }
  if (version == 2) {
    return WriteShared(table, change, Member2{.number = number, .name = change.text});
  }
  return WriteShared(table, change, Member3{.number = number, .title = change.text});
}

Result<bool> HasBegunWalk(const EntityTable& table, int version) {
  DOLMEN_ASSIGN_OR_RETURN(const WalkPosition position, FindPosition(table, version));
  return !position.cursor.empty();
}

Status WalkOnce(const EntityTable& table, int version) {
  DOLMEN_ASSIGN_OR_RETURN(WalkPosition position, FindPosition(table, version));
  const bool migrates = version == 3 && position.ended % 2 == 1;
  const MigrateOptions options = {
      .from = position.cursor, .share = 1, .on_progress = [&](const MigrationProgress& progress) {
        position.cursor = progress.cursor;
        if (position.cursor.empty()) ++position.ended;
        return table.Put(position).status();
      }};
  DOLMEN_ASSIGN_OR_RETURN(const MigrationProgress progress,
                          version == 2 ? table.Reindex<Member2>(options)
                          : migrates   ? table.Migrate<Member3>(evolution::v3::SetShelf, options)
                                       : table.Reindex<Member3>(options));
  return progress.failures.empty() ? Status() : progress.failures.front();
}

}  // namespace dolmen::test
