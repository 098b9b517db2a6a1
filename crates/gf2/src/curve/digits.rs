//! Constants of curves, of hexadecimal digits.

/// Whether the curve with these digits of a and b is a Koblitz curve: a is 0 or 1, and b is 1.
pub(super) const fn is_koblitz(a: &[&str], b: &[&str]) -> bool {
    (is_digit(a, b'0') || is_digit(a, b'1')) && is_digit(b, b'1')
}

/// Whether the curve with these digits has the endomorphism psi: a is u, and b is in the base field and
/// has at most 64 bits.
pub(super) const fn is_gls(a: &[&str], b: &[&str]) -> bool {
    // b[0] has at most 16 hexadecimal digits, so products by b are products by one word.
    let has_short_b = b.len() == 2 && b[0].len() <= 16 && is_digit(&[b[1]], b'0');
    a.len() == 2 && is_digit(&[a[0]], b'0') && is_digit(&[a[1]], b'1') && has_short_b
}

/// Whether the element with these digits is this digit, and lies in a base field.
pub(super) const fn is_digit(element: &[&str], digit: u8) -> bool {
    let digits = element[0].as_bytes();
    element.len() == 1 && digits.len() == 1 && digits[0] == digit
}

/// The words of a hexadecimal number in lower case, least significant first. W must be large enough.
pub(super) const fn hex<const W: usize>(digits: &str) -> [u64; W] {
    let (mut words, mut i) = ([0; W], 0);
    while i < digits.len() {
        let digit = match digits.as_bytes()[digits.len() - 1 - i] {
            digit @ b'0'..=b'9' => digit - b'0',
            digit @ b'a'..=b'f' => digit - b'a' + 10,
            _ => panic!("hexadecimal digits in lower case"),
        };
        words[i / 16] |= (digit as u64) << (4 * (i % 16));
        i += 1;
    }
    words
}
