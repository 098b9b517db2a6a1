//! Turns the bytes of a fuzzer into keys, lengths and messages.
#![forbid(unsafe_code)]
pub mod field;

/// Bytes from the fuzzer, taken from the front; zeros when there are no more.
pub struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    /// All of the fuzzer's bytes.
    #[must_use]
    pub fn new(data: &'a [u8]) -> Self {
        Input(data)
    }

    /// Takes `len` bytes from the front, or all if fewer are left.
    pub fn bytes(&mut self, len: usize) -> &'a [u8] {
        let (front, rest) = self.0.split_at(len.min(self.0.len()));
        self.0 = rest;
        front
    }

    /// Takes an array, such as a key. Zeros stand for missing bytes.
    pub fn array<const N: usize>(&mut self) -> [u8; N] {
        let bytes = self.bytes(N);
        let mut array = [0; N];
        array[..bytes.len()].copy_from_slice(bytes);
        array
    }

    /// Takes one byte, or 0 if none is left.
    pub fn byte(&mut self) -> u8 {
        u8::from_le_bytes(self.array())
    }

    /// Returns all bytes that are left, usually the message.
    #[must_use]
    pub fn rest(self) -> &'a [u8] {
        self.0
    }

    /// Takes four bytes, which say where to cut a message.
    pub fn cuts(&mut self) -> Cuts {
        Cuts(self.array())
    }
}

/// The bytes as words, least significant first; zeros fill the last one.
#[must_use]
pub fn words(bytes: &[u8]) -> Vec<u64> {
    let word = |bytes: &[u8]| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    };
    bytes.chunks(8).map(word).collect()
}

/// Four cuts, which divide a message into five pieces.
pub struct Cuts([u8; 4]);

impl Cuts {
    /// The message in five pieces, some of them empty; all but the last are multiples of `unit` bytes. A cut `c` takes
    /// `c` bytes or, above 127, (c - 128) / 128 of the rest.
    #[must_use]
    pub fn pieces<'a>(&self, message: &'a [u8], unit: usize) -> Vec<&'a [u8]> {
        let mut pieces = Vec::new();
        let mut rest = message;
        for &cut in &self.0 {
            let cut = usize::from(cut);
            let len = if cut < 128 { cut.min(rest.len()) } else { rest.len() * (cut - 128) / 128 };
            let (piece, after) = rest.split_at(len - len % unit);
            pieces.push(piece);
            rest = after;
        }
        pieces.push(rest);
        pieces
    }
}
