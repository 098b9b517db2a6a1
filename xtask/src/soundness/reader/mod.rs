//! Runs Rust on symbolic words: every path at once, merged where paths meet.
//!
//! It knows the part of the language that the analysed functions are written in, and refuses everything else with the line.
//! An addition, subtraction, multiplication or shift that may overflow, and an `assert!` that may fail, become obligations.
mod arithmetic;
mod expr;
mod library;

use crate::sets;
use crate::smt::{Flag, Script, Term, Word};
use crate::source::{Function, Source, last, width};
use crate::value::{Read, Value};
use std::collections::BTreeSet;
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::{Block, Expr, Pat, Stmt, Type};

/// A multiplication: the factors, and a free word that stands for the product.
pub(crate) struct Product {
    pub factors: [Word; 2],
    pub value: Word,
}

/// The result of a function that may return early: `early` if `flag`, else `late`; `value` is both merged.
#[derive(Clone)]
pub(crate) struct Merged {
    pub value: Value,
    pub flag: Flag,
    pub early: Value,
    pub late: Value,
}

pub(crate) struct Reader<'a> {
    source: &'a Source,
    pub script: Script,
    /// Conditions under which control comes to the current place.
    path: Vec<Flag>,
    /// Conditions that the code needs to hold: no overflow, and every `assert!`. Each one is
    /// an implication from its path.
    pub obligations: Vec<Flag>,
    pub products: Vec<Product>,
    /// Whether `Range::tight` is read like other functions. If not, it returns an unknown set, about which
    /// only its contract is assumed.
    pub inlines_tight: bool,
    /// Argument and result of each call of `Range::tight` that was not read.
    pub tightened: Vec<(Value, Value)>,
    /// Merged results, which [`sets::is_member`] takes apart again.
    pub merged: Vec<Merged>,
    /// Words that a claim says are members of resulting sets; the contract of `Range::tight` is assumed for them.
    pub results: Vec<Word>,
    /// Conditions under which operations return a result. A proof needs them to be satisfiable.
    pub returned: Vec<Flag>,
    /// Names of the functions that were read.
    pub called: BTreeSet<String>,
    variables: Vec<(String, Value)>,
    /// For each running function its early returns: the condition, and the value.
    returns: Vec<Vec<(Flag, Value)>>,
    /// Name of the index in the `each!` that is read; `None` outside of one.
    lane: Option<syn::Ident>,
    /// Name of the type, or of the trait, whose function is running.
    of: String,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(source: &'a Source) -> Reader<'a> {
        Reader {
            source,
            script: Script::default(),
            path: Vec::new(),
            obligations: Vec::new(),
            products: Vec::new(),
            inlines_tight: false,
            tightened: Vec::new(),
            merged: Vec::new(),
            results: Vec::new(),
            returned: Vec::new(),
            called: BTreeSet::new(),
            lane: None,
            variables: Vec::new(),
            returns: Vec::new(),
            of: String::new(),
        }
    }

    /// Calls a function of the source by its name, such as `Range::add`. The error says what could
    /// not be understood, and where.
    pub(crate) fn call(&mut self, name: &str, args: Vec<Value>) -> Read<Value> {
        if let ("Range::tight", false, [set]) = (name, self.inlines_tight, &args[..]) {
            let tight = sets::unknown(&mut self.script, "tight");
            self.tightened.push((set.clone(), tight.clone()));
            return Ok(tight);
        }
        let function = self.source.functions.get(name).cloned().ok_or(format!("there is no fn {name}"))?;
        // An error with a line comes from an inner call, whose place is the more exact one.
        self.run(&function, args).map_err(|why| match why.contains("line") {
            true => why,
            false => format!("{name}: {why}"),
        })
    }

    /// The value of a constant.
    pub(crate) fn constant(&mut self, name: &str) -> Read<Value> {
        let constant = self.source.constants.get(name).cloned().ok_or(format!("there is no const {name}"))?;
        let value = self.expr(&constant.1)?;
        self.typed(value, &constant.0)
    }

    fn run(&mut self, function: &Rc<Function>, args: Vec<Value>) -> Read<Value> {
        self.called.insert(function.name.clone());
        let of = function.name.split_once("::").map_or("", |(of, _)| of).to_string();
        // The callee sees neither variables nor the lane of its caller.
        let outer =
            (std::mem::take(&mut self.variables), std::mem::replace(&mut self.of, of), self.lane.take());
        let depth = self.path.len();
        self.returns.push(Vec::new());
        if args.len() != function.params.len() {
            return Err(format!("{} takes {} arguments", function.name, function.params.len()));
        }
        for ((pattern, ty), arg) in function.params.iter().zip(args) {
            let arg = ty.as_ref().map_or(Ok(arg.clone()), |ty| self.typed(arg, ty))?;
            match pattern {
                Some(pattern) => drop(self.bind(pattern, arg)?),
                None => self.variables.push(("self".into(), arg)),
            }
        }
        let mut value = self.block(&function.body)?;
        // From the last return to the first: of two whose conditions both hold, the first one in the code
        // decides.
        for (flag, early) in self.returns.pop().unwrap_or_default().into_iter().rev() {
            let merged = Value::choose(&mut self.script, &flag, early.clone(), value.clone())?;
            // If one side is all that remains, there is nothing to take apart later.
            if merged != early && merged != value {
                self.merged.push(Merged { value: merged.clone(), flag, early, late: value });
            }
            value = merged;
        }
        let value = function.result.as_ref().map_or(Ok(value.clone()), |ty| self.typed(value, ty))?;
        (self.variables, self.of, self.lane) = outer;
        // Early returns left their negated conditions on the path. They end with the function.
        self.path.truncate(depth);
        Ok(value)
    }

    /// The value with its integers in the widths of the type; a literal becomes a word.
    fn typed(&mut self, value: Value, ty: &Type) -> Read<Value> {
        match (value, ty) {
            (Value::Never, _) => Ok(Value::Never),
            (value, Type::Reference(inner)) => self.typed(value, &inner.elem),
            (Value::Tuple(members), Type::Tuple(types)) => {
                let both = members.into_iter().zip(&types.elems);
                Ok(Value::Tuple(both.map(|(member, ty)| self.typed(member, ty)).collect::<Read<_>>()?))
            }
            (value, Type::Path(path)) => match width(&last(&path.path)) {
                Some(width) => Ok(Value::Word(value.sized(&mut self.script, width)?)),
                None => Ok(value),
            },
            (value, _) => Ok(value),
        }
    }

    /// The condition under which control comes to the current place.
    fn here(&mut self) -> Flag {
        let path = self.path.clone();
        self.script.all(&path)
    }

    fn oblige(&mut self, flag: &Flag) {
        let here = self.here();
        let obligation = self.script.implies(&here, flag);
        self.obligations.push(obligation);
    }

    /// Records an early return of `value` on the current path.
    fn leave(&mut self, value: Value) {
        let here = self.here();
        if let Some(returns) = self.returns.last_mut() {
            returns.push((here, value));
        }
    }

    /// Reads what happens only if `flag` holds. Paths that left the function there are excluded from what follows.
    fn only_if(&mut self, flag: &Flag, read: impl FnOnce(&mut Self) -> Read<Value>) -> Read<Value> {
        // Code that is never reached must not add obligations.
        if *flag == Term::Const(false) {
            return Ok(Value::Never);
        }
        let (depth, before) = (self.path.len(), self.returns.last().map_or(0, Vec::len));
        self.path.push(flag.clone());
        let value = read(self);
        self.path.truncate(depth);
        let left: Vec<Flag> = self
            .returns
            .last()
            .map_or(Vec::new(), |all| all[before..].iter().map(|(flag, _)| flag.clone()).collect());
        for flag in left {
            let not = self.script.not(&flag);
            self.path.push(not);
        }
        value
    }

    /// Reads both branches from the same variables, and merges their assignments and values.
    fn branch(
        &mut self,
        flag: &Flag,
        then: impl FnOnce(&mut Self) -> Read<Value>,
        otherwise: impl FnOnce(&mut Self) -> Read<Value>,
    ) -> Read<Value> {
        let before = self.variables.clone();
        let first = self.only_if(flag, then)?;
        let after_first = std::mem::replace(&mut self.variables, before);
        let not = self.script.not(flag);
        let second = self.only_if(&not, otherwise)?;
        // This branch left the function, so only the other one's assignments reach the code below.
        if first == Value::Never {
            return Ok(second);
        }
        let after_second = std::mem::replace(&mut self.variables, after_first);
        if second == Value::Never {
            return Ok(first);
        }
        // Both lists have the same names, because variables of a branch end with its block.
        for (i, (_, other)) in after_second.into_iter().enumerate() {
            let this = self.variables[i].1.clone();
            self.variables[i].1 = Value::choose(&mut self.script, flag, this, other)?;
        }
        Value::choose(&mut self.script, flag, first, second)
    }

    fn block(&mut self, block: &Block) -> Read<Value> {
        let depth = self.variables.len();
        let mut value = Value::Unit;
        for statement in &block.stmts {
            value = match statement {
                Stmt::Local(local) => {
                    let init = local.init.as_ref().ok_or("a variable without a value")?;
                    let value = self.expr(&init.expr)?;
                    self.bind(&local.pat, value)?;
                    Value::Unit
                }
                Stmt::Expr(expr, semicolon) => match (self.expr(expr)?, semicolon) {
                    (Value::Never, _) => {
                        self.variables.truncate(depth);
                        return Ok(Value::Never);
                    }
                    (value, None) => value,
                    (_, Some(_)) => Value::Unit,
                },
                Stmt::Macro(m) if m.mac.path.is_ident("assert") => self.assertion(&m.mac.tokens)?,
                other => return self.refuse(other),
            };
        }
        self.variables.truncate(depth);
        Ok(value)
    }

    fn assertion(&mut self, tokens: &proc_macro2::TokenStream) -> Read<Value> {
        let parser = syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated;
        let all = syn::parse::Parser::parse2(parser, tokens.clone()).map_err(|error| error.to_string())?;
        let flag = self.expr(all.first().ok_or("an empty assertion")?)?.flag()?;
        self.oblige(&flag);
        Ok(Value::Unit)
    }

    /// Binds the names of a pattern to parts of `value`, and returns the condition that it matches.
    fn bind(&mut self, pattern: &Pat, value: Value) -> Read<Flag> {
        match (pattern, value) {
            (Pat::Wild(_), _) => Ok(Term::Const(true)),
            // To the parser `None` is an identifier, like the name of a new variable.
            (Pat::Ident(ident), value) if ident.ident == "None" => {
                let (is, _) = value.maybe()?;
                Ok(self.script.not(&is))
            }
            (Pat::Ident(ident), value) => {
                self.variables.push((ident.ident.to_string(), value));
                Ok(Term::Const(true))
            }
            (Pat::Type(typed), value) => {
                let value = self.typed(value, &typed.ty)?;
                self.bind(&typed.pat, value)
            }
            (Pat::Reference(inner), value) => self.bind(&inner.pat, value),
            (Pat::Tuple(pattern), Value::Tuple(members)) => {
                let mut all = Term::Const(true);
                for (pattern, member) in pattern.elems.iter().zip(members) {
                    let flag = self.bind(pattern, member)?;
                    all = self.script.and(&all, &flag);
                }
                Ok(all)
            }
            (Pat::TupleStruct(pattern), value) => {
                let (is, inside) = value.maybe()?;
                // The reason of an error has no value here, so nothing is bound.
                if last(&pattern.path) == "Err" {
                    return Ok(self.script.not(&is));
                }
                let inside = inside.unwrap_or(Value::Never);
                let flag = pattern.elems.first().map_or(Ok(Term::Const(true)), |p| self.bind(p, inside))?;
                Ok(self.script.and(&is, &flag))
            }
            // A value that is never there matches no pattern.
            (Pat::Lit(_) | Pat::Path(_), Value::Never) => Ok(Term::Const(false)),
            (Pat::Lit(lit), value) => {
                let lit = self.expr(&Expr::Lit(lit.clone()))?;
                self.compared("=", lit, value)
            }
            (Pat::Path(path), value) => {
                let constant = self.expr(&Expr::Path(path.clone()))?;
                self.compared("=", constant, value)
            }
            (other, _) => self.refuse(other),
        }
    }

    fn refuse<T>(&self, what: &impl Spanned) -> Read<T> {
        Err(format!("line {}: nothing is known here of what stands there", what.span().start().line))
    }
}
