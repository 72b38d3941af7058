package directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** Tests of a directory of organisations. Each test has its own organisation. */
final class DirectoryTest {
  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
  private static final Instant LATER = NOW.plusSeconds(3600);
  private static final Directory DIRECTORY = new Directory(Endpoint.client(), "directory");

  @BeforeAll
  static void createTable() {
    DIRECTORY.createTable();
  }

  private static User newUser(String email, String name) {
    User user = new User();
    user.setEmailAddress(email);
    user.setFirstName(name);
    user.setCreatedAt(NOW);
    return DIRECTORY.putUser(user);
  }

  private static List<String> organisations(List<Invitation> invitations) {
    return invitations.stream().map(Invitation::getOrganisationId).toList();
  }

  @Test
  void getReturnsTheUserAsWritten() {
    assertEquals(1, newUser("ann@read", "Ann").getVersion());
    User found = DIRECTORY.getUser("ann@read").orElseThrow();
    assertEquals("user/ann@read", found.getPartition());
    assertEquals("Ann", found.getFirstName());
    assertEquals(NOW, found.getCreatedAt());
    assertNull(found.getPhone());
    assertEquals(Optional.empty(), DIRECTORY.getUser("nobody@read"));
  }

  @Test
  void changeOfAStaleUserIsRejected() {
    newUser("ann@stale", "Ann");
    User first = DIRECTORY.getUser("ann@stale").orElseThrow();
    User second = DIRECTORY.getUser("ann@stale").orElseThrow();
    first.setPhone("+49 30 123");
    assertEquals(2, DIRECTORY.putUser(first).getVersion());
    second.setFirstName("Annie");
    ConditionalCheckFailedException refused =
        assertThrows(ConditionalCheckFailedException.class, () -> DIRECTORY.putUser(second));
    assertEquals("The conditional request failed", refused.awsErrorDetails().errorMessage());
    User found = DIRECTORY.getUser("ann@stale").orElseThrow();
    assertEquals("Ann", found.getFirstName());
    assertEquals("+49 30 123", found.getPhone());
  }

  @Test
  void newOrganisationHasItsOwnerAsMember() {
    User ann = newUser("ann@begin", "Ann");
    DIRECTORY.createOrganisation("begin", "Begin Ltd", ann, NOW);
    Directory.Details details = DIRECTORY.getOrganisation("begin");
    assertEquals("Begin Ltd", details.organisation().getOrganisationName());
    assertEquals(1, details.organisation().getVersion());
    assertEquals(1, details.members().size());
    assertEquals("Ann", details.members().get(0).getFirstName());
    assertEquals(Set.of("owner"), details.members().get(0).getGroupNames());
    assertEquals(List.of("begin"), organisations(DIRECTORY.invitations("ann@begin", true)));
  }

  @Test
  void organisationIsCreatedOnceAndByAnExistingUser() {
    User ann = newUser("ann@once", "Ann");
    DIRECTORY.createOrganisation("once", "Once", ann, NOW);
    TransactionCanceledException again =
        assertThrows(
            TransactionCanceledException.class,
            () -> DIRECTORY.createOrganisation("once", "Twice", ann, LATER));
    assertEquals(
        List.of(
            "ConditionalCheckFailed", "ConditionalCheckFailed", "ConditionalCheckFailed", "None"),
        again.cancellationReasons().stream().map(reason -> reason.code()).toList());
    User stranger = new User();
    stranger.setEmailAddress("stranger@once");
    TransactionCanceledException unknown =
        assertThrows(
            TransactionCanceledException.class,
            () -> DIRECTORY.createOrganisation("strange", "Strange", stranger, NOW));
    assertEquals("ConditionalCheckFailed", unknown.cancellationReasons().get(3).code());
    assertNull(DIRECTORY.getOrganisation("strange").organisation());
    assertEquals("Once", DIRECTORY.getOrganisation("once").organisation().getOrganisationName());
  }

  @Test
  void invitationIsAcceptedOnce() {
    DIRECTORY.createOrganisation("accept", "Accept", newUser("ann@accept", "Ann"), NOW);
    User bob = newUser("bob@accept", "Bob");
    DIRECTORY.invite("bob@accept", "accept", NOW);
    assertEquals(List.of("accept"), organisations(DIRECTORY.invitations("bob@accept", false)));
    assertEquals(List.of(), DIRECTORY.invitations("bob@accept", true));

    DIRECTORY.accept(bob, "accept", LATER);
    Invitation accepted = DIRECTORY.invitations("bob@accept", true).get(0);
    assertEquals("Accept", accepted.getOrganisationName());
    assertEquals(NOW, accepted.getInvitedAt());
    assertEquals(LATER, accepted.getAcceptedAt());
    assertThrows(
        TransactionCanceledException.class, () -> DIRECTORY.accept(bob, "accept", LATER));
    assertEquals(
        List.of("ann@accept", "bob@accept"),
        DIRECTORY.getOrganisation("accept").members().stream()
            .map(Member::getEmailAddress)
            .toList());
  }

  @Test
  void invitationIsDeclined() {
    DIRECTORY.createOrganisation("decline", "Decline", newUser("ann@decline", "Ann"), NOW);
    User bob = newUser("bob@decline", "Bob");
    DIRECTORY.invite("bob@decline", "decline", NOW);
    assertThrows(
        ConditionalCheckFailedException.class,
        () -> DIRECTORY.invite("bob@decline", "decline", LATER));
    DIRECTORY.decline("bob@decline", "decline");
    assertEquals(List.of(), DIRECTORY.invitations("bob@decline", false));
    assertThrows(
        TransactionCanceledException.class, () -> DIRECTORY.accept(bob, "decline", LATER));
    assertEquals(1, DIRECTORY.getOrganisation("decline").members().size());
  }

  @Test
  void memberJoinsAndLeavesGroups() {
    DIRECTORY.createOrganisation("groups", "Groups", newUser("ann@groups", "Ann"), NOW);
    assertEquals(
        List.of("billing/admin", "owner"),
        DIRECTORY.changeGroup("ADD", "groups", "ann@groups", "billing/admin"));
    assertEquals(
        List.of("billing/admin"),
        DIRECTORY.changeGroup("DELETE", "groups", "ann@groups", "owner"));
    assertEquals(
        List.of(), DIRECTORY.changeGroup("DELETE", "groups", "ann@groups", "billing/admin"));
    assertNull(DIRECTORY.getOrganisation("groups").members().get(0).getGroupNames());
    assertThrows(
        ConditionalCheckFailedException.class,
        () -> DIRECTORY.changeGroup("ADD", "groups", "bob@groups", "owner"));
  }

  @Test
  void servicesAreReadWithTheirOrganisation() {
    DIRECTORY.createOrganisation("services", "Services", newUser("ann@services", "Ann"), NOW);
    Map<String, String> names = new TreeMap<>();
    for (int n = 0; n < 20; ++n) {
      names.put(String.format("s%02d", n), "Service " + n);
    }
    DIRECTORY.putServices("services", names);
    Directory.Details details = DIRECTORY.getOrganisation("services");
    assertEquals(
        List.copyOf(names.values()),
        details.services().stream().map(Service::getServiceName).toList());
    assertEquals(1, details.members().size());
  }

  @Test
  void organisationIsRenamed() {
    DIRECTORY.createOrganisation("rename", "Before", newUser("ann@rename", "Ann"), NOW);
    Organisation organisation = DIRECTORY.getOrganisation("rename").organisation();
    organisation.setOrganisationName("After");
    assertEquals(2, DIRECTORY.putOrganisation(organisation).getVersion());
    assertEquals(
        "After", DIRECTORY.getOrganisation("rename").organisation().getOrganisationName());
  }

  @Test
  void copiesOfAUsersDetailsAreFoundByTheIndex() {
    User ann = newUser("ann@copies", "Ann");
    DIRECTORY.createOrganisation("copies-2", "Two", ann, NOW);
    DIRECTORY.createOrganisation("copies-1", "One", ann, NOW);
    assertEquals(
        List.of("organisation/copies-1", "organisation/copies-2"),
        DIRECTORY.memberships("ann@copies").stream().map(Member::getPartition).toList());
    assertEquals(List.of(), DIRECTORY.memberships("bob@copies"));
  }
}
