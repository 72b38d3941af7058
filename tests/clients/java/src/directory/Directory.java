package directory;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.enhanced.dynamodb.model.IgnoreNullsMode;
import software.amazon.awssdk.enhanced.dynamodb.model.Page;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional;
import software.amazon.awssdk.enhanced.dynamodb.model.TransactPutItemEnhancedRequest;
import software.amazon.awssdk.enhanced.dynamodb.model.TransactUpdateItemEnhancedRequest;
import software.amazon.awssdk.enhanced.dynamodb.model.WriteBatch;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * A directory of users, organisations and the groups of their members, in one table. It is written
 * like an application of the enhanced client.
 *
 * <pre>
 *   record        PK                  SK                            index
 *   user          user/e-mail         user                          by e-mail
 *   invitation    user/e-mail         userOrganisation/id
 *   organisation  organisation/id     organisation
 *   member        organisation/id     organisationMember/e-mail     by e-mail
 *   service       organisation/id     organisationService/id
 * </pre>
 */
final class Directory {
  static final String BY_EMAIL = "ByEmail";

  private static final Expression NEW =
      Expression.builder().expression("attribute_not_exists(PK)").build();

  /** An organisation with its members and services. */
  record Details(Organisation organisation, List<Member> members, List<Service> services) {}

  private final DynamoDbClient client;
  private final DynamoDbEnhancedClient enhanced;
  private final String name;
  private final DynamoDbTable<User> users;
  private final DynamoDbTable<Invitation> invitations;
  private final DynamoDbTable<Organisation> organisations;
  private final DynamoDbTable<Member> members;
  private final DynamoDbTable<Service> services;

  Directory(DynamoDbClient client, String name) {
    this.client = client;
    this.name = name;
    enhanced = DynamoDbEnhancedClient.builder().dynamoDbClient(client).build();
    users = enhanced.table(name, TableSchema.fromBean(User.class));
    invitations = enhanced.table(name, TableSchema.fromBean(Invitation.class));
    organisations = enhanced.table(name, TableSchema.fromBean(Organisation.class));
    members = enhanced.table(name, TableSchema.fromBean(Member.class));
    services = enhanced.table(name, TableSchema.fromBean(Service.class));
  }

  void createTable() {
    users.createTable(
        table ->
            table.globalSecondaryIndices(
                index ->
                    index
                        .indexName(BY_EMAIL)
                        .projection(p -> p.projectionType(ProjectionType.ALL))));
    client.waiter().waitUntilTableExists(table -> table.tableName(name));
  }

  private static <T extends Keyed> T at(T record, String partition, String sort) {
    record.setPartition(partition);
    record.setSort(sort);
    return record;
  }

  private static Key key(String partition, String sort) {
    return Key.builder().partitionValue(partition).sortValue(sort).build();
  }

  private static Key userKey(String email) {
    return key("user/" + email, "user");
  }

  private static Key invitationKey(String email, String id) {
    return key("user/" + email, "userOrganisation/" + id);
  }

  // ---- Users ----

  /** Creates a user, or changes it. A change fails if the user has changed since it was read. */
  User putUser(User user) {
    at(user, "user/" + user.getEmailAddress(), "user");
    return users.updateItem(user);
  }

  Optional<User> getUser(String email) {
    return Optional.ofNullable(
        users.getItem(request -> request.key(userKey(email)).consistentRead(true)));
  }

  List<Invitation> invitations(String email, boolean accepted) {
    Expression filter =
        Expression.builder()
            .expression((accepted ? "attribute_exists" : "attribute_not_exists") + "(acceptedAt)")
            .build();
    return invitations
        .query(
            query ->
                query
                    .queryConditional(
                        QueryConditional.sortBeginsWith(key("user/" + email, "userOrganisation/")))
                    .filterExpression(filter))
        .items()
        .stream()
        .toList();
  }

  /** Returns a user's memberships, which hold copies of the user's details. */
  List<Member> memberships(String email) {
    List<Member> found = new ArrayList<>();
    for (Page<Member> page :
        members
            .index(BY_EMAIL)
            .query(
                query ->
                    query.queryConditional(
                        QueryConditional.sortBeginsWith(key(email, "organisation/"))))) {
      found.addAll(page.items());
    }
    return found;
  }

  // ---- Organisations ----

  /** Creates an organisation and makes the user its owner. */
  void createOrganisation(String id, String organisationName, User owner, Instant now) {
    String partition = "organisation/" + id;
    Organisation organisation = at(new Organisation(), partition, "organisation");
    organisation.setOrganisationName(organisationName);
    Invitation invitation = invitation(owner.getEmailAddress(), organisation, now);
    invitation.setAcceptedAt(now);
    enhanced.transactWriteItems(
        transaction ->
            transaction
                .addPutItem(organisations, put(Organisation.class, organisation))
                .addPutItem(members, put(Member.class, member(id, owner, "owner")))
                .addPutItem(invitations, put(Invitation.class, invitation))
                .addConditionCheck(users, exists(userKey(owner.getEmailAddress()))));
  }

  private static <T> TransactPutItemEnhancedRequest<T> put(Class<T> type, T record) {
    return TransactPutItemEnhancedRequest.builder(type)
        .item(record)
        .conditionExpression(NEW)
        .build();
  }

  private static ConditionCheck<User> exists(Key key) {
    return ConditionCheck.builder()
        .key(key)
        .conditionExpression(Expression.builder().expression("attribute_exists(PK)").build())
        .build();
  }

  private static Invitation invitation(String email, Organisation organisation, Instant now) {
    String id = organisation.getPartition().substring("organisation/".length());
    Invitation invitation = at(new Invitation(), "user/" + email, "userOrganisation/" + id);
    invitation.setOrganisationId(id);
    invitation.setOrganisationName(organisation.getOrganisationName());
    invitation.setInvitedAt(now);
    return invitation;
  }

  private static Member member(String id, User user, String... groups) {
    Member member =
        at(new Member(), "organisation/" + id, "organisationMember/" + user.getEmailAddress());
    member.setEmailAddress(user.getEmailAddress());
    member.setFirstName(user.getFirstName());
    member.setPhone(user.getPhone());
    member.setGroupNames(Set.of(groups));
    return member;
  }

  /** Returns an organisation with all its records, from one query. */
  Details getOrganisation(String id) {
    Details details = new Details(null, new ArrayList<>(), new ArrayList<>());
    Organisation organisation = null;
    QueryRequest request =
        QueryRequest.builder()
            .tableName(name)
            .keyConditionExpression("PK = :pk")
            .expressionAttributeValues(Map.of(":pk", AttributeValue.fromS("organisation/" + id)))
            .build();
    for (Map<String, AttributeValue> item : client.queryPaginator(request).items()) {
      switch (item.get("SK").s().split("/")[0]) {
        case "organisation" -> organisation = organisations.tableSchema().mapToItem(item);
        case "organisationMember" -> details.members.add(members.tableSchema().mapToItem(item));
        case "organisationService" -> details.services.add(services.tableSchema().mapToItem(item));
        default -> throw new IllegalStateException(item.toString());
      }
    }
    return new Details(organisation, details.members, details.services);
  }

  Organisation putOrganisation(Organisation organisation) {
    return organisations.updateItem(organisation);
  }

  void putServices(String id, Map<String, String> names) {
    enhanced.batchWriteItem(
        batch -> {
          var writes = WriteBatch.builder(Service.class).mappedTableResource(services);
          names.forEach(
              (service, serviceName) -> {
                Service record =
                    at(new Service(), "organisation/" + id, "organisationService/" + service);
                record.setServiceName(serviceName);
                writes.addPutItem(record);
              });
          batch.addWriteBatch(writes.build());
        });
  }

  // ---- Invitations and groups ----

  void invite(String email, String id, Instant now) {
    Organisation organisation =
        organisations.getItem(key("organisation/" + id, "organisation"));
    invitations.putItem(
        request ->
            request.item(invitation(email, organisation, now)).conditionExpression(NEW));
  }

  /** Makes the invited user a member. A second call fails. */
  void accept(User user, String id, Instant now) {
    Invitation accepted = new Invitation();
    at(accepted, "user/" + user.getEmailAddress(), "userOrganisation/" + id);
    accepted.setAcceptedAt(now);
    Expression open =
        Expression.builder()
            .expression("attribute_exists(invitedAt) AND attribute_not_exists(acceptedAt)")
            .build();
    enhanced.transactWriteItems(
        transaction ->
            transaction
                .addUpdateItem(
                    invitations,
                    TransactUpdateItemEnhancedRequest.builder(Invitation.class)
                        .item(accepted)
                        .ignoreNullsMode(IgnoreNullsMode.SCALAR_ONLY)
                        .conditionExpression(open)
                        .build())
                .addPutItem(members, put(Member.class, member(id, user, "member"))));
  }

  void decline(String email, String id) {
    invitations.deleteItem(invitationKey(email, id));
  }

  /** Adds a member to a group (ADD) or removes it (DELETE). Returns all groups of the member. */
  List<String> changeGroup(String action, String id, String email, String group) {
    UpdateItemResponse updated =
        client.updateItem(
            request ->
                request
                    .tableName(name)
                    .key(members.keyFrom(member(id, email)).primaryKeyMap(members.tableSchema()))
                    .updateExpression(action + " groupNames :group")
                    .conditionExpression("attribute_exists(PK)")
                    .expressionAttributeValues(
                        Map.of(":group", AttributeValue.fromSs(List.of(group))))
                    .returnValues(ReturnValue.ALL_NEW));
    AttributeValue groups = updated.attributes().get("groupNames");
    return groups == null ? List.of() : groups.ss().stream().sorted().toList();
  }

  private static Member member(String id, String email) {
    return at(new Member(), "organisation/" + id, "organisationMember/" + email);
  }
}
