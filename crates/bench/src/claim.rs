//! What a paper claims, and whether it holds here.
use std::fmt::Write;

/// A claim of a paper, worded so that a figure decides it.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The claim.
    pub what: String,
    /// The paper's figure, in its words.
    pub paper: String,
    /// The same figure on this CPU; `None` if it was not measured, or cannot be here.
    pub here: Option<String>,
    /// Whether it holds here. `None` if it was not measured, or is no claim but a figure to compare.
    pub holds: Option<bool>,
}

impl Claim {
    /// The last column of a table: whether it holds.
    pub fn verdict(&self) -> &'static str {
        match (self.holds, &self.here) {
            (Some(true), _) => "yes",
            (Some(false), _) => "no",
            (None, Some(_)) => "",
            (None, None) => "not measured",
        }
    }
}

/// A table of claims; nothing if there are none.
pub fn markdown(claims: &[Claim]) -> String {
    if claims.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "\n### What the paper claims\n\n| claim | paper | here | holds here |\n|---|---|---|---|\n",
    );
    for claim in claims {
        let here = claim.here.as_deref().unwrap_or_default();
        writeln!(text, "| {} | {} | {here} | {} |", claim.what, claim.paper, claim.verdict())
            .expect("to a string");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_that_was_not_measured_does_not_hold() {
        let claim = |here: Option<&str>, holds| Claim {
            what: "it is faster".into(),
            paper: "23 %".into(),
            here: here.map(String::from),
            holds,
        };
        let all = [claim(Some("12 %"), Some(true)), claim(Some("-1 %"), Some(false)), claim(None, None)];
        assert!(markdown(&all).ends_with(
            "| it is faster | 23 % | 12 % | yes |\n| it is faster | 23 % | -1 % | no |\n| it is faster | 23 % |  | not measured |\n"
        ));
        assert_eq!(markdown(&[]), "");
    }
}
