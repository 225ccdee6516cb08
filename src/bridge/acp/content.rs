//! Content blocks: pieces of messages and of what tool calls produce.

use serde_json::value::RawValue;

use crate::bridge::json::{self, Object};
use crate::core::event::SessionEvent;
use crate::core::tool_call::{Diff, ImageData, ToolCallContent};
use crate::core::transcript::{Attachment, MessageKind};

/// A content block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Block {
    Text(String),
    Image(ImageData),
    /// A link or an embedded resource.
    Attachment(Attachment),
    /// Something we can't show, with its type word.
    Unsupported {
        kind: String,
    },
}

/// Reads a content block. Bare text is taken for a block of text.
pub(super) fn block(value: &RawValue) -> Block {
    match (Object::of(value), json::text(value)) {
        (Some(object), _) => block_of(&object),
        (None, Some(text)) => Block::Text(text.into_owned()),
        (None, None) => unsupported(""),
    }
}

fn block_of(object: &Object<'_>) -> Block {
    let kind = object.str("type").unwrap_or_default();
    let read = match &*kind {
        "text" | "" => object.text("text").map(Block::Text),
        "image" => image(object),
        "resource_link" => object.text("uri").map(|uri| {
            let name = object.text("name").or_else(|| object.text("title"));
            Block::Attachment(attachment(uri, name, None))
        }),
        "resource" => object
            .object("resource")
            .and_then(|resource| embedded(&resource)),
        _ => None,
    };
    read.unwrap_or_else(|| unsupported(&kind))
}

/// What a chunk of a message means. `None` when it holds nothing to show.
pub(super) fn chunk_event(
    kind: MessageKind,
    word: &str,
    block: Block,
    message_id: Option<String>,
) -> Option<SessionEvent> {
    match block {
        Block::Text(text) if text.is_empty() => None,
        Block::Text(text) => Some(SessionEvent::Text {
            kind,
            text,
            message_id,
        }),
        Block::Image(image) => Some(SessionEvent::Image { kind, image }),
        Block::Attachment(attachment) => Some(SessionEvent::Attachment { kind, attachment }),
        Block::Unsupported { kind } => Some(SessionEvent::Unrecognized {
            kind: format!("{word} {kind}"),
        }),
    }
}

/// Reads the content of a tool call: a list of items, or one item alone.
pub(super) fn tool_contents(value: &RawValue) -> Vec<ToolCallContent> {
    match json::items(value) {
        Some(items) => items.into_iter().map(tool_content).collect(),
        None => vec![tool_content(value)],
    }
}

fn tool_content(value: &RawValue) -> ToolCallContent {
    let Some(object) = Object::of(value) else {
        return content_of(block(value));
    };
    let kind = object.str("type").unwrap_or_default();
    let unsupported = || ToolCallContent::Unsupported {
        kind: kind.clone().into_owned(),
    };
    match &*kind {
        "content" => object
            .raw("content")
            .map_or_else(unsupported, |inner| content_of(block(inner))),
        "diff" => diff(&object).map_or_else(unsupported, ToolCallContent::Diff),
        "terminal" => object
            .text("terminalId")
            .map_or_else(unsupported, |id| ToolCallContent::Terminal { id }),
        _ => content_of(block_of(&object)),
    }
}

fn content_of(block: Block) -> ToolCallContent {
    match block {
        Block::Text(text) => ToolCallContent::Text(text),
        Block::Image(image) => ToolCallContent::Image(image),
        Block::Attachment(Attachment { uri, text, .. }) => ToolCallContent::Resource { uri, text },
        Block::Unsupported { kind } => ToolCallContent::Unsupported { kind },
    }
}

/// A change of a file. Without a new text the file is gone.
fn diff(object: &Object<'_>) -> Option<Diff> {
    Some(Diff {
        path: object.text("path")?,
        old_text: object.text("oldText"),
        new_text: object.text("newText").unwrap_or_default(),
    })
}

fn image(object: &Object<'_>) -> Option<Block> {
    let uri = object.text("uri");
    if let Some(base64) = object.text("data") {
        let media_type = object.text("mimeType").unwrap_or_default();
        return Some(Block::Image(ImageData {
            media_type,
            base64,
            uri,
        }));
    }
    uri.map(|uri| Block::Attachment(attachment(uri, None, None)))
}

fn embedded(resource: &Object<'_>) -> Option<Block> {
    let uri = resource.text("uri")?;
    let media_type = resource.text("mimeType").unwrap_or_default();
    match resource.text("blob") {
        Some(base64) if media_type.starts_with("image/") => Some(Block::Image(ImageData {
            media_type,
            base64,
            uri: Some(uri),
        })),
        Some(_) | None => Some(Block::Attachment(attachment(
            uri,
            None,
            resource.text("text"),
        ))),
    }
}

fn attachment(uri: String, name: Option<String>, text: Option<String>) -> Attachment {
    let name = name.filter(|name| !name.is_empty()).unwrap_or_else(|| {
        let last = uri.rsplit('/').find(|part| !part.is_empty());
        last.unwrap_or(&uri).to_owned()
    });
    Attachment { name, uri, text }
}

fn unsupported(kind: &str) -> Block {
    Block::Unsupported {
        kind: kind.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn raw(value: &Value) -> Box<RawValue> {
        RawValue::from_string(value.to_string()).unwrap()
    }

    fn image_data(uri: Option<&str>) -> ImageData {
        ImageData {
            media_type: "image/png".to_owned(),
            base64: "iVBO".to_owned(),
            uri: uri.map(str::to_owned),
        }
    }

    fn file(name: &str, uri: &str, text: Option<&str>) -> Block {
        Block::Attachment(Attachment {
            name: name.to_owned(),
            uri: uri.to_owned(),
            text: text.map(str::to_owned),
        })
    }

    #[test]
    fn blocks() {
        let cases = [
            (
                json!({"type": "text", "text": "a"}),
                Block::Text("a".to_owned()),
            ),
            (
                json!({"type": "text", "text": "a", "annotations": 7, "_meta": null}),
                Block::Text("a".to_owned()),
            ),
            (json!({"text": "a"}), Block::Text("a".to_owned())),
            (json!("a"), Block::Text("a".to_owned())),
            (
                json!({"type": "image", "data": "iVBO", "mimeType": "image/png"}),
                Block::Image(image_data(None)),
            ),
            (
                json!({"type": "image", "uri": "file:///a/b.png"}),
                file("b.png", "file:///a/b.png", None),
            ),
            (
                json!({"type": "resource_link", "name": "b", "uri": "file:///a/b.rs"}),
                file("b", "file:///a/b.rs", None),
            ),
            (
                json!({"type": "resource_link", "uri": "x://"}),
                file("x:", "x://", None),
            ),
            (
                json!({"type": "resource", "resource": {"uri": "file:///a.txt", "text": "hi"}}),
                file("a.txt", "file:///a.txt", Some("hi")),
            ),
            (
                json!({"type": "resource", "resource": {"uri": "u", "blob": "iVBO", "mimeType": "image/png"}}),
                Block::Image(image_data(Some("u"))),
            ),
            (
                json!({"type": "resource", "resource": {"uri": "u", "blob": "AAAA"}}),
                file("u", "u", None),
            ),
            (
                json!({"type": "audio", "data": "x", "mimeType": "audio/wav"}),
                unsupported("audio"),
            ),
            (
                json!({"type": "smell", "data": "pine"}),
                unsupported("smell"),
            ),
            (json!({"type": "text"}), unsupported("text")),
            (json!({}), unsupported("")),
            (json!(7), unsupported("")),
        ];
        for (wire, expected) in cases {
            assert_eq!(block(&raw(&wire)), expected, "{wire}");
        }
    }

    #[test]
    fn contents_of_tool_calls() {
        let text = |text: &str| ToolCallContent::Text(text.to_owned());
        let unsupported = |kind: &str| ToolCallContent::Unsupported {
            kind: kind.to_owned(),
        };
        let change = |old: Option<&str>, new: &str| {
            ToolCallContent::Diff(Diff {
                path: "/a".to_owned(),
                old_text: old.map(str::to_owned),
                new_text: new.to_owned(),
            })
        };
        let cases = [
            (json!([]), vec![]),
            (
                json!([{"type": "smell", "data": "pine"}, {"type": "content", "content": {"type": "text", "text": "ok"}}]),
                vec![unsupported("smell"), text("ok")],
            ),
            (
                json!([{"type": "diff", "path": "/a", "oldText": null, "newText": "n"}]),
                vec![change(None, "n")],
            ),
            (
                json!([{"type": "diff", "path": "/a", "oldText": "", "newText": "n"}]),
                vec![change(Some(""), "n")],
            ),
            (
                json!([{"type": "diff", "path": "/a", "oldText": "o"}]),
                vec![change(Some("o"), "")],
            ),
            (
                json!([{"type": "diff", "newText": "n"}]),
                vec![unsupported("diff")],
            ),
            (
                json!([{"type": "terminal", "terminalId": "t1"}, {"type": "terminal"}]),
                vec![
                    ToolCallContent::Terminal {
                        id: "t1".to_owned(),
                    },
                    unsupported("terminal"),
                ],
            ),
            (
                json!([{"type": "content", "content": {"type": "image", "data": "iVBO", "mimeType": "image/png"}}]),
                vec![ToolCallContent::Image(image_data(None))],
            ),
            (
                json!([{"type": "content", "content": {"type": "resource_link", "name": "n", "uri": "u"}}]),
                vec![ToolCallContent::Resource {
                    uri: "u".to_owned(),
                    text: None,
                }],
            ),
            (
                json!([{"type": "content"}, null, 7]),
                vec![unsupported("content"), unsupported(""), unsupported("")],
            ),
            (
                json!({"type": "text", "text": "alone"}),
                vec![text("alone")],
            ),
            (json!("bare"), vec![text("bare")]),
        ];
        for (wire, expected) in cases {
            assert_eq!(tool_contents(&raw(&wire)), expected, "{wire}");
        }
    }
}
