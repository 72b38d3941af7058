package users

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func ann() Profile {
	return Profile{UserID: "u1", FirstName: "Ann", Email: " Ann@Example.com ", CreatedAt: noon}
}

// newUsers creates a store with the user Ann.
func newUsers(t *testing.T) *Store {
	store := newStore(t)
	check(t, store.Register(ctx, ann()))
	return store
}

func TestARegisteredUserCanBeRead(t *testing.T) {
	store := newUsers(t)
	expected := ann()
	expected.Email, expected.Version = "ann@example.com", 1
	equal(t, &expected, must[*Profile](t)(store.Profile(ctx, "u1")))
	equal(t, (*Profile)(nil), must[*Profile](t)(store.Profile(ctx, "u2")))
	equal(t, []Email{{UserID: "u1", Address: "ann@example.com", IsPrimary: true}},
		must[[]Email](t)(store.Emails(ctx, "u1")))
}

func TestAUserIsFoundByAnyAddress(t *testing.T) {
	store := newUsers(t)
	check(t, store.AddEmail(ctx, "u1", "ann@work.example"))
	for address, user := range map[string]string{
		"ANN@example.com": "u1", "ann@work.example": "u1", "bob@example.com": "",
	} {
		equal(t, user, must[string](t)(store.UserOf(ctx, address)))
	}
}

func TestAnAddressBelongsToOneUser(t *testing.T) {
	store := newUsers(t)
	bob := Profile{UserID: "u2", FirstName: "Bob", Email: "ann@example.com", CreatedAt: noon}
	equal(t, ErrTaken, store.Register(ctx, bob))
	equal(t, (*Profile)(nil), must[*Profile](t)(store.Profile(ctx, "u2")))
	bob.Email = "bob@example.com"
	check(t, store.Register(ctx, bob))
	equal(t, ErrTaken, store.AddEmail(ctx, "u2", "ann@example.com"))
}

func TestACancelledTransactionHasItsReasons(t *testing.T) {
	store := newUsers(t)
	again := ann()
	again.Email = "other@example.com"
	err := store.Register(ctx, again)
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
		t.Fatalf("%T: %v", err, err)
	}
	equal(t, "Transaction cancelled, please refer cancellation reasons for specific reasons "+
		"[None, None, ConditionalCheckFailed]", cancelled.ErrorMessage())
	equal(t, 3, len(cancelled.CancellationReasons))
	equal(t, "None", *cancelled.CancellationReasons[0].Code)
	equal(t, "The conditional request failed", *cancelled.CancellationReasons[2].Message)
	equal(t, "", must[string](t)(store.UserOf(ctx, "other@example.com")))
}

func TestOnlyAVerifiedAddressCanBecomePrimary(t *testing.T) {
	store := newUsers(t)
	check(t, store.AddEmail(ctx, "u1", "new@example.com"))
	equal(t, ErrUnverified, store.SetPrimary(ctx, "u1", "ann@example.com", "new@example.com"))
	check(t, store.Verify(ctx, "u1", "new@example.com"))
	check(t, store.SetPrimary(ctx, "u1", "ann@example.com", "new@example.com"))
	equal(t, []Email{
		{UserID: "u1", Address: "ann@example.com"},
		{UserID: "u1", Address: "new@example.com", IsPrimary: true, IsVerified: true},
	}, must[[]Email](t)(store.Emails(ctx, "u1")))
	equal(t, "new@example.com", must[*Profile](t)(store.Profile(ctx, "u1")).Email)
}

func TestVerificationOfAnAbsentAddressFails(t *testing.T) {
	store := newUsers(t)
	var failed *types.ConditionalCheckFailedException
	if err := store.Verify(ctx, "u1", "absent@example.com"); !errors.As(err, &failed) {
		t.Fatalf("%T: %v", err, err)
	}
	equal(t, 0, len(failed.Item))
	differsLocally(t, "it spells this error's message with a capital M")
	equal(t, "The conditional request failed", failed.ErrorMessage())
}

func TestAChangeOfAStaleProfileIsRejected(t *testing.T) {
	store := newUsers(t)
	read := must[*Profile](t)(store.Profile(ctx, "u1"))
	renamed := must[*Profile](t)(store.Rename(ctx, *read, "Anna"))
	equal(t, 2, renamed.Version)
	now, err := store.Rename(ctx, *read, "Annie")
	equal(t, ErrStale, err)
	equal(t, renamed, now)
	equal(t, renamed, must[*Profile](t)(store.Profile(ctx, "u1")))
}

func TestConcurrentRenamesAllSucceedInTurn(t *testing.T) {
	store := newUsers(t)
	const writers = 8
	var done sync.WaitGroup
	for n := 0; n < writers; n++ {
		done.Add(1)
		go func(name string) {
			defer done.Done()
			profile, err := store.Profile(ctx, "u1")
			for err == nil || errors.Is(err, ErrStale) {
				if profile, err = store.Rename(ctx, *profile, name); err == nil {
					return
				}
			}
			t.Error(err)
		}(fmt.Sprint("name ", n))
	}
	done.Wait()
	equal(t, 1+writers, must[*Profile](t)(store.Profile(ctx, "u1")).Version)
}

func TestExpiredSessionsAreInactiveAndEndSessionsDeletesAll(t *testing.T) {
	store := newUsers(t)
	var active []Session
	for n := 0; n < 60; n++ {
		session := Session{
			ID:        fmt.Sprintf("s%02d", n),
			Scopes:    []string{"read"},
			ExpiresAt: attributevalue.UnixTime(noon.Add(time.Duration(n-30) * time.Minute).Local()),
		}
		check(t, store.StartSession(ctx, "u1", session))
		if n > 30 {
			active = append(active, session)
		}
	}
	equal(t, active, must[[]Session](t)(store.ActiveSessions(ctx, "u1", noon)))
	equal(t, 60, must[int](t)(store.EndSessions(ctx, "u1")))
	equal(t, []Session(nil), must[[]Session](t)(store.ActiveSessions(ctx, "u1", time.Unix(0, 0))))
	equal(t, 0, must[int](t)(store.EndSessions(ctx, "u1")))
}

func TestAnAbsentPhoneIsStoredWithoutAnAttribute(t *testing.T) {
	store := newUsers(t)
	with := Profile{UserID: "u2", Email: "b@example.com", Phone: aws.String("+4930123")}
	check(t, store.Register(ctx, with))
	equal(t, (*string)(nil), must[*Profile](t)(store.Profile(ctx, "u1")).Phone)
	equal(t, "+4930123", *must[*Profile](t)(store.Profile(ctx, "u2")).Phone)
}
