// The requests of posts. A single post or reaction needs no function of its own:
//
//   table.Create(Post{.author_id = "ann", .text = "Dolmens are old"});
//   table.Find(Reaction{.post_id = id, .user_id = "ben"});
//   table.Remove(Reaction{.post_id = id, .user_id = "ben"});
//
// A function that lists entities returns the query. The caller reads it with All, Page or Count.

#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "models/patterns/posts/entities.h"

namespace dolmen::posts {

// Opens the table, and creates it if it does not exist. Its stream feeds CountReactions.
inline Result<EntityTable> Open(const Database& database, RequestObserver observer = {}) {
  return EntityTable::Open(
      database,
      {.name = "posts",
       .indexes = {"GSI1", "GSI2"},
       .stream_specification = StreamSpecification{.view_type = StreamViewType::kNewAndOldImages},
       .observer = std::move(observer)});
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
inline EntityQuery<Post, Comment, Reaction, ReactionCount> Thread(const EntityTable& table,
                                                                  const std::string& post_id) {
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
  const Status added =
      table.Update(ReactionCount{.post_id = reaction.post_id, .kind = reaction.kind})
          .Add<&ReactionCount::count>(number)
          .Set<&ReactionCount::counted_until>(record)
          .If(until.NotExists() || until < record)
          .OrCreate()
          .Commit()
          .status();
  return added.code() == StatusCode::kConditionalCheckFailed ? Status() : added;
}

// Begins or resumes the subscription that keeps the counts. The subscription counts a reaction soon
// after its write.
inline Result<Subscription> CountReactions(const EntityTable& table) {
  const auto count = [table](const EntityChange<Reaction>& change) {
    const std::string& record = change.record->sequence_number;
    const Status taken = change.before ? AddToCount(table, *change.before, -1, record) : Status();
    return taken.ok() && change.after ? AddToCount(table, *change.after, 1, record) : taken;
  };
  return table.Subscribe<Reaction>({.name = "reaction-counts"}, count);
}

}  // namespace dolmen::posts
