//! Reading JSON that may have any form: what is not as expected is absent, and spoils nothing beside it.

use std::borrow::Cow;
use std::fmt;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde_json::Value;
use serde_json::value::RawValue;

/// An object whose members are read one by one. Of members with one name the last counts, `null` is absent.
#[derive(Debug, Default, Clone)]
pub struct Object<'a>(Vec<(Cow<'a, str>, Member<'a>)>);

#[derive(Debug, Clone)]
enum Member<'a> {
    Raw(&'a RawValue),
    /// An object that was read together with the one around it. It has no text of its own any more.
    Read(Object<'a>),
    /// No object, where only one counts.
    Other,
}

impl<'a> Object<'a> {
    /// The object that a text holds, if it holds one.
    pub fn parse(text: &'a str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// The same, with the object in the first of these members read in the same go, and in that one the next: what
    /// lies deep would be gone through once for each object around it. Such a member counts as an object only.
    pub fn parse_along(text: &'a str, path: &'static [&'static str]) -> Option<Self> {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let object = ObjectSeed { path }.deserialize(&mut deserializer).ok();
        object
            .filter(|_| deserializer.end().is_ok())
            // A value out of bounds, such as 1e999, spoils nothing beside it when it is not read.
            .or_else(|| Self::parse(text))
    }

    /// The object that a value is, if it is one.
    pub fn of(value: &'a RawValue) -> Option<Self> {
        begins_with(value, '{').and_then(Self::parse)
    }

    /// All members, in the order in which they stand.
    pub fn members(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        let members = self.0.iter();
        members.filter_map(|(name, member)| Some((&**name, member.raw()?)))
    }

    /// Whether a member is there, `null` included.
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known == name)
    }

    /// A member as it is written.
    pub fn raw(&self, name: &str) -> Option<&'a RawValue> {
        self.raw_or_null(name).filter(|value| value.get() != "null")
    }

    /// A member as it is written, `null` included.
    pub fn raw_or_null(&self, name: &str) -> Option<&'a RawValue> {
        self.member(name)?.raw()
    }

    fn member(&self, name: &str) -> Option<&Member<'a>> {
        let mut members = self.0.iter().rev();
        let found = members.find(|(known, _)| known == name);
        found.map(|(_, member)| member)
    }

    /// A member that is text.
    pub fn text(&self, name: &str) -> Option<String> {
        self.str(name).map(Cow::into_owned)
    }

    /// A member that is text, without a copy where it can be had.
    pub fn str(&self, name: &str) -> Option<Cow<'a, str>> {
        self.raw(name).and_then(text)
    }

    /// A member that is an object.
    pub fn object(&self, name: &str) -> Option<Self> {
        match self.member(name)? {
            Member::Raw(value) => Self::of(value),
            Member::Read(object) => Some(object.clone()),
            Member::Other => None,
        }
    }

    /// Takes a member that is an object out.
    pub fn take_object(&mut self, name: &str) -> Option<Self> {
        let mut members = self.0.iter_mut().rev();
        let (_, member) = members.find(|(known, _)| known == name)?;
        match std::mem::replace(member, Member::Other) {
            Member::Raw(value) => Self::of(value),
            Member::Read(object) => Some(object),
            Member::Other => None,
        }
    }

    /// The items of a member that is an array.
    pub fn list(&self, name: &str) -> Option<Vec<&'a RawValue>> {
        self.raw(name).and_then(items)
    }

    /// The objects in a member that is an array; other items are left out.
    pub fn objects(&self, name: &str) -> Option<Vec<Self>> {
        let items = self.list(name)?;
        Some(items.into_iter().filter_map(Self::of).collect())
    }

    /// A member that is a whole number from 0 on, also when it is written as a fraction.
    pub fn number(&self, name: &str) -> Option<u64> {
        let text = self.raw(name)?.get();
        let fraction = || {
            let number: f64 = serde_json::from_str(text).ok()?;
            (number >= 0.0 && number < u64::MAX as f64).then_some(number as u64)
        };
        serde_json::from_str(text).ok().or_else(fraction)
    }

    /// A member that is a number.
    pub fn float(&self, name: &str) -> Option<f64> {
        serde_json::from_str(self.raw(name)?.get()).ok()
    }

    /// A member that is `true` or `false`.
    pub fn flag(&self, name: &str) -> Option<bool> {
        serde_json::from_str(self.raw(name)?.get()).ok()
    }

    /// A member of any form.
    pub fn value(&self, name: &str) -> Option<Value> {
        self.raw(name).map(value)
    }
}

/// The text that a value is. Halves of surrogate pairs, which agents write when they cut text, are replaced.
pub fn text(value: &RawValue) -> Option<Cow<'_, str>> {
    let text = begins_with(value, '"')?;
    let plain = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    if let Some(plain) = plain.filter(|plain| memchr::memchr(b'\\', plain.as_bytes()).is_none()) {
        return Some(Cow::Borrowed(plain));
    }
    match serde_json::from_str::<Text<'_>>(text) {
        Ok(Text(text)) => Some(text),
        Err(_) => serde_json::from_str::<Lossy>(text)
            .ok()
            .map(|Lossy(text)| Cow::Owned(text)),
    }
}

/// The items of a value that is an array.
pub fn items(value: &RawValue) -> Option<Vec<&RawValue>> {
    serde_json::from_str::<Items<'_>>(begins_with(value, '[')?)
        .ok()
        .map(|Items(items)| items)
}

/// A value as it is written, if it is of the kind that begins with this. To have the parser say that it is not costs
/// ten times as much as to read it.
fn begins_with(value: &RawValue, first: char) -> Option<&str> {
    Some(value.get()).filter(|text| text.starts_with(first))
}

/// A value of any form. What is nested too deeply or holds half a surrogate pair is kept as it is written.
pub fn value(value: &RawValue) -> Value {
    serde_json::from_str(value.get()).unwrap_or_else(|_| Value::String(value.get().to_owned()))
}

struct Text<'a>(Cow<'a, str>);

struct Lossy(String);

struct Items<'a>(Vec<&'a RawValue>);

/// Reads an object, and what lies on this path in it.
struct ObjectSeed {
    path: &'static [&'static str],
}

/// Reads a member that counts as an object only.
struct MemberSeed {
    path: &'static [&'static str],
}

struct TextVisitor;

struct LossyVisitor;

struct ItemsVisitor;

impl<'de> Deserialize<'de> for Object<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        ObjectSeed { path: &[] }.deserialize(deserializer)
    }
}

impl<'de> DeserializeSeed<'de> for ObjectSeed {
    type Value = Object<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Object<'de>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for ObjectSeed {
    type Value = Object<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object<'de>, A::Error> {
        let mut members = Vec::with_capacity(8);
        while let Some(Text(name)) = map.next_key::<Text<'de>>()? {
            let member = match self.path.split_first() {
                Some((first, path)) if name == *first => {
                    map.next_value_seed(MemberSeed { path })?
                }
                Some(_) | None => Member::Raw(map.next_value()?),
            };
            members.push((name, member));
        }
        Ok(Object(members))
    }
}

impl<'de> DeserializeSeed<'de> for MemberSeed {
    type Value = Member<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Member<'de>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for MemberSeed {
    type Value = Member<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Member<'de>, A::Error> {
        let Self { path } = self;
        ObjectSeed { path }.visit_map(map).map(Member::Read)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Member<'de>, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Member::Other)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Member<'de>, E> {
        Ok(Member::Other)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Member<'de>, E> {
        Ok(Member::Other)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Member<'de>, E> {
        Ok(Member::Other)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Member<'de>, E> {
        Ok(Member::Other)
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Member<'de>, E> {
        Ok(Member::Other)
    }

    fn visit_unit<E: Error>(self) -> Result<Member<'de>, E> {
        Ok(Member::Other)
    }
}

impl<'a> Member<'a> {
    fn raw(&self) -> Option<&'a RawValue> {
        match self {
            Self::Raw(value) => Some(value),
            Self::Read(_) | Self::Other => None,
        }
    }
}

impl<'de> Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TextVisitor)
    }
}

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Text<'de>, E> {
        Ok(Text(Cow::Borrowed(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Text<'de>, E> {
        Ok(Text(Cow::Owned(text.to_owned())))
    }
}

impl<'de> Deserialize<'de> for Lossy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(LossyVisitor)
    }
}

impl Visitor<'_> for LossyVisitor {
    type Value = Lossy;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Lossy, E> {
        Ok(Lossy(String::from_utf8_lossy(bytes).into_owned()))
    }
}

impl<'de> Deserialize<'de> for Items<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ItemsVisitor)
    }
}

impl<'de> Visitor<'de> for ItemsVisitor {
    type Value = Items<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Items<'de>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Items(items))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn members_of_another_form_are_absent() {
        let object = Object::parse(
            r#"{"a":"x","b":3,"c":null,"d":{"e":1},"f":[1,{"g":2}],"h":true,"n":-1,"o":2.0,"p":1.5e300}"#,
        )
        .unwrap();
        assert_eq!(object.text("a").as_deref(), Some("x"));
        assert_eq!(object.number("b"), Some(3));
        assert_eq!(object.number("o"), Some(2));
        assert_eq!(object.object("d").unwrap().number("e"), Some(1));
        assert_eq!(object.objects("f").unwrap().len(), 1);
        assert_eq!(object.flag("h"), Some(true));
        for name in ["b", "c", "d", "f", "h", "missing"] {
            assert_eq!(object.text(name), None, "{name}");
        }
        for name in ["a", "c", "d", "f", "h", "n", "p"] {
            assert_eq!(object.number(name), None, "{name}");
        }
        assert!(object.has("c"));
        assert!(object.raw("c").is_none());
        assert!(object.object("f").is_none());
        assert!(object.list("d").is_none());
    }

    #[test]
    fn of_members_with_one_name_the_last_counts() {
        let object = Object::parse(r#"{"a":1,"a":2}"#).unwrap();
        assert_eq!(object.number("a"), Some(2));
    }

    const PATH: &[&str] = &["params", "update"];

    /// What stands at the path, read in one go and one by one.
    fn both_ways(text: &str) -> [Option<String>; 2] {
        let shown = |frame: Option<Object<'_>>| {
            let mut frame = frame?;
            let has = (frame.has("params"), frame.raw("id").map(RawValue::get));
            let has = format!("{has:?}");
            let Some(params) = frame.take_object("params") else {
                return Some(has);
            };
            let name = params.str("sessionId");
            let has = format!("{has} {name:?} {}", params.has("update"));
            let members = params.object("update").map(|update| {
                let members = update.members();
                members
                    .map(|(name, value)| format!("{name}={value}"))
                    .collect::<Vec<_>>()
            });
            Some(format!("{has} {members:?}"))
        };
        [
            shown(Object::parse_along(text, PATH)),
            shown(Object::parse(text)),
        ]
    }

    #[test]
    fn what_is_read_along_is_what_is_read_one_by_one() {
        let deep = format!("{}{}", "[".repeat(500), "]".repeat(500));
        let update = |value: &str| {
            format!(r#"{{"id":7,"params":{{"sessionId":"s","update":{value}}},"x":1}}"#)
        };
        let cases = [
            update(r#"{"a":1,"b":{"update":{}},"a":[2]}"#),
            update(&format!(r#"{{"a":{deep}}}"#)),
            update(&deep),
            update("1e999"),
            update(r#"{"a":1e999}"#),
            update(r#""x\ud83dy""#),
            update(r#"{"a":"x\ud83dy"}"#),
            update("null"),
            update("true"),
            update("-1.5"),
            update("{,}"),
            r#"{"params":{"update":{"a":1},"update":{"b":2}}}"#.to_owned(),
            r#"{"params":{"update":{"a":1}},"params":{"c":1}}"#.to_owned(),
            r#"{"params":[{"update":{}}]}"#.to_owned(),
            r#"{"params":null}"#.to_owned(),
            r#"{"update":{"params":{}}}"#.to_owned(),
            r#"{"params":{}} x"#.to_owned(),
            "[]".to_owned(),
            String::new(),
        ];
        for case in cases {
            let [along, one_by_one] = both_ways(&case);
            assert_eq!(along, one_by_one, "{case}");
        }
        let [known, _] = both_ways(&update(r#"{"a":1}"#));
        assert_eq!(
            known.as_deref(),
            Some(r#"(true, Some("7")) Some("s") true Some(["a=1"])"#)
        );
    }

    #[test]
    fn half_a_surrogate_pair_loses_no_other_text() {
        let object = Object::parse(r#"{"a":"x\ud83dy","b":"\ud83d\ude00\n"}"#).unwrap();
        let lossy = object.text("a").unwrap();
        assert!(lossy.starts_with('x') && lossy.ends_with('y'), "{lossy}");
        assert_eq!(object.text("b").as_deref(), Some("\u{1f600}\n"));
        assert_eq!(object.value("a"), Some(json!(r#""x\ud83dy""#)));
    }

    #[test]
    fn a_value_of_any_depth_is_read() {
        let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
        let text = format!(r#"{{"a":{deep},"b":1}}"#);
        let object = Object::parse(&text).unwrap();
        assert_eq!(object.value("a"), Some(json!(deep)));
        assert_eq!(object.number("b"), Some(1));
    }
}
