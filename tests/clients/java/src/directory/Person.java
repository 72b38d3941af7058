package directory;

import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbSecondaryPartitionKey;

/** A person's details. The user's record has them, and each membership has a copy. */
public abstract class Person extends Keyed {
  private String emailAddress;
  private String firstName;
  private String phone;

  @DynamoDbSecondaryPartitionKey(indexNames = Directory.BY_EMAIL)
  public String getEmailAddress() {
    return emailAddress;
  }

  public void setEmailAddress(String emailAddress) {
    this.emailAddress = emailAddress;
  }

  public String getFirstName() {
    return firstName;
  }

  public void setFirstName(String firstName) {
    this.firstName = firstName;
  }

  public String getPhone() {
    return phone;
  }

  public void setPhone(String phone) {
    this.phone = phone;
  }
}
