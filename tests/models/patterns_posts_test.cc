// Tests of posts with comments and reactions, as posts.h stores them.

#include <gtest/gtest.h>

#include <memory>

#include "models/patterns/posts.h"
#include "tests/models/cost.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::posts {
namespace {

using test::Cost;
using test::IsOk;
using test::IsOkAndHolds;
using test::StatusIs;
using test::Value;
using testing::_;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A post with three comments and two reactions, a second post an hour later, and a third post on
// the next day.
class PostsTest : public testing::Test {
 protected:
  PostsTest() {
    first_ = Value(posts_.Publish({.author_id = "ann", .text = "Dolmens are old"}));
    for (const std::string text : {"How old?", "Very", "I see"}) {
      clock_->Advance(std::chrono::minutes(1));
      comments_.push_back(
          Value(posts_.AddComment({.post_id = first_.ulid, .author_id = "ben", .text = text})));
    }
    EXPECT_THAT(posts_.React({first_.ulid, "cat", Kind::kLike}), IsOk());
    EXPECT_THAT(posts_.React({first_.ulid, "ben", Kind::kLaugh}), IsOk());
    clock_->Advance(std::chrono::hours(1));
    second_ = Value(posts_.Publish({.author_id = "ben", .text = "So are menhirs"}));
    clock_->Advance(std::chrono::hours(24));
    third_ = Value(posts_.Publish({.author_id = "ann", .text = "Good morning"}));
    log_.Take();
  }

  RequestLog log_;
  std::shared_ptr<ManualClock> clock_ =
      std::make_shared<ManualClock>(Value(ParseIso8601("2026-04-15T10:30:00Z")));
  Database database_ = Value(Database::InMemory({.clock = clock_}));
  Posts posts_ = Value(Posts::Open(database_, log_.observer()));
  Post first_;
  Post second_;
  Post third_;
  std::vector<Comment> comments_;
};

TEST_F(PostsTest, APostIsOneGetItem) {
  EXPECT_THAT(posts_.GetPost(first_.ulid), IsOkAndHolds(first_));
  EXPECT_EQ(Cost(log_), "GetItem, 0.5 read");
  EXPECT_EQ(first_.created_at, Value(ParseIso8601("2026-04-15T10:30:00Z")));
  EXPECT_THAT(posts_.GetPost("none"), StatusIs(StatusCode::kResourceNotFound, HasSubstr("post")));
}

TEST_F(PostsTest, APostWithCommentsAndReactionsIsOneQuery) {
  const Thread thread = Value(posts_.GetThread(first_.ulid));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_EQ(thread.post, first_);
  EXPECT_EQ(thread.comments, comments_);
  EXPECT_THAT(thread.reactions, ElementsAre(Reaction{first_.ulid, "ben", Kind::kLaugh},
                                            Reaction{first_.ulid, "cat", Kind::kLike}));
  EXPECT_THAT(posts_.GetThread("none").status(), StatusIs(StatusCode::kResourceNotFound, _));
}

TEST_F(PostsTest, CommentsArePagedNewestFirst) {
  const auto page = Value(posts_.ListComments({.post_id = first_.ulid, .limit = 2}));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(page.items, ElementsAre(comments_[2], comments_[1]));
  const auto next =
      Value(posts_.ListComments({.post_id = first_.ulid, .cursor = page.next_cursor, .limit = 2}));
  EXPECT_THAT(next.items, ElementsAre(comments_[0]));
  EXPECT_EQ(next.next_cursor, "");
}

TEST_F(PostsTest, ReactionsAreOneQuery) {
  EXPECT_THAT(posts_.ListReactions(first_.ulid),
              IsOkAndHolds(ElementsAre(Reaction{first_.ulid, "ben", Kind::kLaugh},
                                       Reaction{first_.ulid, "cat", Kind::kLike})));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(posts_.ListReactions(second_.ulid), IsOkAndHolds(IsEmpty()));
}

TEST_F(PostsTest, AUserHasOneReactionToAPost) {
  EXPECT_THAT(posts_.React({first_.ulid, "cat", Kind::kLove}), IsOk());
  EXPECT_EQ(Cost(log_), "TransactWriteItems, 4 write");
  EXPECT_THAT(posts_.FindReaction(first_.ulid, "cat"),
              IsOkAndHolds(Reaction{first_.ulid, "cat", Kind::kLove}));
  EXPECT_EQ(Cost(log_), "GetItem, 0.5 read");
  EXPECT_EQ(Value(posts_.ListReactions(first_.ulid)).size(), 2U);

  log_.Take();
  EXPECT_THAT(posts_.TakeBack(first_.ulid, "cat"), IsOk());
  EXPECT_EQ(Cost(log_), "DeleteItem, 1 write");
  EXPECT_THAT(posts_.FindReaction(first_.ulid, "cat"), IsOkAndHolds(std::nullopt));
  EXPECT_THAT(posts_.TakeBack(first_.ulid, "cat"), StatusIs(StatusCode::kResourceNotFound, _));
}

TEST_F(PostsTest, ThePostsOfADayAreOneQueryNewestFirst) {
  EXPECT_THAT(posts_.ListPostsOfDay(Value(ParseIso8601("2026-04-15T00:00:00Z"))),
              IsOkAndHolds(ElementsAre(second_, first_)));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(posts_.ListPostsOfDay(Value(ParseIso8601("2026-04-16T23:59:59Z"))),
              IsOkAndHolds(ElementsAre(third_)));
  EXPECT_THAT(posts_.ListPostsOfDay(Value(ParseIso8601("2026-04-17T00:00:00Z"))),
              IsOkAndHolds(IsEmpty()));
}

TEST_F(PostsTest, PublishingIsOnePutAndCommentingATransaction) {
  const Post post = Value(posts_.Publish({.author_id = "cat", .text = "Meow"}));
  EXPECT_EQ(Cost(log_), "PutItem, 2 write");
  EXPECT_EQ(Value(UlidTime(post.ulid)), clock_->Now());
  Value(posts_.AddComment({.post_id = post.ulid, .author_id = "ann", .text = "Hello cat"}));
  EXPECT_EQ(Cost(log_), "TransactWriteItems, 4 write");
  EXPECT_THAT(posts_.Publish(post), StatusIs(StatusCode::kResourceInUse, _));
}

TEST_F(PostsTest, CommentsAndReactionsRequireThePost) {
  EXPECT_THAT(posts_.AddComment({.post_id = "none", .author_id = "ben", .text = "?"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("post")));
  EXPECT_THAT(posts_.React({"none", "ben", Kind::kLike}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("post")));
  EXPECT_THAT(posts_.ListReactions("none"), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(posts_.React({first_.ulid, "eve", static_cast<Kind>(9)}),
              StatusIs(StatusCode::kValidation, HasSubstr("kind")));
  EXPECT_THAT(posts_.FindReaction(first_.ulid, "eve"), IsOkAndHolds(std::nullopt));
}

}  // namespace
}  // namespace dolmen::posts
