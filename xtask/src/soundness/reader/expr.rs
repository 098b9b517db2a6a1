//! Expressions that are neither arithmetic nor calls.
use super::Reader;
use crate::smt::{Term, Word, ones};
use crate::source::{last, name, width};
use crate::value::{Code, Read, Value};
use std::rc::Rc;
use syn::parse::ParseStream;
use syn::spanned::Spanned as _;
use syn::{
    Expr, ExprCast, ExprForLoop, ExprIndex, ExprMatch, ExprUnary, Ident, Lit, Macro, Member, Token, Type,
    UnOp,
};

impl Reader<'_> {
    pub(super) fn expr(&mut self, expr: &Expr) -> Read<Value> {
        let line = expr.span().start().line;
        // The error comes from the innermost expression, whose line is the most exact one.
        self.understood(expr)
            .map_err(|why| if why.contains("line") { why } else { format!("line {line}: {why}") })
    }

    fn understood(&mut self, expr: &Expr) -> Read<Value> {
        match expr {
            Expr::Lit(lit) => self.literal(&lit.lit),
            Expr::Paren(inner) => self.expr(&inner.expr),
            Expr::Group(inner) => self.expr(&inner.expr),
            // A reference stands for its value; assignments through one are refused.
            Expr::Reference(inner) => self.expr(&inner.expr),
            Expr::Path(path) => self.named(&path.path),
            Expr::Unary(unary) => self.unary(unary),
            Expr::Binary(binary) => self.binary(&binary.left, &binary.op, &binary.right),
            Expr::Assign(assign) => {
                let value = self.expr(&assign.right)?;
                *self.place(&assign.left)? = value;
                Ok(Value::Unit)
            }
            Expr::Field(field) => {
                let mut of = self.expr(&field.base)?;
                Ok(of.field(&member(&field.member))?.clone())
            }
            Expr::Tuple(tuple) => {
                Ok(Value::Tuple(tuple.elems.iter().map(|member| self.expr(member)).collect::<Read<_>>()?))
            }
            Expr::Cast(cast) => self.cast(cast),
            Expr::Struct(literal) => self.structure(literal),
            Expr::Closure(closure) => Ok(Value::Closure(Code(Rc::new(closure.clone())))),
            Expr::Call(_) | Expr::MethodCall(_) => self.called(expr),
            Expr::Index(index) => self.lane(index),
            Expr::Macro(each) if each.mac.path.is_ident("each") => self.each(&each.mac),
            _ => self.control(expr),
        }
    }

    /// Expressions that decide where control goes.
    fn control(&mut self, expr: &Expr) -> Read<Value> {
        match expr {
            Expr::Block(block) => self.block(&block.block),
            Expr::If(conditional) => {
                let flag = self.expr(&conditional.cond)?.flag()?;
                let otherwise = conditional.else_branch.as_ref().map(|(_, expr)| expr);
                self.branch(
                    &flag,
                    |reader| reader.block(&conditional.then_branch),
                    |reader| otherwise.map_or(Ok(Value::Unit), |expr| reader.expr(expr)),
                )
            }
            Expr::Match(matching) => {
                let value = self.expr(&matching.expr)?;
                self.arms(matching, 0, value)
            }
            Expr::Return(value) => {
                let value = value.expr.as_ref().map_or(Ok(Value::Unit), |value| self.expr(value))?;
                self.leave(value);
                Ok(Value::Never)
            }
            Expr::Try(inner) => {
                let (is, value) = self.expr(&inner.expr)?.maybe()?;
                let not = self.script.not(&is);
                self.only_if(&not, |reader| {
                    // `None` also stands for every `Err`.
                    reader.leave(Value::none());
                    Ok(Value::Never)
                })?;
                // If there is never a value, control does not go on from here.
                Ok(value.unwrap_or(Value::Never))
            }
            Expr::ForLoop(repeated) => self.repeat(repeated),
            _ => self.refuse(expr),
        }
    }

    fn literal(&mut self, lit: &Lit) -> Read<Value> {
        match lit {
            Lit::Int(int) => Ok(Value::Literal(int.base10_parse().map_err(|error| error.to_string())?)),
            Lit::Bool(flag) => Ok(Value::Flag(Term::Const(flag.value))),
            // Strings occur only as reasons of errors, which no claim is about.
            Lit::Str(_) => Ok(Value::Unit),
            _ => self.refuse(lit),
        }
    }

    fn unary(&mut self, unary: &ExprUnary) -> Read<Value> {
        match (unary.op, self.expr(&unary.expr)?) {
            (UnOp::Not(_), Value::Word(word)) => Ok(Value::Word(self.script.complement(&word))),
            // Ones above the width go when the literal becomes a word.
            (UnOp::Not(_), Value::Literal(value)) => Ok(Value::Literal(!value)),
            (UnOp::Not(_), Value::Flag(flag)) => Ok(Value::Flag(self.script.not(&flag))),
            (UnOp::Deref(_), value) => Ok(value),
            _ => self.refuse(unary),
        }
    }

    fn cast(&mut self, cast: &ExprCast) -> Read<Value> {
        let Type::Path(path) = &*cast.ty else { return self.refuse(cast) };
        let width = width(&last(&path.path)).ok_or("a cast to no integer")?;
        match self.expr(&cast.expr)? {
            // No type here is signed, so `as` extends with zeros or cuts, as `resize` does.
            Value::Word(word) => Ok(Value::Word(self.script.resize(&word, width))),
            Value::Literal(value) => Ok(Value::Word(Word::constant(width, value))),
            _ => self.refuse(cast),
        }
    }

    fn called(&mut self, expr: &Expr) -> Read<Value> {
        match expr {
            Expr::Call(call) => {
                let args = call.args.iter().map(|arg| self.expr(arg)).collect::<Read<Vec<_>>>()?;
                let Expr::Path(path) = &*call.func else { return self.refuse(expr) };
                self.function(&path.path, args)
            }
            Expr::MethodCall(call) if is_range(&call.receiver) => {
                self.contained(&call.receiver, &call.args[0])
            }
            Expr::MethodCall(call) => {
                let value = self.expr(&call.receiver)?;
                self.method(value, call)
            }
            _ => self.refuse(expr),
        }
    }

    fn repeat(&mut self, repeated: &ExprForLoop) -> Read<Value> {
        let (from, to) = self.range(&repeated.expr)?;
        for i in from..to {
            let depth = self.variables.len();
            self.bind(&repeated.pat, Value::Literal(i))?;
            // A body that always leaves the function is not supported; no source has such a loop.
            if self.block(&repeated.body)? == Value::Never {
                return self.refuse(repeated);
            }
            self.variables.truncate(depth);
        }
        Ok(Value::Unit)
    }

    /// Reads `each!(N, i => expression)`. The expression is the same for every lane, so one lane stands for all.
    fn each(&mut self, each: &Macro) -> Read<Value> {
        let (index, lane) = each.parse_body_with(of_each_lane).map_err(|error| error.to_string())?;
        let outer = self.lane.replace(index);
        let value = self.expr(&lane);
        self.lane = outer;
        value
    }

    /// Reads `a[i]`, where `i` must be the lane that `each!` computes: with another index lanes would mix.
    fn lane(&mut self, index: &ExprIndex) -> Read<Value> {
        match &*index.index {
            Expr::Path(path) if path.path.get_ident().is_some_and(|i| self.lane.as_ref() == Some(i)) => {
                self.expr(&index.expr)
            }
            _ => self.refuse(index),
        }
    }

    /// The bounds of `a..b`, which must be literals: loops are unrolled. The end is excluded.
    fn range(&mut self, expr: &Expr) -> Read<(u128, u128)> {
        let Expr::Range(range) = expr else { return self.refuse(expr) };
        let mut end = |end: &Option<Box<Expr>>| match end.as_ref().map(|end| self.expr(end)).transpose()? {
            Some(Value::Literal(value)) => Ok(value),
            _ => Err("an end that is not known".to_string()),
        };
        Ok((end(&range.start)?, end(&range.end)?))
    }

    fn named(&mut self, path: &syn::Path) -> Read<Value> {
        let name = self.qualified(path);
        // From the end: a later binding shadows those of the same name.
        if let Some((_, value)) = self.variables.iter().rev().find(|(variable, _)| *variable == name) {
            return Ok(value.clone());
        }
        if self.source.constants.contains_key(&name) {
            return self.constant(&name);
        }
        match name.split_once("::") {
            Some((ty, "MAX")) => {
                let width = width(ty).ok_or("MAX of no integer")?;
                Ok(Value::Word(Word::constant(width, ones(width))))
            }
            _ if name == "None" => Ok(Value::none()),
            _ => Err(format!("nothing is known of {name}")),
        }
    }

    /// The last two segments of a path, with the type whose function is running in place of `Self`.
    pub(super) fn qualified(&self, path: &syn::Path) -> String {
        name(path).replace("Self::", &format!("{}::", self.of))
    }

    fn structure(&mut self, literal: &syn::ExprStruct) -> Read<Value> {
        let name = last(&literal.path).replace("Self", &self.of);
        let types = self.source.structs.get(&name).cloned().ok_or("a struct of no known type")?;
        let mut base = literal.rest.as_ref().map(|rest| self.expr(rest)).transpose()?;
        let mut fields = Vec::new();
        // In the order of the declaration, since merging two structs pairs their fields.
        for (field, ty) in types.iter() {
            let given = literal.fields.iter().find(|given| member(&given.member) == *field);
            let value = match (given, &mut base) {
                (Some(given), _) => self.expr(&given.expr)?,
                (None, Some(base)) => base.field(field)?.clone(),
                (None, None) => return Err(format!("no {field} is given")),
            };
            fields.push((field.clone(), self.typed(value, ty)?));
        }
        Ok(Value::Struct(name, fields))
    }

    /// Reads the first arm, from index `from` on, whose pattern matches.
    fn arms(&mut self, matching: &ExprMatch, from: usize, value: Value) -> Read<Value> {
        // The compiler has checked that the arms cover all values.
        let Some(arm) = matching.arms.get(from) else { return Ok(Value::Never) };
        let depth = self.variables.len();
        let flag = self.bind(&arm.pat, value.clone())?;
        // The names of the pattern exist in this arm only, not in those that follow.
        let names = self.variables.split_off(depth);
        self.branch(
            &flag,
            |reader| {
                reader.variables.extend(names);
                let value = reader.expr(&arm.body);
                reader.variables.truncate(depth);
                value
            },
            |reader| reader.arms(matching, from + 1, value),
        )
    }

    pub(super) fn place(&mut self, expr: &Expr) -> Read<&mut Value> {
        match expr {
            Expr::Field(field) => self.place(&field.base)?.field(&member(&field.member)),
            Expr::Path(path) => {
                let name = last(&path.path);
                let found = self.variables.iter_mut().rev().find(|(variable, _)| *variable == name);
                found.map(|(_, value)| value).ok_or(format!("nothing is known of {name}"))
            }
            _ => Err("nothing can be assigned there".into()),
        }
    }
}

/// The index and the expression in `each!(N, i => expression)`.
fn of_each_lane(input: ParseStream<'_>) -> syn::Result<(Ident, Expr)> {
    input.parse::<Ident>()?;
    input.parse::<Token![,]>()?;
    let index = input.parse()?;
    input.parse::<Token![=>]>()?;
    Ok((index, input.parse()?))
}

/// Whether an expression is a range in parentheses, as in `(a..=b).contains(&x)`.
fn is_range(expr: &Expr) -> bool {
    matches!(expr, Expr::Paren(inner) if matches!(*inner.expr, Expr::Range(_)))
}

fn member(member: &Member) -> String {
    match member {
        Member::Named(name) => name.to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}
