//! Values of expressions.
use crate::smt::{Flag, Script, Term, Word};
use std::rc::Rc;

/// A value, known or symbolic.
#[derive(Clone, PartialEq)]
pub(crate) enum Value {
    /// An integer whose type is not known yet.
    Literal(u128),
    Word(Word),
    Flag(Flag),
    Tuple(Vec<Value>),
    Struct(String, Vec<(String, Value)>),
    /// `Option` and `Result`: whether it is `Some` or `Ok`, and what is in it then. Reasons of an `Err` are left out.
    Maybe(Flag, Option<Box<Value>>),
    /// `x.into()`: the type comes from the context.
    Into(Word),
    Closure(Code),
    Unit,
    /// The value of an expression that control does not leave, such as `return`.
    Never,
}

/// A closure, compared by identity.
#[derive(Clone)]
pub(crate) struct Code(pub Rc<syn::ExprClosure>);

impl PartialEq for Code {
    fn eq(&self, other: &Code) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

pub(crate) type Read<T> = Result<T, String>;

impl Value {
    pub(crate) fn some(value: Value) -> Value {
        Value::Maybe(Term::Const(true), Some(Box::new(value)))
    }

    pub(crate) fn none() -> Value {
        Value::Maybe(Term::Const(false), None)
    }

    pub(crate) fn word(&self) -> Read<Word> {
        match self {
            Value::Word(word) => Ok(word.clone()),
            _ => Err("a word was expected".into()),
        }
    }

    pub(crate) fn flag(&self) -> Read<Flag> {
        match self {
            Value::Flag(flag) => Ok(flag.clone()),
            _ => Err("a condition was expected".into()),
        }
    }

    /// Whether it is `Some` or `Ok`, and what is in it.
    pub(crate) fn maybe(self) -> Read<(Flag, Option<Value>)> {
        match self {
            Value::Maybe(is, value) => Ok((is, value.map(|value| *value))),
            _ => Err("an Option or a Result was expected".into()),
        }
    }

    /// A field of a struct, or a member of a tuple.
    pub(crate) fn field(&mut self, name: &str) -> Read<&mut Value> {
        let found = match self {
            Value::Struct(_, fields) => fields.iter_mut().find(|(field, _)| field == name).map(|(_, v)| v),
            Value::Tuple(members) => name.parse().ok().and_then(|i: usize| members.get_mut(i)),
            _ => None,
        };
        found.ok_or_else(|| format!("no field {name}"))
    }

    /// The value as a word of `width` bits. Literals and `into()` adapt; a word must have that width.
    pub(crate) fn sized(self, script: &mut Script, width: u32) -> Read<Word> {
        match self {
            Value::Literal(value) => Ok(Word::constant(width, value)),
            // `into()` never narrows.
            Value::Into(word) if word.width <= width => Ok(script.resize(&word, width)),
            Value::Word(word) if word.width == width => Ok(word),
            _ => Err(format!("a word of {width} bits was expected")),
        }
    }

    /// `a` if `flag`, else `b`.
    pub(crate) fn choose(script: &mut Script, flag: &Flag, a: Value, b: Value) -> Read<Value> {
        let boxed = |value: Option<Value>| value.map(Box::new);
        Ok(match (a, b) {
            (Value::Never, other) | (other, Value::Never) => other,
            (a, b) if a == b => a,
            (Value::Literal(a), Value::Word(b)) => {
                Value::Word(script.choose(flag, &Word::constant(b.width, a), &b))
            }
            (Value::Word(a), Value::Literal(b)) => {
                Value::Word(script.choose(flag, &a, &Word::constant(a.width, b)))
            }
            (Value::Word(a), Value::Word(b)) => Value::Word(script.choose(flag, &a, &b)),
            (Value::Flag(a), Value::Flag(b)) => {
                let (then, otherwise) = (script.implies(flag, &a), script.or(flag, &b));
                Value::Flag(script.and(&then, &otherwise))
            }
            (Value::Tuple(a), Value::Tuple(b)) if a.len() == b.len() => {
                let both = a.into_iter().zip(b);
                Value::Tuple(both.map(|(a, b)| Value::choose(script, flag, a, b)).collect::<Read<_>>()?)
            }
            (Value::Struct(name, a), Value::Struct(other, b)) if name == other => {
                let both = a.into_iter().zip(b);
                let merge = |((name, a), (_, b))| Ok((name, Value::choose(script, flag, a, b)?));
                Value::Struct(name, both.map(merge).collect::<Read<_>>()?)
            }
            (Value::Maybe(is, a), Value::Maybe(or, b)) => {
                let is = Value::choose(script, flag, Value::Flag(is), Value::Flag(or))?.flag()?;
                let value = match (a, b) {
                    (Some(a), Some(b)) => Some(Value::choose(script, flag, *a, *b)?),
                    // Where a side is always `None`, the flag is false and the value of the other side has no
                    // effect.
                    (a, b) => a.or(b).map(|value| *value),
                };
                Value::Maybe(is, boxed(value))
            }
            // Also for two different literals, which have no width to merge in.
            _ => return Err("the branches differ in type".into()),
        })
    }
}
