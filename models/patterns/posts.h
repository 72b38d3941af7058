// Posts with comments and reactions, all in the post's partition.
//
//   item      PK         SK               GSI1PK       GSI1SK       attributes
//   post      POST#<id>  POST             POSTS#<day>  POST#<id>    authorId, text, createdAt
//   comment   POST#<id>  COMMENT#<ulid>                             authorId, text
//   reaction  POST#<id>  REACTION#<user>                            kind
//
//   access pattern                         method           request
//   a post                                 GetPost          GetItem
//   a post, its comments and reactions     GetThread        Query POST#<id>
//   its comments, newest first, in pages   ListComments     Query POST#<id>, begins_with COMMENT#,
//                                                             backwards
//   its reactions                          ListReactions    Query POST#<id>, begins_with REACTION#
//   a user's reaction to it                FindReaction     GetItem
//   the posts of a day, newest first       ListPostsOfDay   Query GSI1 POSTS#<day>, backwards
//
// A reaction's key holds the user, so a user has at most one reaction to a post, and a new reaction
// replaces the old one. Listing posts by date needs an index partition key that these posts share.
// In GSI1 this key is the day, so a partition stops growing when its day ends. Within a day, posts
// are sorted by their ids, which are ULIDs.

#pragma once

#include <dolmen/entity/table.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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
       IndexKey("GSI1", "POSTS#{createdAt:date}", "POST#{postId}")});
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
       Attribute<&Comment::ulid>("commentId").InKeyOnly(),
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

struct Thread {
  Post post = {};
  std::vector<Comment> comments = {};    // oldest first
  std::vector<Reaction> reactions = {};  // in order of the users' ids
};

struct CommentQuery {
  std::string post_id = {};
  std::string cursor = {};  // EntityPage::next_cursor of the previous page; "" = the newest
  std::uint32_t limit = 50;
};

// The table of posts. Thread-safe. Errors besides the database's own:
// - kResourceNotFound: the post or reaction does not exist.
// - kResourceInUse: the thing to create exists already.
// - kValidation: an id is empty or holds a '#'.
// A call that returns an error has written nothing.
class Posts {
 public:
  // Opens the table `posts`, and creates it if it does not exist.
  static Result<Posts> Open(const Database& database, RequestObserver observer = {});

  // Creates a post and returns it as stored. PutItem with attribute_not_exists(PK).
  Result<Post> Publish(const Post& post) const { return table_.Create(post); }

  // Adds a comment to a post and returns it as stored. TransactWriteItems: Put with
  // attribute_not_exists(PK), and ConditionCheck of the post.
  Result<Comment> AddComment(Comment comment) const;

  // Stores a user's reaction to a post. Replaces an earlier reaction of the user.
  // TransactWriteItems: Put, and ConditionCheck of the post.
  Status React(const Reaction& reaction) const;

  // Removes a user's reaction. DeleteItem.
  Status TakeBack(const std::string& post_id, const std::string& user_id) const;

  // Return a post (GetPost) and a user's reaction to a post (FindReaction). Each is one GetItem.
  Result<Post> GetPost(const std::string& ulid) const { return table_.Get(Post{.ulid = ulid}); }
  Result<std::optional<Reaction>> FindReaction(const std::string& post_id,
                                               const std::string& user_id) const;

  // Returns a post with all comments and reactions. One Query: PK = POST#<id>, SK BETWEEN the
  // least and the greatest key of these entities.
  Result<Thread> GetThread(const std::string& post_id) const;

  // Returns a page of a post's comments, newest first. Query PK = POST#<id>, begins_with(SK,
  // COMMENT#), ScanIndexForward = false, Limit.
  Result<EntityPage<Comment>> ListComments(const CommentQuery& query) const;

  // Returns a post's reactions, in order of the users' ids. Query PK = POST#<id>, begins_with(SK,
  // REACTION#).
  Result<std::vector<Reaction>> ListReactions(const std::string& post_id) const;

  // Returns the posts of the day of `at`, in UTC, newest first. Query GSI1 with GSI1PK =
  // POSTS#<day>, ScanIndexForward = false.
  Result<std::vector<Post>> ListPostsOfDay(Timestamp at) const;

 private:
  explicit Posts(EntityTable table) : table_(std::move(table)) {}

  EntityTable table_;
};

}  // namespace dolmen::posts
