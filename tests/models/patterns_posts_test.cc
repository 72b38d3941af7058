// Tests of posts with comments and reactions, as posts/posts.h stores them.

#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "models/patterns/posts/posts.h"
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
    first_ = Value(table_.Create(Post{.author_id = "ann", .text = "Dolmens are old"}));
    for (const std::string text : {"How old?", "Very", "I see"}) {
      clock_->Advance(std::chrono::minutes(1));
      comments_.push_back({first_.ulid, table_.NewUlid(), "ben", text});
      EXPECT_THAT(AddComment(table_, comments_.back()), IsOk());
    }
    EXPECT_THAT(React(table_, {first_.ulid, "cat", Kind::kLike}), IsOk());
    EXPECT_THAT(React(table_, {first_.ulid, "ben", Kind::kLaugh}), IsOk());
    clock_->Advance(std::chrono::hours(1));
    second_ = Value(table_.Create(Post{.author_id = "ben", .text = "So are menhirs"}));
    clock_->Advance(std::chrono::hours(24));
    third_ = Value(table_.Create(Post{.author_id = "ann", .text = "Good morning"}));
    log_.Take();
  }

  RequestLog log_;
  std::shared_ptr<ManualClock> clock_ =
      std::make_shared<ManualClock>(Value(ParseIso8601("2026-04-15T10:30:00Z")));
  Database database_ = Value(Database::InMemory({.clock = clock_}));
  EntityTable table_ = Value(Open(database_, log_.observer()));
  Post first_;
  Post second_;
  Post third_;
  std::vector<Comment> comments_;
};

TEST_F(PostsTest, APostIsOneGetItem) {
  EXPECT_THAT(table_.Get(Post{.ulid = first_.ulid}), IsOkAndHolds(first_));
  EXPECT_EQ(Cost(log_), "GetItem, 0.5 read");
  EXPECT_EQ(first_.created_at, Value(ParseIso8601("2026-04-15T10:30:00Z")));
  EXPECT_THAT(table_.Get(Post{.ulid = "none"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("post")));
}

TEST_F(PostsTest, APostWithCommentsAndReactionsIsOneQuery) {
  const auto [posts, comments, reactions, counts] = Value(Thread(table_, first_.ulid).Grouped());
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(posts, ElementsAre(first_));
  EXPECT_EQ(comments, comments_);
  EXPECT_THAT(reactions, ElementsAre(Reaction{first_.ulid, "ben", Kind::kLaugh},
                                     Reaction{first_.ulid, "cat", Kind::kLike}));
  EXPECT_THAT(counts, IsEmpty()) << "nobody counts";
}

TEST_F(PostsTest, CommentsArePagedNewestFirst) {
  const auto page = Value(CommentsOn(table_, first_.ulid).Limit(2).Page());
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(page.items, ElementsAre(comments_[2], comments_[1]));
  const auto next = Value(CommentsOn(table_, first_.ulid).From(page.next_cursor).Limit(2).Page());
  EXPECT_THAT(next.items, ElementsAre(comments_[0]));
  EXPECT_EQ(next.next_cursor, "");
}

TEST_F(PostsTest, ReactionsAreOneQuery) {
  EXPECT_THAT(ReactionsTo(table_, first_.ulid).All(),
              IsOkAndHolds(ElementsAre(Reaction{first_.ulid, "ben", Kind::kLaugh},
                                       Reaction{first_.ulid, "cat", Kind::kLike})));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(ReactionsTo(table_, second_.ulid).All(), IsOkAndHolds(IsEmpty()));
}

TEST_F(PostsTest, AUserHasOneReactionToAPost) {
  EXPECT_THAT(React(table_, {first_.ulid, "cat", Kind::kLove}), IsOk());
  EXPECT_EQ(Cost(log_), "TransactWriteItems, 4 write");
  EXPECT_THAT(table_.Find(Reaction{.post_id = first_.ulid, .user_id = "cat"}),
              IsOkAndHolds(Reaction{first_.ulid, "cat", Kind::kLove}));
  EXPECT_EQ(Cost(log_), "GetItem, 0.5 read");
  EXPECT_EQ(Value(ReactionsTo(table_, first_.ulid).All()).size(), 2U);

  log_.Take();
  EXPECT_THAT(table_.Remove(Reaction{.post_id = first_.ulid, .user_id = "cat"}), IsOk());
  EXPECT_EQ(Cost(log_), "DeleteItem, 1 write");
  EXPECT_THAT(table_.Find(Reaction{.post_id = first_.ulid, .user_id = "cat"}),
              IsOkAndHolds(std::nullopt));
  EXPECT_THAT(table_.Remove(Reaction{.post_id = first_.ulid, .user_id = "cat"}),
              StatusIs(StatusCode::kResourceNotFound, _));
}

TEST_F(PostsTest, AFeedIsOneQueryAcrossTheDays) {
  EXPECT_THAT(Feed(table_, clock_->Now(), 7).All(),
              IsOkAndHolds(ElementsAre(third_, second_, first_)));
  EXPECT_EQ(Cost(log_), "Query, 3.5 read") << "seven partitions";
  EXPECT_THAT(Feed(table_, first_.created_at, 1).All(), IsOkAndHolds(ElementsAre(second_, first_)));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(Feed(table_, clock_->Now() + std::chrono::hours(24), 1).All(),
              IsOkAndHolds(IsEmpty()));
}

TEST_F(PostsTest, AFeedHasPagesAcrossTheDays) {
  const auto page = Value(Feed(table_, clock_->Now(), 7).Limit(2).Page());
  EXPECT_THAT(page.items, ElementsAre(third_, second_));
  const auto next = Value(Feed(table_, clock_->Now(), 7).From(page.next_cursor).Limit(2).Page());
  EXPECT_THAT(next.items, ElementsAre(first_));
  EXPECT_EQ(next.next_cursor, "");
}

TEST_F(PostsTest, AnAuthorsPostsAreOneQueryNewestFirst) {
  EXPECT_THAT(PostsBy(table_, "ann").All(), IsOkAndHolds(ElementsAre(third_, first_)));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(PostsBy(table_, "eve").All(), IsOkAndHolds(IsEmpty()));
}

TEST_F(PostsTest, TheStreamKeepsTheCounts) {
  Subscription counting = Value(CountReactions(table_));
  const auto counts = [&] {
    Value(counting.Deliver());
    std::map<Kind, std::int64_t> numbers;
    for (const ReactionCount& count : Value(CountsOf(table_, third_.ulid).All())) {
      numbers[count.kind] = count.count;
    }
    return numbers;
  };
  EXPECT_THAT(React(table_, {third_.ulid, "cat", Kind::kLike}), IsOk());
  EXPECT_THAT(React(table_, {third_.ulid, "ben", Kind::kLaugh}), IsOk());
  EXPECT_THAT(counts(), ElementsAre(std::pair(Kind::kLike, 1), std::pair(Kind::kLaugh, 1)));
  EXPECT_THAT(React(table_, {third_.ulid, "cat", Kind::kLaugh}), IsOk());
  EXPECT_THAT(React(table_, {third_.ulid, "dan", Kind::kLaugh}), IsOk());
  EXPECT_THAT(counts(), ElementsAre(std::pair(Kind::kLike, 0), std::pair(Kind::kLaugh, 3)));
  EXPECT_THAT(table_.Remove(Reaction{.post_id = third_.ulid, .user_id = "ben"}), IsOk());
  EXPECT_THAT(counts(), ElementsAre(std::pair(Kind::kLike, 0), std::pair(Kind::kLaugh, 2)));
  log_.Take();
  EXPECT_EQ(Value(CountsOf(table_, third_.ulid).Count()), 2U);
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
}

// A subscription can pass a record again, for example after a crash. The second delivery passes the
// records of the first one again, and the records of the counts.
TEST_F(PostsTest, ARecordIsCountedOnce) {
  const auto deliver = [&] {
    return Value(Value(CountReactions(table_, /*in_background=*/false)).Deliver());
  };
  EXPECT_THAT(React(table_, {third_.ulid, "cat", Kind::kLike}), IsOk());
  EXPECT_THAT(React(table_, {third_.ulid, "cat", Kind::kLove}), IsOk());
  const std::size_t records = deliver();
  const auto before = Value(CountsOf(table_, third_.ulid).All());
  EXPECT_EQ(before.size(), 2U);
  EXPECT_THAT(table_.table().Unsubscribe("reaction-counts"), IsOk());
  EXPECT_GT(deliver(), records) << "the stream from its start";
  EXPECT_THAT(CountsOf(table_, third_.ulid).All(), IsOkAndHolds(before));
}

TEST_F(PostsTest, TheSampleCanBeLoadedAgain) {
  EXPECT_THAT(LoadSampleData(table_), IsOk());
  EXPECT_THAT(LoadSampleData(table_), IsOk());
  EXPECT_EQ(Value(PostsBy(table_, "ben").Count()), 2U);
}

TEST_F(PostsTest, PublishingIsOnePutAndCommentingATransaction) {
  const Post post = Value(table_.Create(Post{.author_id = "cat", .text = "Meow"}));
  EXPECT_EQ(Cost(log_), "PutItem, 3 write") << "the item and its two index entries";
  EXPECT_EQ(Value(UlidTime(post.ulid)), clock_->Now());
  EXPECT_THAT(AddComment(table_, {.post_id = post.ulid, .author_id = "ann", .text = "Hello cat"}),
              IsOk());
  EXPECT_EQ(Cost(log_), "TransactWriteItems, 4 write");
  EXPECT_THAT(table_.Create(post), StatusIs(StatusCode::kResourceInUse, _));
}

TEST_F(PostsTest, CommentsAndReactionsRequireThePost) {
  EXPECT_THAT(AddComment(table_, {.post_id = "none", .author_id = "ben", .text = "?"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("post")));
  EXPECT_THAT(React(table_, {"none", "ben", Kind::kLike}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("post")));
  EXPECT_THAT(ReactionsTo(table_, "none").All(), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(React(table_, {first_.ulid, "eve", static_cast<Kind>(9)}),
              StatusIs(StatusCode::kValidation, HasSubstr("kind")));
  EXPECT_THAT(table_.Find(Reaction{.post_id = first_.ulid, .user_id = "eve"}),
              IsOkAndHolds(std::nullopt));
}

}  // namespace
}  // namespace dolmen::posts
