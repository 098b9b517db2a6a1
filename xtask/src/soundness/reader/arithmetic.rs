//! Operators, and the obligations that they do not overflow.
use super::{Product, Reader};
use crate::smt::{Flag, Term, Word, ones};
use crate::value::{Read, Value};
use syn::{BinOp, Expr};

impl Reader<'_> {
    pub(super) fn binary(&mut self, left: &Expr, op: &BinOp, right: &Expr) -> Read<Value> {
        let (a, b) = match op {
            BinOp::And(_) | BinOp::Or(_) => return self.lazy(left, op, right),
            _ => (self.expr(left)?, self.expr(right)?),
        };
        let mut flag = |op, a, b| self.compared(op, a, b).map(Value::Flag);
        match op {
            BinOp::Lt(_) => flag("bvult", a, b),
            // `compare` folds two of the four orders, so the operands change places for the others.
            BinOp::Gt(_) => flag("bvult", b, a),
            BinOp::Le(_) => flag("bvule", a, b),
            BinOp::Ge(_) => flag("bvule", b, a),
            BinOp::Eq(_) => flag("=", a, b),
            BinOp::Ne(_) => {
                let equal = self.compared("=", a, b)?;
                Ok(Value::Flag(self.script.not(&equal)))
            }
            _ => {
                let (op, assigns) = operation(op).ok_or("an operator that is not known")?;
                let value = self.arithmetic(op, a, b)?;
                if !assigns {
                    return Ok(value);
                }
                *self.place(left)? = value;
                Ok(Value::Unit)
            }
        }
    }

    /// `&&` and `||`. The right side is read only on paths where the left side does not decide.
    pub(super) fn lazy(&mut self, left: &Expr, op: &BinOp, right: &Expr) -> Read<Value> {
        let first = self.expr(left)?.flag()?;
        let decided = Value::Flag(Term::Const(matches!(op, BinOp::Or(_))));
        match op {
            BinOp::And(_) => self.branch(&first, |reader| reader.expr(right), |_| Ok(decided)),
            _ => self.branch(&first, |_| Ok(decided), |reader| reader.expr(right)),
        }
    }

    pub(super) fn compared(&mut self, op: &str, a: Value, b: Value) -> Read<Flag> {
        let (a, b) = self.same_width(a, b)?;
        Ok(self.script.compare(op, &a, &b))
    }

    /// Gives two values one width: a literal takes that of the other, or 128 bits if both are literals.
    pub(super) fn same_width(&mut self, a: Value, b: Value) -> Read<(Word, Word)> {
        let width = match (&a, &b) {
            (Value::Word(word), _) | (_, Value::Word(word)) => word.width,
            _ => 128,
        };
        Ok((a.sized(&mut self.script, width)?, b.sized(&mut self.script, width)?))
    }

    /// Applies an operation, and adds the obligation that it does not overflow.
    pub(super) fn arithmetic(&mut self, op: &str, a: Value, b: Value) -> Read<Value> {
        // Literals have no width yet. They are computed here and become a word where the type is known.
        if let (Value::Literal(x), Value::Literal(y)) = (&a, &b) {
            let (x, y) = (*x, *y);
            let value = match op {
                "bvadd" => x.checked_add(y),
                "bvsub" => x.checked_sub(y),
                "bvmul" => x.checked_mul(y),
                "bvshl" => x.checked_shl(y as u32),
                "bvlshr" => x.checked_shr(y as u32),
                "bvurem" => x.checked_rem(y),
                "bvand" => Some(x & y),
                "bvor" => Some(x | y),
                _ => Some(x ^ y),
            };
            return value.map(Value::Literal).ok_or("constants that overflow".into());
        }
        if op == "bvshl" || op == "bvlshr" {
            return self.shift(op, a, b);
        }
        let (a, b) = self.same_width(a, b)?;
        let fits = self.fits(op, &a, &b);
        self.oblige(&fits);
        let value = if op == "bvmul" { self.product(&a, &b) } else { self.script.binary(op, &a, &b) };
        Ok(Value::Word(value))
    }

    pub(super) fn shift(&mut self, op: &str, a: Value, by: Value) -> Read<Value> {
        let by = match by {
            Value::Literal(value) => Word::constant(32, value),
            by => by.word()?,
        };
        let a = match (a, by.as_constant()) {
            (Value::Literal(value), Some(by)) => {
                let by = u32::try_from(by).map_err(|_| "a shift that overflows")?;
                let value = if op == "bvshl" { value.checked_shl(by) } else { value.checked_shr(by) };
                return value.map(Value::Literal).ok_or("a shift that overflows".into());
            }
            (a, _) => a.word()?,
        };
        // Bits that a shift drops are no error in Rust, so the obligation is about the count alone.
        let fits = self.script.compare("bvult", &by, &Word::constant(by.width, a.width.into()));
        self.oblige(&fits);
        // SMT-LIB wants both operands in one width. A count below the width survives the change.
        let by = self.script.resize(&by, a.width);
        Ok(Value::Word(self.script.binary(op, &a, &by)))
    }

    /// Whether the operation gives its exact result. For products: whether both factors have at most half the width.
    pub(super) fn fits(&mut self, op: &str, a: &Word, b: &Word) -> Flag {
        match op {
            "bvadd" => {
                let room = self.script.complement(a);
                self.script.at_most(b, &room)
            }
            "bvsub" => self.script.at_most(b, a),
            "bvmul" => {
                let half = Word::constant(a.width, ones(a.width / 2));
                let (first, second) = (self.script.at_most(a, &half), self.script.at_most(b, &half));
                self.script.and(&first, &second)
            }
            // Bit operations cannot overflow.
            _ => Term::Const(true),
        }
    }

    /// Returns a free word for a product; [`lemmas`](crate::lemmas) states what is known of it. Equal
    /// factors get the same word.
    pub(crate) fn product(&mut self, a: &Word, b: &Word) -> Word {
        // z3 need not see the product of two constants.
        if a.as_constant().is_some() && b.as_constant().is_some() {
            return self.script.binary("bvmul", a, b);
        }
        let factors = [a.clone(), b.clone()];
        // Exchanged factors get a word of their own. That loses a proof at worst, and never makes a false
        // one.
        if let Some(known) = self.products.iter().find(|product| product.factors == factors) {
            return known.value.clone();
        }
        let value = self.script.fresh(a.width, "product");
        self.products.push(Product { factors, value: value.clone() });
        value
    }
}

/// The SMT-LIB operation of an operator, and whether it assigns; `None` for comparisons and
/// operators that no source uses.
fn operation(op: &BinOp) -> Option<(&'static str, bool)> {
    Some(match op {
        BinOp::Add(_) => ("bvadd", false),
        BinOp::AddAssign(_) => ("bvadd", true),
        BinOp::Sub(_) => ("bvsub", false),
        BinOp::Mul(_) => ("bvmul", false),
        BinOp::Rem(_) => ("bvurem", false),
        BinOp::BitAnd(_) => ("bvand", false),
        BinOp::BitAndAssign(_) => ("bvand", true),
        BinOp::BitOr(_) => ("bvor", false),
        BinOp::BitOrAssign(_) => ("bvor", true),
        BinOp::BitXor(_) => ("bvxor", false),
        BinOp::BitXorAssign(_) => ("bvxor", true),
        BinOp::Shl(_) => ("bvshl", false),
        BinOp::Shr(_) => ("bvlshr", false),
        _ => return None,
    })
}
