#include "models/demo/patterns_tour.h"

#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "models/demo/print.h"
#include "models/demo/step.h"
#include "models/patterns/designs.h"
#include "models/patterns/employment/employment.h"
#include "models/patterns/groups/groups.h"
#include "models/patterns/orders/orders.h"
#include "models/patterns/places/places.h"
#include "models/patterns/posts/posts.h"

namespace dolmen::demo {
namespace {

Status ShowGroups(const RequestLog& log, const EntityTable& table) {
  Status status = ShowStep(
      log, {"", "Groups: the groups of a user"},
      [&] { return groups::GroupsOf(table, "u1").All(); },
      [](const std::vector<groups::UserGroup>& all) {
        Rows rows;
        for (const groups::UserGroup& one : all) {
          rows.push_back({one.group_id, "since " + ToIso8601(one.joined_at)});
        }
        return rows;
      });
  if (!status.ok()) return status;
  status = ShowStep(
      log,
      {"", "Groups: who shares a group with u1? Two hops (DynamoDB: a request for each group)"},
      [&] { return groups::GetConnectionsOf(table, "u1"); },
      [](const auto& all) {
        Rows rows;
        for (const auto& [id, count] : all) rows.push_back({id, std::to_string(count) + " shared"});
        return rows;
      });
  ShowOutcome(log, {"", "Groups: join a group a second time"}, [&] {
    return groups::Join(table, {"u1", "g10"});
  });
  return status;
}

Rows JobRows(const std::vector<employment::Job>& jobs) {
  Rows rows;
  for (const employment::Job& job : jobs) {
    rows.push_back({job.id.user_id, job.id.company_id, job.title,
                    "from " + ToIso8601(job.id.started_at),
                    job.ended_at ? "to " + ToIso8601(*job.ended_at) : "current"});
  }
  return rows;
}

Status ShowEmployment(const RequestLog& log, const EntityTable& table) {
  Status status = ShowStep(
      log, {"", "Employment: a user's jobs, newest first"},
      [&] { return employment::HistoryOf(table, "ann").All(); }, JobRows);
  if (!status.ok()) return status;
  status = ShowStep(
      log, {"", "Employment: a company's former employees"},
      [&] { return employment::EmployeesOf(table, "acme", employment::JobStatus::kFormer).All(); },
      JobRows);
  if (!status.ok()) return status;
  return ShowStep(
      log, {"", "Employment: a user's current job, from a sparse index"},
      [&] { return employment::FindCurrentJob(table, "ann"); },
      [](const std::optional<employment::Job>& job) {
        return job ? JobRows({*job}) : Rows{{"none"}};
      });
}

Status ShowOrders(const RequestLog& log, const EntityTable& table) {
  const Status status = ShowStep(
      log, {"", "Orders: an item with its returns"},
      [&] { return orders::ItemWithReturns(table, "o1", "i100").Grouped(); },
      [](const auto& found) {
        const auto& [items, returns] = found;
        Rows rows;
        for (const auto& item : items) rows.push_back({item.id, item.product});
        for (const auto& one : returns) rows.push_back({"  " + one.id, "  " + one.reason});
        return rows;
      });
  using orders::OrderStatus;
  ShowOutcome(log, {"", "Orders: cancel an order that is shipped"}, [&] {
    return orders::ChangeStatus(table, "o1", OrderStatus::kPlaced, OrderStatus::kCancelled);
  });
  return status;
}

Status ShowPlaces(const RequestLog& log, const EntityTable& table) {
  const places::Point here = {-23.566, -46.69};
  const auto rows = [&](const std::vector<places::Place>& all) {
    Rows made;
    for (const places::Place& place : all) {
      made.push_back({place.id, place.location.district, place.location.street, place.cell,
                      std::to_string(std::lround(places::Metres(here, place.point))) + " m"});
    }
    return made;
  };
  const Status status = ShowStep(
      log, {"", "Places: the places of a city"},
      [&] {
        return places::PlacesIn(table, {.country = "BR", .state = "SP", .city = "SaoPaulo"}).All();
      },
      rows);
  if (!status.ok()) return status;
  return ShowStep(
      log, {"", "Places: within 3 km, from nine cells (DynamoDB: nine requests)"},
      [&] { return places::FindNear(table, here, 3000); }, rows);
}

Status ShowPosts(const RequestLog& log, const EntityTable& table) {
  const auto rows = [](const std::vector<posts::Post>& all) {
    Rows made;
    for (const posts::Post& post : all) {
      made.push_back({post.ulid, post.author_id, post.text, ToIso8601(post.created_at)});
    }
    return made;
  };
  Status status = ShowStep(
      log, {"", "Posts: the feed of two days (DynamoDB: a request for each day)"},
      [&] {
        return posts::Feed(table, std::chrono::sys_days(std::chrono::April / 16 / 2026), 2).All();
      },
      rows);
  if (!status.ok()) return status;
  status = ShowStep(
      log, {"", "Posts: an author's posts"}, [&] { return posts::PostsBy(table, "ann").All(); },
      rows);
  if (!status.ok()) return status;
  const auto counted = posts::CountReactions(table).and_then(
      [](Subscription counting) { return counting.Deliver(); });
  if (!counted.ok()) return counted.status();
  return ShowStep(
      log, {"", "Posts: the counts, which a subscription keeps"},
      [&] { return posts::CountsOf(table, "p1").All(); },
      [](const std::vector<posts::ReactionCount>& all) {
        Rows made;
        for (const posts::ReactionCount& one : all) {
          made.push_back(
              {one.kind == posts::Kind::kLike ? "like" : "laugh", std::to_string(one.count)});
        }
        return made;
      });
}

}  // namespace

Status ShowPatterns(const std::filesystem::path& directory) {
  PrintTitle("Patterns", directory.string());
  const Result<Database> opened = Database::Open(directory);
  if (!opened.ok()) return opened.status();
  const Database& database = *opened;
  const RequestLog log;
  using Load = Status (*)(const EntityTable&);
  using Show = Status (*)(const RequestLog&, const EntityTable&);
  const auto show = [&](const Result<EntityTable>& table, Load load, Show steps) {
    if (!table.ok()) return table.status();
    const Status loaded = load(*table);
    return loaded.ok() ? steps(log, *table) : loaded;
  };
  const auto watch = log.observer();
  Status status = show(groups::Open(database, watch), groups::LoadSampleData, ShowGroups);
  if (!status.ok()) return status;
  status = show(employment::Open(database, watch), employment::LoadSampleData, ShowEmployment);
  if (!status.ok()) return status;
  status = show(orders::Open(database, watch), orders::LoadSampleData, ShowOrders);
  if (!status.ok()) return status;
  status = show(places::Open(database, watch), places::LoadSampleData, ShowPlaces);
  if (!status.ok()) return status;
  return show(posts::Open(database, watch), posts::LoadSampleData, ShowPosts);
}

}  // namespace dolmen::demo
