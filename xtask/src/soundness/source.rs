//! The functions, constants and types of a Rust file.
use crate::faults::Fault;
use crate::value::Read;
use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;
use syn::{Block, Expr, FnArg, ImplItem, Item, Pat, ReturnType, Signature, Type};

pub(crate) const RANGE: &str = "range.rs";
pub(crate) const PORTABLE: &str = "portable.rs";

/// A function: its parameters, `self` included, and its body.
pub(crate) struct Function {
    pub name: String,
    pub params: Vec<(Option<Pat>, Option<Type>)>,
    pub result: Option<Type>,
    pub body: Block,
}

/// The items of the source files by name: `Range::add`, `ones`, `Range::ANY`, `FULL`. Methods of a
/// trait have its name: `Lanes::mul32`.
#[derive(Default)]
pub(crate) struct Source {
    pub functions: HashMap<String, Rc<Function>>,
    pub constants: HashMap<String, Rc<(Type, Expr)>>,
    pub structs: HashMap<String, Rc<Vec<(String, Type)>>>,
}

impl Source {
    /// Reads both files, with the fault planted in its file.
    pub(crate) fn read(fault: Option<&Fault>) -> Read<Source> {
        let mut source = Source::default();
        for name in [RANGE, PORTABLE] {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/lanes/src").join(name);
            let mut text =
                std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            if let Some((_, right, wrong, _)) = fault.filter(|fault| fault.0 == name) {
                if text.matches(right).count() != 1 {
                    return Err(format!(
                        "{name} has not exactly one '{right}'; the list of faults needs a change"
                    ));
                }
                // In memory only: the checkout stays as it is.
                text = text.replace(right, wrong);
            }
            source.add(&text).map_err(|why| format!("{name}: {why}"))?;
        }
        Ok(source)
    }

    /// Adds the items of a file, except for modules, such as tests, and implementations of `Debug`.
    fn add(&mut self, text: &str) -> Read<()> {
        let file = syn::parse_file(text).map_err(|error| error.to_string())?;
        for item in file.items {
            match item {
                Item::Fn(f) => self.function("", f.sig, *f.block),
                Item::Const(c) => {
                    self.constants.insert(c.ident.to_string(), Rc::new((*c.ty, *c.expr)));
                }
                Item::Struct(s) => {
                    let named = |f: syn::Field| Some((f.ident?.to_string(), f.ty));
                    let fields = s.fields.into_iter().filter_map(named).collect();
                    self.structs.insert(s.ident.to_string(), Rc::new(fields));
                }
                Item::Impl(implementation) => {
                    let of_trait = implementation.trait_.as_ref().map(|of_trait| last(&of_trait.0));
                    // All implementations of `Debug` would have functions of one name, and no claim calls
                    // them.
                    if let (Type::Path(of), false) =
                        (*implementation.self_ty, of_trait.as_deref() == Some("Debug"))
                    {
                        // In these files each trait of a backend has one implementation, so its name is
                        // unique.
                        let of = of_trait.unwrap_or_else(|| last(&of.path));
                        self.implementation(&of, implementation.items);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn implementation(&mut self, of: &str, items: Vec<ImplItem>) {
        for item in items {
            match item {
                ImplItem::Fn(f) => self.function(of, f.sig, f.block),
                ImplItem::Const(c) => {
                    self.constants.insert(format!("{of}::{}", c.ident), Rc::new((c.ty, c.expr)));
                }
                _ => {}
            }
        }
    }

    fn function(&mut self, of: &str, signature: Signature, body: Block) {
        let param = |arg: FnArg| match arg {
            FnArg::Typed(typed) => (Some(*typed.pat), Some(*typed.ty)),
            FnArg::Receiver(_) => (None, None),
        };
        let name = match of {
            "" => signature.ident.to_string(),
            _ => format!("{of}::{}", signature.ident),
        };
        let result = match signature.output {
            ReturnType::Type(_, ty) => Some(*ty),
            ReturnType::Default => None,
        };
        let params = signature.inputs.into_iter().map(param).collect();
        self.functions.insert(name.clone(), Rc::new(Function { name, params, result, body }));
    }
}

/// The last segment of a path.
pub(crate) fn last(path: &syn::Path) -> String {
    path.segments.last().map_or_else(String::new, |segment| segment.ident.to_string())
}

/// The last two segments, `Type::name`, or the only one.
pub(crate) fn name(path: &syn::Path) -> String {
    let all: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    all[all.len().saturating_sub(2)..].join("::")
}

/// The width of an integer type in bits; `None` for other types. `usize` has 64.
pub(crate) fn width(ty: &str) -> Option<u32> {
    match ty {
        "u8" => Some(8),
        "u16" => Some(16),
        "u32" => Some(32),
        "u64" | "usize" => Some(64),
        "u128" => Some(128),
        _ => None,
    }
}
