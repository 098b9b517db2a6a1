//! Names of fields, and fields given by their polynomial.
use anyhow::{Context as _, Result, bail, ensure};
use carryless_gf2::ClmulCpu;
use carryless_gf2::algebra::Poly;
use carryless_gf2::field::{BinaryField, DynField};

/// Returns name and exponents of every field of the library, such as `233-sqrt` for the type `Gf233Sqrt`.
pub fn known() -> Vec<(String, Vec<usize>)> {
    let mut all = Vec::new();
    macro_rules! each {
        ($($field:ident),*) => { $( all.push(entry::<carryless_gf2::field::$field>()); )* };
    }
    carryless_gf2::for_each_field! { each }
    all
}

fn entry<F: BinaryField>() -> (String, Vec<usize>) {
    let degree = F::DEGREE.to_string();
    let variant = F::NAME.strip_prefix("Gf").and_then(|name| name.strip_prefix(&degree)).unwrap_or_default();
    let name = if variant.is_empty() { degree } else { format!("{degree}-{}", variant.to_lowercase()) };
    (name, exponents::<F>())
}

/// Returns the exponents of f, from its degree m down to 0.
pub fn exponents<F: BinaryField>() -> Vec<usize> {
    [F::DEGREE].into_iter().chain(F::TAIL.iter().copied()).collect()
}

/// Returns the field with this name or this polynomial, for computation on `cpu`. If both are given, the name
/// only states the degree, which must agree.
pub fn field(cpu: ClmulCpu, name: Option<&str>, f: Option<&Poly>) -> Result<DynField> {
    let f = match (name, f) {
        (_, Some(f)) => f.clone(),
        (Some(name), None) => named(name)?,
        (None, None) => bail!("no field: name one, such as 233, or give its polynomial by --poly"),
    };
    if let (Some(name), Some(degree)) = (name, f.degree()) {
        // A name is the degree, followed by a dash and a variant if there are several fields of it.
        let bits = name.split('-').next().unwrap_or_default();
        ensure!(
            bits.parse() == Ok(degree),
            "--poly has degree {degree}, which is not that of the field {name}"
        );
    }
    DynField::on(cpu, &f).context("--poly")
}

/// Returns the polynomial of a named field. Fails with a list of all names.
fn named(name: &str) -> Result<Poly> {
    let mut all = known();
    // By degree, for the reader of the message.
    all.sort_by_key(|(_, exponents)| exponents.first().copied());
    let found = all.iter().find(|(known, _)| known == name);
    let names = || all.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
    let (_, exponents) = found.with_context(|| {
        format!("no field is called {name:?}; give its polynomial by --poly, or name one of {}", names())
    })?;
    Ok(Poly::from_exponents(exponents.iter().copied()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found() {
        let all = known();
        assert_eq!(all.len(), 45);
        for (name, exponents) in &all {
            let field = field(ClmulCpu::detect(), Some(name), None).expect(name);
            assert_eq!(field.exponents(), exponents, "{name}");
            assert_eq!(all.iter().filter(|(other, _)| other == name).count(), 1, "{name} is one field");
        }
    }
}
