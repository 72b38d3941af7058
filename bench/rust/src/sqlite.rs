//! Reads by rusqlite, with a column for each attribute.

use std::sync::{Arc, Mutex};

use rusqlite::{params, Connection};
use serde_json::json;

use crate::calls::{read_calls, text, Call, Item};
use crate::ways::{Found, Prepare, Read};
use crate::AnyError;

const COLUMNS: [&str; 9] = [
    "PK",
    "SK",
    "body",
    "conversationId",
    "createdAt",
    "messageId",
    "senderId",
    "type",
    "edited",
];

/// The columns of a message: eight texts, and `edited`.
pub struct Row([String; 8], bool);

impl Row {
    pub fn item(&self) -> Item {
        let texts = COLUMNS.iter().zip(&self.0);
        let texts = texts.map(|(name, text)| ((*name).to_owned(), json!({"S": text})));
        texts
            .chain([("edited".to_owned(), json!({"BOOL": self.1}))])
            .collect()
    }
}

fn rows(connection: &Connection, sql: &str, values: &[String]) -> rusqlite::Result<Vec<Row>> {
    let mut statement = connection.prepare_cached(sql)?;
    let values = rusqlite::params_from_iter(values);
    let rows = statement.query_map(values, |row| {
        let mut texts: [String; 8] = Default::default();
        for (index, text) in texts.iter_mut().enumerate() {
            *text = row.get(index)?;
        }
        Ok(Row(texts, row.get(8)?))
    })?;
    rows.collect()
}

fn prepare(connection: &Arc<Mutex<Connection>>, call: &Call) -> Read {
    let (sql, values) = if call.is_get() {
        let key = call.texts("Key");
        (
            "SELECT * FROM chat WHERE PK = ? AND SK = ?",
            vec![key["PK"].clone(), key["SK"].clone()],
        )
    } else {
        let values = call.texts("ExpressionAttributeValues");
        let (pk, prefix) = (values[":pk"].clone(), values[":prefix"].clone());
        let end = format!("{prefix}\u{10ffff}");
        (
            "SELECT * FROM chat WHERE PK = ? AND SK BETWEEN ? AND ? ORDER BY SK DESC LIMIT 50",
            vec![pk, prefix, end],
        )
    };
    let connection = connection.clone();
    Box::new(move || {
        let found = rows(&connection.lock().unwrap(), sql, &values);
        Box::pin(async { Ok(Found::Rows(found?)) })
    })
}

pub fn sqlite() -> Result<Prepare, AnyError> {
    let connection = Connection::open_in_memory()?;
    let columns = COLUMNS.join(", ");
    let table = format!("CREATE TABLE chat ({columns}, PRIMARY KEY (PK, SK)) WITHOUT ROWID");
    connection.execute(&table, [])?;
    for call in read_calls("messages")? {
        for item in call.items.unwrap_or_default() {
            let t = |name: &str| text(&item[name]).to_owned();
            connection
                .prepare_cached("INSERT INTO chat VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")?
                .execute(params![
                    t("PK"),
                    t("SK"),
                    t("body"),
                    t("conversationId"),
                    t("createdAt"),
                    t("messageId"),
                    t("senderId"),
                    t("type"),
                    item["edited"]["BOOL"].as_bool()
                ])?;
        }
    }
    let connection = Arc::new(Mutex::new(connection));
    Ok(Box::new(move |call| prepare(&connection, call)))
}
