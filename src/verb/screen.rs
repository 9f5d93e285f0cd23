//! `screen`: what the screen shows.

use std::time::Instant;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::fault::Fault;
use crate::session::Session;
use crate::view::{self, Look};

use super::{Bytes, Reply};

/// How many cells are told at once.
const CELLS_AT_ONCE: u32 = 100_000;

/// A form of the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// Text, a line a row.
    #[default]
    Text,
    /// Text with the escapes that draw it again.
    Ansi,
    /// An object.
    Json,
    /// A page for a browser.
    Html,
    /// A picture.
    Svg,
}

/// What `screen` takes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Show {
    /// In which form.
    pub format: Format,
    /// What of it.
    pub look: Look,
    /// Only the rows that changed after this revision.
    pub since: Option<u64>,
}

/// The screen in the form that was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// Text and ansi: what is printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rendered: Option<Bytes>,
    /// Json: the fields.
    #[serde(rename = "")]
    pub fields: Map<String, Value>,
}

impl Shown {
    /// What is printed.
    pub fn rendered(&self) -> Vec<u8> {
        match &self.rendered {
            Some(bytes) => bytes.0.clone(),
            None => format!("{}\n", Value::Object(self.fields.clone())).into_bytes(),
        }
    }
}

impl Show {
    pub(super) fn perform(&self, session: &mut Session, now: Instant) -> Result<Reply, Fault> {
        self.check_cells(session)?;
        let revision = session.revisions(now).current();
        let changed = self
            .since
            .map(|since| session.revisions(now).since(since).collect::<Vec<_>>());
        let mut shown = view(session.screen(), self.format, &self.look)?;
        if self.format == Format::Json {
            shown.fields.insert("revision".to_owned(), json!(revision));
        }
        if let Some(changed) = changed {
            let screen = session.screen();
            if self.format == Format::Json {
                let rows: Vec<_> = changed
                    .into_iter()
                    .map(|row| json!({ "row": row, "text": screen.row_text(row, true) }))
                    .collect();
                shown.fields.remove("lines");
                shown.fields.insert("changed".to_owned(), json!(rows));
            } else {
                let rows: Vec<_> = changed
                    .into_iter()
                    .map(|row| format!("{row}\t{}\n", screen.row_text(row, true)))
                    .collect();
                shown.rendered = Some(Bytes(rows.concat().into_bytes()));
            }
        }
        Ok(Reply::Shown(Box::new(shown)))
    }
}

impl Show {
    /// A host has others to serve: cells are not told by the hundred thousand at once.
    fn check_cells(&self, session: &Session) -> Result<(), Fault> {
        let size = session.screen().size();
        let rows = self.look.rows.clone().unwrap_or(0..size.rows);
        let rows = rows.end.min(size.rows).saturating_sub(rows.start);
        let cells = u32::from(rows) * u32::from(size.cols);
        if self.look.cells && cells > CELLS_AT_ONCE {
            return Err(
                Fault::usage(format!("{cells} cells are too many at once")).hint(format!(
                    "--rows A:B asks for some of them; {CELLS_AT_ONCE} at most"
                )),
            );
        }
        Ok(())
    }
}

/// A screen in a form; what `render` and `screen` share.
///
/// # Errors
/// When what was asked for is not there.
pub fn view(screen: &crate::term::Screen, format: Format, look: &Look) -> Result<Shown, Fault> {
    Ok(match format {
        Format::Text => Shown {
            rendered: Some(Bytes(view::text(screen, look))),
            fields: Map::new(),
        },
        Format::Ansi => Shown {
            rendered: Some(Bytes(view::ansi(screen, look))),
            fields: Map::new(),
        },
        Format::Html => Shown {
            rendered: Some(Bytes(view::html(screen, look))),
            fields: Map::new(),
        },
        Format::Svg => Shown {
            rendered: Some(Bytes(view::svg(screen, look))),
            fields: Map::new(),
        },
        Format::Json => Shown {
            rendered: None,
            fields: match view::json(screen, look) {
                Value::Object(fields) => fields,
                _ => Map::new(),
            },
        },
    })
}
