"""The rules by which DynamoDB, and so Dolmen, refuses requests.

A peer that does not know a rule has another message, reports another error of the request, or
accepts it. The messages, and which of several errors is reported, are those that clients have
recorded on DynamoDB, most of them in us-east-1 in October 2026.
"""

from known import CANCELED, ERROR, INVALID, OPV, RUNTIME, SUCCESS, V, Known, mentions, same_but

# The messages of each rule.
RULES = {
    "a JSON value of a wrong type": "Serialization: .*",
    "a violated constraint of the API's model": r"Validation: (\d+ validation errors? detected: .*)?"
    "[Ff]ailed to satisfy constraint.*",
    "the name of a table": V + "(TableName must be at least|The parameter 'TableName' is required|"
    "Invalid (table|TableArn|resource)).*",
    "a batch without tables": V + "The requestItems parameter is required .*",
    "an invalid attribute value": V
    + "(ExpressionAttributeValues contains invalid value: |One or more parameter values were invalid: )?"
    "(Supplied AttributeValue|The parameter cannot be converted|Number "
    "(over|under)flow|Attempting to "
    "store more|Input collection|Null attribute|An (string|number) set|Binary sets).*",
    "too deep a value": V
    + "(ExpressionAttributeValues contains .*)?Nesting Levels have exceeded .*",
    "an item of more than 400 KB": V + "Item size (to update )?has exceeded.*",
    "an empty attribute name": V + "Empty attribute name",
    "the placeholders of an expression": V
    + "(Value provided in )?ExpressionAttribute(Names|Values) .*",
    "expressions beside legacy parameters": V + "Can not use both expression and .*",
    "the operands of an expression": INVALID
    + "(Incorrect (number of operands|operand type)|Operator or function requires|The first operand must "
    "be distinct|The (BETWEEN|IN) operator|Invalid attribute type name|The function is not "
    "allowed).*",
    "paths that overlap": INVALID + "Two document paths .*",
    "redundant parentheses": INVALID + "The expression has redundant parentheses;",
    "an invalid expression": INVALID + ".*",
    "a path into a key": V + "Key attributes must be scalars; .*",
    "the conditions on a key": V
    + "(KeyConditionExpressions? |Invalid (operator|condition) |Conditions can be of length|"
    "Query condition missed|The number of query conditions|Either the KeyConditions or|Query key "
    "condition not|Query filter contains|Attempted conditional constraint|One or more parameter "
    "values "
    "were invalid: Condition parameter type|(One or more .*)?.*ComparisonOperator.* not supported "
    "for "
    "the key).*",
    "a filter on a key": V + "(Filter Expression|QueryFilter|QueryFilter.*) can only contain .*",
    "the projection of a request": V
    + "(Cannot specify the (AttributesToGet|ProjectionExpression)|Must specify the AttributesToGet|"
    "ALL_PROJECTED_ATTRIBUTES can|One or more parameter values were invalid: (Select "
    "type|Duplicate "
    "value in attribute name|Global secondary index .* does not project)).*",
    "an unknown index": V + "The table does not have the specified index.*",
    "a consistent read of a global index": V + "Consistent reads are not supported .*",
    "a key that does not match the schema": V
    + "(The provided key element does not match the schema|One or more parameter values were invalid: "
    "(Missing the key|Type mismatch for|Size of hashkey|Aggregated size|The AttributeValue for a "
    "key)|"
    "One or more parameter values are not valid).*",
    "an update of a key": OPV + "Cannot update attribute .*",
    "a start key": V + "(The provided (starting|exclusive start) key|Exclusive Start Key).*",
    "the segments of a scan": V + "The (TotalSegments|Segment) parameter .*",
    "a ReturnValues that the operation lacks": V + "ReturnValues can only be .*",
    "an action of a transaction": V + "TransactItems can only contain one of .*",
    "two actions on one item": V
    + "(Transaction request cannot include multiple|Provided list of item keys contains duplicates).*",
    "a legacy condition or update": V
    + "(ConditionalOperator c|The BETWEEN condition|One or more parameter values were invalid: "
    "(ComparisonOperator|AttributeValues inside|AttributeValueList|Invalid number of "
    "argument|Value or "
    "AttributeValueList|Value cannot be used|Exists|Cannot expect|.* for Attribute: |Only DELETE|.*"
    "action)).*",
    "the definition of a table": V
    + "(One or more parameter values were invalid: (Some|Number of attributes|Duplicate|Table KeySchema|"
    "Invalid KeySchema|Invalid KeyType|ReadCapacityUnits|ProjectionType|Unknown ProjectionType|"
    "One or more|Neither|Both|Table is being created with a stream|ProvisionedThroughput|Index|List "
    "of|Too|Property|Attribute)|"
    "Invalid KeySchema|Provisioned).*",
    "an invalid statement": V
    + "(Statement wasn't well formed|Ion Literals|A path may contain|Path component cannot|FROM clause may|This operation "
    "is not supported on an index|RETURNING is not|Unexpected (path|from|token)|Unsupported |"
    "Unrecognized function|Aliasing is|IN operator must|Select (projection|statements within)|Only "
    "select from|The (left hand side|(first |second )?arguments? to|function is not allowed)|"
    "SET_(ADD|DELETE) must|Two document paths overlap|Invalid returning|RETURNING clause|Number of "
    "parameters|Duplicate (identifiers|keys) in|Tuple keys|Variable reference|Must have|Where clause|"
    "WHERE clause|Key (attribute|value)|ExecuteTransaction API|EXISTS|Read and write|Table name should|"
    "Overlapping conditions|Strongly consistent|Incorrect (operand|number)|The BETWEEN|Invalid "
    "attribute type name|Changing item's hierarchy|Expected|Empty|Missing|MISSING must).*",
    "a NextToken": V + "Invalid NextToken",
    "an index key in a statement": V
    + ".*(update expression attempted to update (a|the) secondary index key|Type mismatch for Index Key|"
    "(Secondary|Global secondary) index \\w+ does not project).*",
    "an INSERT of an item that exists": "DuplicateItem: .*",
    "a ClientRequestToken with other parameters": "IdempotentParameterMismatch: .*",
    "a failure of the update itself": RUNTIME,
    "a canceled transaction": CANCELED,
    "a missing table": "Resource(NotFound|InUse): .*",
}

# These parts of an error's message stand around the words of a rule.
AROUND = r"^1 validation error detected: |^ExpressionAttributeValues contains invalid value: | for key :\w+$"
WHY = "Clients have recorded this refusal on DynamoDB."


def rules(peer, accepts):
    """Returns a peer's differences for all rules. `accepts` names the rules that the peer lacks."""
    return [
        Known(
            f"{peer} has the same words without the envelope of June 2026, or with another wrapper.",
            "DynamoDB puts the envelope around errors of PutItem, UpdateItem and DeleteItem.",
            "Validation: .*",
            "Validation: .*",
            same_but(AROUND),
        ),
        *(
            Known(f"{peer} reports another error for {rule}.", WHY, pattern, ERROR)
            for rule, pattern in RULES.items()
        ),
        *(Known(f"{peer} accepts {rule}.", WHY, RULES[rule], SUCCESS) for rule in accepts),
    ]


def accepts_underscore(peer):
    return Known(
        f"{peer} accepts a bare name that begins with an underscore.",
        "The Developer Guide (Expression attribute names): the first character of a bare name is a letter.",
        INVALID + 'Syntax error; token: "_".*',
        SUCCESS,
    )


def refuses_operands_of_in(peer):
    return Known(
        f"{peer} takes the parentheses around an operand of IN for redundant.",
        "The outer parentheses belong to the operator. dynalite, whose author compared it with DynamoDB, evaluates the "
        "same expressions.",
        SUCCESS,
        INVALID + "The expression has redundant parentheses;",
        mentions(r"\bIN\s*\(.*\("),
    )


def refuses_null(peer, words):
    return Known(
        f"{peer} refuses an attribute whose value is a JSON null.",
        "DynamoDB reads a JSON null as an absent member.",
        "success",
        V + "Supplied AttributeValue " + words,
        lambda difference: "None" in str(difference.request),
    )
