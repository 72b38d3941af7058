#include "tests/evolution/evolution_writer.h"

#include "dolmen/internal/status_macros.h"
#include "tests/entity/club.h"
#include "tests/support/random.h"

namespace dolmen::test {
namespace {

using evolution::v2::Badge;
using Kind = ClubChange::Kind;
using Member1 = evolution::v1::Member;
using Member2 = evolution::v2::Member;
using Member3 = evolution::v3::Member;

// The position of a walk, so that the next process resumes it.
struct WalkPosition {
  std::string walk = {};
  std::string cursor = {};
};
constexpr auto DescribeEntity(const WalkPosition*) {
  return DefineEntity<WalkPosition>(
      "walk", {Attribute<&WalkPosition::walk>("walk"), Attribute<&WalkPosition::cursor>("cursor")},
      {PrimaryKey("WALK#{walk}", "POSITION")});
}

// Calls `run` with options that resume the walk and store its position after each page.
template <typename Run>
Status Resume(const EntityTable& table, const std::string& walk, const Run& run) {
  DOLMEN_ASSIGN_OR_RETURN(const auto stored, table.Find(WalkPosition{.walk = walk}));
  const MigrateOptions options = {
      .from = stored ? stored->cursor : "",
      .share = 1,
      .on_progress = [&](const MigrationProgress& progress) {
        return table.Put(WalkPosition{.walk = walk, .cursor = progress.cursor}).status();
      }};
  DOLMEN_ASSIGN_OR_RETURN(const MigrationProgress progress, run(options));
  return progress.failures.empty() ? Status() : progress.failures.front();
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

Status WalkOnce(const EntityTable& table, int version) {
  if (version == 1) return {};
  if (version == 2) {
    return Resume(table, "reindex2",
                  [&](const MigrateOptions& options) { return table.Reindex<Member2>(options); });
  }
  DOLMEN_RETURN_IF_ERROR(Resume(table, "reindex3", [&](const MigrateOptions& options) {
    return table.Reindex<Member3>(options);
  }));
  return Resume(table, "migrate3", [&](const MigrateOptions& options) {
    return table.Migrate<Member3>(evolution::v3::SetShelf, options);
  });
}

}  // namespace dolmen::test
