//! Calls: of functions in the source, and of the functions of the standard library that they use.
use super::Reader;
use crate::smt::{Word, ones};
use crate::source::width;
use crate::value::{Code, Read, Value};
use syn::Expr;

impl Reader<'_> {
    pub(super) fn function(&mut self, path: &syn::Path, mut args: Vec<Value>) -> Read<Value> {
        let name = self.qualified(path);
        let closure = self.variables.iter().rev().find(|(variable, _)| *variable == name);
        // A local closure shadows a function of the source.
        if let Some((_, Value::Closure(code))) = closure {
            let code = code.clone();
            return self.closure(&code, args);
        }
        if self.source.functions.contains_key(&name) {
            return self.call(&name, args);
        }
        // All library functions below have one argument.
        let arg = args.pop();
        match (name.as_str(), name.split_once("::"), arg) {
            ("Ok" | "Some", _, Some(value)) => Ok(Value::some(value)),
            ("Err", ..) => Ok(Value::none()),
            (_, Some((ty, "from")), Some(value)) => {
                let width = width(ty).ok_or("from() of no integer")?;
                match value {
                    Value::Flag(flag) => {
                        let (one, zero) = (Word::constant(width, 1), Word::constant(width, 0));
                        Ok(Value::Word(self.script.choose(&flag, &one, &zero)))
                    }
                    // `From` never narrows, and `sized` refuses to.
                    value => Ok(Value::Word(Value::Into(value.word()?).sized(&mut self.script, width)?)),
                }
            }
            (_, Some((ty, "try_from")), Some(value)) => {
                let (width, word) = (width(ty).ok_or("try_from() of no integer")?, value.word()?);
                let fits = self.script.at_most(&word, &Word::constant(word.width, ones(width)));
                let value = self.script.resize(&word, width);
                Ok(Value::Maybe(fits, Some(Box::new(Value::Word(value)))))
            }
            _ => Err(format!("nothing is known of {name}()")),
        }
    }

    pub(super) fn closure(&mut self, code: &Code, args: Vec<Value>) -> Read<Value> {
        // Captured variables are still in the list. Parameters come after them and shadow them.
        let depth = self.variables.len();
        for (pattern, arg) in code.0.inputs.iter().zip(args) {
            self.bind(pattern, arg)?;
        }
        let value = self.expr(&code.0.body);
        self.variables.truncate(depth);
        value
    }

    pub(super) fn method(&mut self, value: Value, call: &syn::ExprMethodCall) -> Read<Value> {
        let name = call.method.to_string();
        if let Value::Struct(of, _) = &value {
            let own = format!("{of}::{name}");
            let of_trait = format!("{}::{name}", self.of);
            // As in Rust, a method of the type comes before one of a trait with the same name.
            let of = if self.source.functions.contains_key(&own) { own } else { of_trait };
            let mut args = vec![value];
            for arg in &call.args {
                args.push(self.expr(arg)?);
            }
            return self.call(&of, args);
        }
        // Reasons of errors are ignored, and `None` and `Err` are the same value.
        if ["ok_or", "map_err"].contains(&name.as_str()) {
            return Ok(value);
        }
        let args = call.args.iter().map(|arg| self.expr(arg)).collect::<Read<Vec<_>>>()?;
        match (value, args.into_iter().next()) {
            (Value::Flag(flag), Some(inside)) if name == "then_some" => {
                Ok(Value::Maybe(flag, Some(Box::new(inside))))
            }
            (Value::Maybe(is, _), None) if name == "is_some" => Ok(Value::Flag(is)),
            (Value::Flag(flag), None) if name == "into" => {
                let (one, zero) = (Word::constant(1, 1), Word::constant(1, 0));
                Ok(Value::Into(self.script.choose(&flag, &one, &zero)))
            }
            (Value::Word(word), None) => self.of_word(&name, &word),
            (Value::Word(a), Some(b)) if name == "wrapping_shl" => {
                // Rust takes the count modulo the width, which is a power of two.
                let by = b.sized(&mut self.script, 32)?;
                let by = self.script.binary("bvand", &by, &Word::constant(32, u128::from(a.width) - 1));
                let by = self.script.resize(&by, a.width);
                Ok(Value::Word(self.script.binary("bvshl", &a, &by)))
            }
            (Value::Word(a), Some(b)) => {
                let b = b.sized(&mut self.script, a.width)?;
                self.of_words(&name, &a, &b)
            }
            _ => Err(format!("nothing is known of .{name}()")),
        }
    }

    pub(super) fn of_word(&mut self, name: &str, word: &Word) -> Read<Value> {
        match name {
            "into" => Ok(Value::Into(word.clone())),
            "leading_zeros" => Ok(Value::Word(self.script.zeros(word, true))),
            "trailing_zeros" => Ok(Value::Word(self.script.zeros(word, false))),
            "wrapping_neg" => {
                Ok(Value::Word(self.script.binary("bvsub", &Word::constant(word.width, 0), word)))
            }
            _ => Err(format!("nothing is known of .{name}()")),
        }
    }

    pub(super) fn of_words(&mut self, name: &str, a: &Word, b: &Word) -> Read<Value> {
        // Not by `choose` as below: the script remembers that a minimum of counts is a count.
        if name == "min" {
            return Ok(Value::Word(self.script.min(a, b)));
        }
        let less = self.script.at_most(a, b);
        let fits = self.fits("bvadd", a, b);
        let sum = self.script.binary("bvadd", a, b);
        match name {
            "max" => Ok(Value::Word(self.script.choose(&less, b, a))),
            "checked_add" => Ok(Value::Maybe(fits, Some(Box::new(Value::Word(sum))))),
            "wrapping_add" => Ok(Value::Word(sum)),
            "checked_sub" => {
                let (fits, difference) = (self.script.at_most(b, a), self.script.binary("bvsub", a, b));
                Ok(Value::Maybe(fits, Some(Box::new(Value::Word(difference)))))
            }
            "wrapping_sub" => Ok(Value::Word(self.script.binary("bvsub", a, b))),
            "wrapping_mul" => {
                // In twice the width the product is exact, which the lemmas about products require.
                let wide = [a, b].map(|factor| self.script.resize(factor, 2 * a.width));
                let product = self.product(&wide[0], &wide[1]);
                Ok(Value::Word(self.script.resize(&product, a.width)))
            }
            "overflowing_add" => {
                let not = self.script.not(&fits);
                Ok(Value::Tuple(vec![Value::Word(sum), Value::Flag(not)]))
            }
            "saturating_add" => {
                let max = Word::constant(a.width, ones(a.width));
                Ok(Value::Word(self.script.choose(&fits, &sum, &max)))
            }
            _ => Err(format!("nothing is known of .{name}()")),
        }
    }

    /// Reads `(a..=b).contains(&x)`; other kinds of ranges are refused.
    pub(super) fn contained(&mut self, range: &Expr, x: &Expr) -> Read<Value> {
        let range = if let Expr::Paren(inner) = range { &*inner.expr } else { range };
        let Expr::Range(ends) = range else { return self.refuse(range) };
        let (Some(start), Some(end), syn::RangeLimits::Closed(_)) = (&ends.start, &ends.end, &ends.limits)
        else {
            return self.refuse(range);
        };
        let (start, end, x) = (self.expr(start)?, self.expr(end)?, self.expr(x)?);
        let above = self.compared("bvule", start, x.clone())?;
        let below = self.compared("bvule", x, end)?;
        Ok(Value::Flag(self.script.and(&above, &below)))
    }
}
