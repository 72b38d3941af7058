#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "models/demo/story.h"
#include "models/demo/tours.h"
#include "models/patterns/employment/employment.h"
#include "models/patterns/groups/groups.h"
#include "models/patterns/orders/orders.h"
#include "models/patterns/places/places.h"
#include "models/patterns/posts/posts.h"

namespace dolmen::demo {
namespace {

void ShowGroups(const EntityTable& table, Story* story) {
  story->Show(
      {"", "Groups: the groups of a user"}, [&] { return groups::GroupsOf(table, "u1").All(); },
      [](const std::vector<groups::UserGroup>& all) {
        Rows rows;
        for (const groups::UserGroup& one : all) {
          rows.push_back({one.group_id, "since " + ToIso8601(one.joined_at)});
        }
        return rows;
      });
  story->Show(
      {"", "Groups: who shares a group with u1? Two hops (DynamoDB: a request for each group)"},
      [&] { return groups::GetConnectionsOf(table, "u1"); },
      [](const auto& all) {
        Rows rows;
        for (const auto& [id, count] : all) rows.push_back({id, std::to_string(count) + " shared"});
        return rows;
      });
  story->Outcome({"", "Groups: join a group a second time"}, [&] {
    return groups::Join(table, {"u1", "g10"});
  });
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

void ShowEmployment(const EntityTable& table, Story* story) {
  story->Show(
      {"", "Employment: a user's jobs, newest first"},
      [&] { return employment::HistoryOf(table, "ann").All(); }, JobRows);
  story->Show(
      {"", "Employment: a company's former employees"},
      [&] { return employment::EmployeesOf(table, "acme", employment::JobStatus::kFormer).All(); },
      JobRows);
  story->Show(
      {"", "Employment: a user's current job, from a sparse index"},
      [&] { return employment::FindCurrentJob(table, "ann"); },
      [](const std::optional<employment::Job>& job) {
        return job ? JobRows({*job}) : Rows{{"none"}};
      });
}

void ShowOrders(const EntityTable& table, Story* story) {
  story->Show(
      {"", "Orders: an item with its returns"},
      [&] {
        return orders::ItemWithReturns(table, {"o1", "i100"}).Grouped();
      },
      [](const auto& found) {
        const auto& [items, returns] = found;
        Rows rows;
        for (const auto& item : items) rows.push_back({item.id, item.product});
        for (const auto& one : returns) rows.push_back({"  " + one.id, "  " + one.reason});
        return rows;
      });
  using orders::OrderStatus;
  story->Outcome({"", "Orders: cancel an order that is shipped"}, [&] {
    return orders::ChangeStatus(table, "o1", OrderStatus::kPlaced, OrderStatus::kCancelled);
  });
}

void ShowPlaces(const EntityTable& table, Story* story) {
  const places::Point here = {-23.566, -46.69};
  const auto rows = [&](const std::vector<places::Place>& all) {
    Rows made;
    for (const places::Place& place : all) {
      made.push_back({place.id, place.location.district, place.location.street, place.cell,
                      std::to_string(std::lround(places::Metres(here, place.point))) + " m"});
    }
    return made;
  };
  story->Show(
      {"", "Places: the places of a city"},
      [&] {
        return places::PlacesIn(table, {.country = "BR", .state = "SP", .city = "SaoPaulo"}).All();
      },
      rows);
  story->Show(
      {"", "Places: within 3 km, from nine cells (DynamoDB: nine requests)"},
      [&] { return places::FindNear(table, here, 3000); }, rows);
}

void ShowPosts(const EntityTable& table, Story* story) {
  const auto rows = [](const std::vector<posts::Post>& all) {
    Rows made;
    for (const posts::Post& post : all) {
      made.push_back({post.ulid, post.author_id, post.text, ToIso8601(post.created_at)});
    }
    return made;
  };
  story->Show(
      {"", "Posts: the feed of two days (DynamoDB: a request for each day)"},
      [&] {
        return posts::Feed(table, std::chrono::sys_days(std::chrono::April / 16 / 2026), 2).All();
      },
      rows);
  story->Show(
      {"", "Posts: an author's posts"}, [&] { return posts::PostsBy(table, "ann").All(); }, rows);
  story->Outcome({"", "Posts: count the reactions that the stream has recorded"}, [&] {
    return posts::CountReactions(table).and_then(
        [](Subscription counting) { return counting.Deliver(); });
  });
  story->Show(
      {"", "Posts: the counts, which a subscription keeps"},
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

Status ShowPatterns(const Database& database, ManualClock*, Page* page) {
  Story story(page, "Patterns: groups, employment, orders, places and posts");
  using Load = Status (*)(const EntityTable&);
  using Show = void (*)(const EntityTable&, Story*);
  const auto show = [&](const Result<EntityTable>& table, const TableDesign& design, Load load,
                        Show steps) {
    const Status status = table.ok() ? load(*table) : table.status();
    if (!status.ok()) return story.Fail(status);
    story.Draw(database, design);
    steps(*table, &story);
  };
  const RequestObserver watch = story.observer();
  show(groups::Open(database, watch), groups::Design(), groups::LoadSampleData, ShowGroups);
  show(employment::Open(database, watch), employment::Design(), employment::LoadSampleData,
       ShowEmployment);
  show(orders::Open(database, watch), orders::Design(), orders::LoadSampleData, ShowOrders);
  show(places::Open(database, watch), places::Design(), places::LoadSampleData, ShowPlaces);
  show(posts::Open(database, watch), posts::Design(), posts::LoadSampleData, ShowPosts);
  return story.PrintCosts().status();
}

}  // namespace dolmen::demo
