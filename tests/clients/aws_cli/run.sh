#!/usr/bin/env bash
# Runs `aws dynamodb` against the endpoint and compares its output. Usage: run.sh <directory>
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
command=$1/installed/aws
export AWS_PAGER='' AWS_DEFAULT_OUTPUT=json
# shellcheck source=SCRIPTDIR/support.sh
source "$here/support.sh"

order() { jq -nc --arg pk "ORDER#$1" --arg sk "$2" '{PK: {S: $pk}, SK: {S: $sk}}'; }
lines() { # lines <first> <last>: write requests
  jq -nc --argjson first "$1" --argjson last "$2" '{shop: [range($first; $last + 1) |
    {PutRequest: {Item: {PK: {S: "ORDER#o2"}, SK: {S: "LINE#\(.)"}, n: {N: tostring}}}}]}'
}
numbers() {
  jq -nc --argjson first "$1" --argjson last "$2" '[range($first; $last + 1) | tostring]'
}

# ---- Tables ----

expect 'a table is created from a file' '"shop"' \
  create-table --cli-input-json "file://$here/table.json" --query TableDescription.TableName
expect 'the command waits for a table' '' wait table-exists --table-name shop
expect 'a table is described' '["ACTIVE", ["PK", "SK"], "ByState", 0, "NEW_AND_OLD_IMAGES"]' \
  describe-table --table-name shop --query 'Table.[TableStatus, KeySchema[].AttributeName,
    GlobalSecondaryIndexes[0].IndexName, ItemCount, StreamSpecification.StreamViewType]'
expect 'tables are listed' '{"TableNames": ["shop"]}' list-tables

# ---- Items ----

expect 'an item is put' '' put-item --table-name shop --item "file://$here/item.json"
expect 'an item is read' "$(jq '.total.N = "12.5" | {Item: .}' "$here/item.json")" \
  get-item --table-name shop --key "$(order o1 ORDER)"
expect 'an absent item prints nothing' '' get-item --table-name shop --key "$(order o9 ORDER)"
expect 'a projection with names returns parts of the item' \
  '{"Item": {"total": {"N": "12.5"}, "lines": {"L": [{"M": {"sku": {"S": "a-1"}}}]}}}' \
  get-item --table-name shop --key "$(order o1 ORDER)" --consistent-read \
  --projection-expression '#t, #l[0].sku' \
  --expression-attribute-names '{"#t": "total", "#l": "lines"}'
refuse 'a condition fails' \
  ConditionalCheckFailedException PutItem 'The conditional request failed' \
  put-item --table-name shop --item "$(order o1 ORDER)" \
  --condition-expression 'attribute_not_exists(PK)'
expect 'an update returns what it has changed' \
  '{"Attributes": {"total": {"N": "19.75"}, "paid": {"BOOL": true}}}' \
  update-item --table-name shop --key "$(order o1 ORDER)" \
  --update-expression 'SET #t = #t + :t, paid = :p REMOVE note' \
  --expression-attribute-names '{"#t": "total"}' \
  --expression-attribute-values '{":t": {"N": "7.25"}, ":p": {"BOOL": true}}' \
  --return-values UPDATED_NEW
refuse 'a reserved word is rejected' ValidationException UpdateItem \
  '1 validation error detected: Invalid UpdateExpression: Attribute name is a reserved keyword; reserved keyword: state' \
  update-item --table-name shop --key "$(order o1 ORDER)" \
  --update-expression 'SET state = :s' --expression-attribute-values '{":s": {"S": "x"}}'
# ---- Batches, queries and scans ----

expect 'a batch is written' '{"UnprocessedItems": {}}' \
  batch-write-item --request-items "$(lines 100 124)"
expect 'a deleted item is returned' '"100"' \
  delete-item --table-name shop --key "$(order o2 LINE#100)" --return-values ALL_OLD \
  --query Attributes.n.N
expect 'a batch is read' '[["101", "124"], {}]' \
  batch-get-item --request-items \
  "{\"shop\": {\"Keys\": [$(order o2 LINE#101), $(order o2 LINE#100), $(order o2 LINE#124)]}}" \
  --query '[sort(Responses.shop[].n.N), UnprocessedKeys]'
expect 'a scan reads all pages' '[25, 25, 25]' \
  scan --table-name shop --page-size 10 --query '[length(Items), Count, ScannedCount]'
expect 'a page is one request without paging' \
  "$(jq -nc --argjson key "$(order o2 LINE#103)" '{n: ["101", "102", "103"], key: $key}')" \
  query --table-name shop --no-paginate --limit 3 --key-condition-expression 'PK = :pk' \
  --expression-attribute-values '{":pk": {"S": "ORDER#o2"}}' \
  --query '{n: Items[].n.N, key: LastEvaluatedKey}'
token=$(run query --table-name shop --max-items 15 --page-size 10 \
  --key-condition-expression 'PK = :pk' \
  --expression-attribute-values '{":pk": {"S": "ORDER#o2"}}' --query NextToken | jq -r .)
expect 'a query continues at its token' "$(numbers 116 124)" \
  query --table-name shop --starting-token "$token" --key-condition-expression 'PK = :pk' \
  --expression-attribute-values '{":pk": {"S": "ORDER#o2"}}' --query 'Items[].n.N'
expect 'a query reads a range backwards' '["105", "104", "103"]' \
  query --table-name shop --no-scan-index-forward \
  --key-condition-expression 'PK = :pk AND SK BETWEEN :a AND :b' \
  --expression-attribute-values \
  '{":pk": {"S": "ORDER#o2"}, ":a": {"S": "LINE#103"}, ":b": {"S": "LINE#105"}}' \
  --query 'Items[].n.N'
expect 'ScannedCount includes filtered items' '[2, 24]' \
  query --table-name shop --select COUNT --key-condition-expression 'PK = :pk' \
  --filter-expression 'n IN (:x, :y, :z)' --expression-attribute-values \
  '{":pk": {"S": "ORDER#o2"}, ":x": {"N": "101"}, ":y": {"N": "1.19e2"}, ":z": {"N": "5"}}' \
  --query '[Count, ScannedCount]'
expect 'an index is queried' '[["ORDER#o1"], 1]' \
  query --table-name shop --index-name ByState \
  --key-condition-expression '#s = :s AND #t > :t' \
  --expression-attribute-names '{"#s": "state", "#t": "total"}' \
  --expression-attribute-values '{":s": {"S": "open"}, ":t": {"N": "9"}}' \
  --query '[Items[].PK.S, Count]'
refuse 'an unknown index is rejected' ValidationException Query \
  'The table does not have the specified index: Nowhere' \
  query --table-name shop --index-name Nowhere --key-condition-expression 'PK = :pk' \
  --expression-attribute-values '{":pk": {"S": "a"}}'

# ---- Transactions ----

expect 'a transaction is written' '' transact-write-items \
  --transact-items "file://$here/transaction.json"
cancelled='Transaction cancelled, please refer cancellation reasons for specific reasons'
refuse 'a transaction is cancelled' TransactionCanceledException TransactWriteItems \
  "$cancelled [ConditionalCheckFailed, None]" \
  transact-write-items --transact-items "file://$here/transaction.json"
expect 'a transaction reads items' '{"Responses": [{}, {"Item": {"state": {"S": "shipped"}}}]}' \
  transact-get-items --transact-items "$(jq -nc --argjson absent "$(order o9 ORDER)" \
    --argjson key "$(order o1 ORDER)" '[{Get: {TableName: "shop", Key: $absent}}, {Get: {
      TableName: "shop", Key: $key, ProjectionExpression: "#s",
      ExpressionAttributeNames: {"#s": "state"}}}]')"

# ---- The stream ----

arn=$(run --streams list-streams --table-name shop --query 'Streams[0].StreamArn' --output text)
shard=$(run --streams describe-stream --stream-arn "$arn" \
  --query 'StreamDescription.Shards[0].ShardId' --output text)
iterator=$(run --streams get-shard-iterator --stream-arn "$arn" --shard-id "$shard" \
  --shard-iterator-type TRIM_HORIZON --query ShardIterator --output text)
expect 'a stream has the changes' '[["INSERT", null], ["MODIFY", "12.5"], ["INSERT", null]]' \
  --streams get-records --shard-iterator "$iterator" --limit 3 \
  --query 'Records[].[eventName, dynamodb.OldImage.total.N]'

# ---- Settings of a table ----

expect 'a time to live is set' \
  '{"TimeToLiveSpecification": {"Enabled": true, "AttributeName": "expires"}}' \
  update-time-to-live --table-name shop \
  --time-to-live-specification Enabled=true,AttributeName=expires
expect 'an index is deleted' '"shop"' update-table --table-name shop \
  --global-secondary-index-updates '[{"Delete": {"IndexName": "ByState"}}]' \
  --query TableDescription.TableName
arn=${arn%/stream/*}
expect 'a table is tagged' '' tag-resource --resource-arn "$arn" --tags Key=stage,Value=test
expect 'a tag is removed' '' untag-resource --resource-arn "$arn" --tag-keys made-by
expect 'tags are listed' '{"Tags": [{"Key": "stage", "Value": "test"}]}' \
  list-tags-of-resource --resource-arn "$arn"
expect 'backups are listed' '[]' list-backups --query BackupSummaries

# ---- The end ----

expect 'a table is deleted' '"shop"' delete-table --table-name shop \
  --query TableDescription.TableName
expect 'the command waits until a table is deleted' '' wait table-not-exists --table-name shop
refuse 'a deleted table is not found' ResourceNotFoundException DescribeTable \
  'Requested resource not found: Table: shop not found' describe-table --table-name shop

echo "$passed passed, $failed failed"
((failed == 0 && passed > 0))
