package directory;

import java.time.Instant;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;

/** An invitation of a user to an organisation, which the user can have accepted. */
@DynamoDbBean
public class Invitation extends Keyed {
  private String organisationId;
  private String organisationName;
  private Instant invitedAt;
  private Instant acceptedAt;

  public String getOrganisationId() {
    return organisationId;
  }

  public void setOrganisationId(String organisationId) {
    this.organisationId = organisationId;
  }

  public String getOrganisationName() {
    return organisationName;
  }

  public void setOrganisationName(String organisationName) {
    this.organisationName = organisationName;
  }

  public Instant getInvitedAt() {
    return invitedAt;
  }

  public void setInvitedAt(Instant invitedAt) {
    this.invitedAt = invitedAt;
  }

  public Instant getAcceptedAt() {
    return acceptedAt;
  }

  public void setAcceptedAt(Instant acceptedAt) {
    this.acceptedAt = acceptedAt;
  }
}
