// Posts with comments, reactions and their counts, all in the post's partition.
//
// A reaction's key holds the user, so a user has at most one reaction to a post, and a new reaction
// replaces the old one. GSI1 lists posts by day, so a partition stops growing when its day ends. GSI2
// lists them by author. In both, posts are sorted by their ids, which are ULIDs.

#pragma once

#include <dolmen/entity.h>

#include <array>
#include <cstdint>
#include <string>

namespace dolmen::posts {

struct Post {
  std::string ulid = {};  // "" = a new ULID
  std::string author_id = {};
  std::string text = {};
  Timestamp created_at = {};  // 1970-01-01 = now

  friend bool operator==(const Post&, const Post&) = default;
};

constexpr auto DescribeEntity(const Post*) {
  return DefineEntity<Post>(
      "post",
      {Attribute<&Post::ulid>("postId").IfUnset<NewUlid>().InKeyOnly(),
       Attribute<&Post::author_id>("authorId"), Attribute<&Post::text>("text"),
       Attribute<&Post::created_at>("createdAt").IfUnset<Now>().ReadOnly()},
      {PrimaryKey("POST#{postId}", "POST"),
       IndexKey("GSI1", "POSTS#{createdAt:date}", "POST#{postId}"),
       IndexKey("GSI2", "AUTHOR#{authorId}", "POST#{postId}")});
}

struct Comment {
  std::string post_id = {};
  std::string ulid = {};  // "" = a new ULID
  std::string author_id = {};
  std::string text = {};

  friend bool operator==(const Comment&, const Comment&) = default;
};

constexpr auto DescribeEntity(const Comment*) {
  return DefineEntity<Comment>(
      "comment",
      {Attribute<&Comment::post_id>("postId").InKeyOnly(),
       Attribute<&Comment::ulid>("commentId").IfUnset<NewUlid>().InKeyOnly(),
       Attribute<&Comment::author_id>("authorId"), Attribute<&Comment::text>("text")},
      {PrimaryKey("POST#{postId}", "COMMENT#{commentId}")});
}

enum class Kind : std::uint8_t { kLike, kLove, kLaugh };

constexpr auto Spellings(Kind) {
  return std::to_array<Spelling<Kind>>(
      {{Kind::kLike, "like"}, {Kind::kLove, "love"}, {Kind::kLaugh, "laugh"}});
}

struct Reaction {
  std::string post_id = {};
  std::string user_id = {};
  Kind kind = Kind::kLike;

  friend bool operator==(const Reaction&, const Reaction&) = default;
};

constexpr auto DescribeEntity(const Reaction*) {
  return DefineEntity<Reaction>(
      "reaction",
      {Attribute<&Reaction::post_id>("postId").InKeyOnly(),
       Attribute<&Reaction::user_id>("userId").InKeyOnly(), Attribute<&Reaction::kind>("kind")},
      {PrimaryKey("POST#{postId}", "REACTION#{userId}")});
}

// The number of reactions of one kind to a post. CountReactions keeps it.
struct ReactionCount {
  std::string post_id = {};
  Kind kind = Kind::kLike;
  std::int64_t count = 0;
  std::string counted_until = {};  // the number of the newest stream record that is counted

  friend bool operator==(const ReactionCount&, const ReactionCount&) = default;
};

constexpr auto DescribeEntity(const ReactionCount*) {
  return DefineEntity<ReactionCount>("reactionCount",
                                     {Attribute<&ReactionCount::post_id>("postId").InKeyOnly(),
                                      Attribute<&ReactionCount::kind>("kind").InKeyOnly(),
                                      Attribute<&ReactionCount::count>("count"),
                                      Attribute<&ReactionCount::counted_until>("countedUntil")},
                                     {PrimaryKey("POST#{postId}", "COUNT#{kind}")});
}

static_assert(CheckTable<Post, Comment, Reaction, ReactionCount>());

}  // namespace dolmen::posts
