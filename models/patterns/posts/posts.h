// The requests of posts. A single post or reaction needs no function of its own:
//
//   table.Create(Post{.author_id = "ann", .text = "Dolmens are old"});
//   table.Find(Reaction{.post_id = id, .user_id = "ben"});
//   table.Remove(Reaction{.post_id = id, .user_id = "ben"});
//
// A function that lists entities returns the query. The caller reads it with All, Page or Count.

#pragma once

#include <dolmen/entity/describe.h>

#include "models/patterns/posts/entities.h"

namespace dolmen::posts {

// Opens the table, and creates it if it does not exist. Its stream feeds CountReactions.
inline Result<EntityTable> Open(const Database& database, RequestObserver observer = {}) {
  EntityTableInput input = {.name = "posts", .indexes = {"GSI1", "GSI2"}};
  input.stream_specification = {.view_type = StreamViewType::kNewAndOldImages};
  input.observer = std::move(observer);
  return EntityTable::Open(database, input);
}

// Adds a comment to a post. Stores a user's reaction to a post in place of an earlier one.
// TransactWriteItems: Put, and ConditionCheck of the post.
inline Status AddComment(const EntityTable& table, const Comment& comment) {
  return table.Transact().Create(comment).Require(Post{.ulid = comment.post_id}).Commit();
}
inline Status React(const EntityTable& table, const Reaction& reaction) {
  return table.Transact().Put(reaction).Require(Post{.ulid = reaction.post_id}).Commit();
}

// Returns the query of a post with its comments, reactions and counts; its Grouped returns a vector of
// each. Query PK = POST#<id>.
inline auto Thread(const EntityTable& table, const std::string& post_id) {
  return table.Query<Post, Comment, Reaction, ReactionCount>().With<&Post::ulid>(post_id);
}

// Returns the query of a post's comments, newest first. Query PK = POST#<id>, begins_with(SK,
// COMMENT#), ScanIndexForward = false.
inline EntityQuery<Comment> CommentsOn(const EntityTable& table, const std::string& post_id) {
  return table.Query<Comment>().With<&Comment::post_id>(post_id).Backward();
}

// Returns the query of a post's reactions. Query PK = POST#<id>, begins_with(SK, REACTION#).
inline EntityQuery<Reaction> ReactionsTo(const EntityTable& table, const std::string& post_id) {
  return table.Query<Reaction>().With<&Reaction::post_id>(post_id);
}

// Returns the query of a post's counts, one for each kind of reaction. Query PK = POST#<id>,
// begins_with(SK, COUNT#).
inline EntityQuery<ReactionCount> CountsOf(const EntityTable& table, const std::string& post_id) {
  return table.Query<ReactionCount>().With<&ReactionCount::post_id>(post_id);
}

// Returns the query of an author's posts, newest first. Query GSI2 with GSI2PK = AUTHOR#<id>,
// ScanIndexForward = false.
inline EntityQuery<Post> PostsBy(const EntityTable& table, const std::string& author_id) {
  return table.Query<Post>("GSI2").With<&Post::author_id>(author_id).Backward();
}

// Returns the query of the posts of `days` days, at most 100, newest first. The last of them is the
// day of `at` in UTC. Its Page runs across the days. One Query of GSI1 reads the partitions POSTS#<day>
// and merges their posts; DynamoDB needs a Query for each day.
inline EntityQuery<Post> Feed(const EntityTable& table, Timestamp at, int days) {
  std::vector<Timestamp> each;
  for (int i = 0; i < days; ++i) each.push_back(at - std::chrono::days(i));
  return table.Query<Post>("GSI1").WithEach<&Post::created_at>(each).Backward();
}

// Adds to the count of the reaction's kind, unless the record is counted already: a subscription can
// pass a record twice. UpdateItem with a condition on countedUntil.
inline Status AddToCount(const EntityTable& table, const Reaction& reaction, int number,
                         const std::string& record) {
  const AttrOf<&ReactionCount::counted_until> until;
  return table.Update(ReactionCount{.post_id = reaction.post_id, .kind = reaction.kind})
      .Add<&ReactionCount::count>(number)
      .Set<&ReactionCount::counted_until>(record)
      .If(until.NotExists() || until < record)
      .OrCreate()
      .CommitIgnoring(StatusCode::kConditionalCheckFailed);
}

// Begins or resumes the subscription that keeps the counts. With `in_background` a thread counts a reaction
// soon after its write. Otherwise Subscription::Deliver counts it.
inline Result<Subscription> CountReactions(const EntityTable& table, bool in_background = true) {
  const auto count = [table](const EntityChange<Reaction>& change) {
    const std::string& record = change.record->sequence_number;
    const Status taken = change.before ? AddToCount(table, *change.before, -1, record) : Status();
    return taken.ok() && change.after ? AddToCount(table, *change.after, 1, record) : taken;
  };
  return table.Subscribe<Reaction>({.name = "reaction-counts", .in_background = in_background},
                                   count);
}

// Returns the design of the table. README.md shows it, and a test compares them
// (tests/models/readme_test.cc).
inline TableDesign Design() {
  return Describe<Post, Comment, Reaction, ReactionCount>(
      "posts", {AccessPattern("A post", "Get").With<&Post::ulid>(),
                AccessPattern("The comments on a post, newest first", "CommentsOn")
                    .With<&Comment::post_id>()
                    .SortedBy<&Comment::ulid>(),
                AccessPattern("The reactions to a post", "ReactionsTo").With<&Reaction::post_id>(),
                AccessPattern("The counts of a post", "CountsOf").With<&ReactionCount::post_id>(),
                AccessPattern("A user's reaction to a post", "Find").WithKey<Reaction>(),
                AccessPattern("The posts of a day, newest first", "Feed")
                    .With<&Post::created_at>()
                    .SortedBy<&Post::ulid>(),
                AccessPattern("An author's posts, newest first", "PostsBy")
                    .With<&Post::author_id>()
                    .SortedBy<&Post::ulid>()});
}

// Stores sample data: three posts on two days, with comments and reactions to the first one. A second
// call stores the same items again, so it undoes changes of them.
inline Status LoadSampleData(const EntityTable& table) {
  using namespace std::chrono;
  constexpr sys_days kFirst = 2026y / 4 / 15;
  EntityTransaction load = table.Transact();
  load.Put(Post{"p1", "ann", "Dolmens are old", kFirst + 10h});
  load.Put(Post{"p2", "ben", "So are menhirs", kFirst + 12h});
  load.Put(Post{"p3", "ann", "Good morning", kFirst + 32h});
  load.Put(Comment{"p1", "c1", "ben", "How old?"}).Put(Comment{"p1", "c2", "cat", "Very"});
  load.Put(Reaction{"p1", "ben", Kind::kLaugh}).Put(Reaction{"p1", "cat", Kind::kLike});
  return load.Commit();
}

}  // namespace dolmen::posts
