#include "models/patterns/posts.h"

#include <utility>

namespace dolmen::posts {
namespace {

constexpr const char* kIndex = "GSI1";

}  // namespace

Result<Posts> Posts::Open(const Database& database, RequestObserver observer) {
  Result<EntityTable> table = EntityTable::Open(
      database, {.name = "posts", .indexes = {kIndex}, .observer = std::move(observer)});
  if (!table.ok()) return table.status();
  return Posts(*std::move(table));
}

Result<Comment> Posts::AddComment(Comment comment) const {
  if (comment.ulid.empty()) comment.ulid = table_.NewUlid();
  const Status added =
      table_.Transact().Create(comment).Require(Post{.ulid = comment.post_id}).Commit();
  if (!added.ok()) return added;
  return comment;
}

Status Posts::React(const Reaction& reaction) const {
  return table_.Transact().Put(reaction).Require(Post{.ulid = reaction.post_id}).Commit();
}

Status Posts::TakeBack(const std::string& post_id, const std::string& user_id) const {
  return table_.Remove(Reaction{.post_id = post_id, .user_id = user_id});
}

Result<std::optional<Reaction>> Posts::FindReaction(const std::string& post_id,
                                                    const std::string& user_id) const {
  return table_.Find(Reaction{.post_id = post_id, .user_id = user_id});
}

Result<Thread> Posts::GetThread(const std::string& post_id) const {
  auto thread = table_.Query<Post, Comment, Reaction>().With<&Post::ulid>(post_id).Grouped();
  if (!thread.ok()) return thread.status();
  auto& [posts, comments, reactions] = *thread;
  if (posts.empty()) return Status::ResourceNotFound("there is no post " + post_id);
  return Thread{std::move(posts.front()), std::move(comments), std::move(reactions)};
}

Result<EntityPage<Comment>> Posts::ListComments(const CommentQuery& query) const {
  return table_.Query<Comment>()
      .With<&Comment::post_id>(query.post_id)
      .Backward()
      .From(query.cursor)
      .Limit(query.limit)
      .Page();
}

Result<std::vector<Reaction>> Posts::ListReactions(const std::string& post_id) const {
  return table_.Query<Reaction>().With<&Reaction::post_id>(post_id).All();
}

Result<std::vector<Post>> Posts::ListPostsOfDay(Timestamp at) const {
  return table_.Query<Post>(kIndex).With<&Post::created_at>(at).Backward().All();
}

}  // namespace dolmen::posts
