//! Sizes of the pieces in which messages are streamed.

/// Sizes of pieces in bytes. Size 1 is for short messages only.
// The whole, a byte, an odd size, blocks of 16, a size that is no multiple of any block, and whole pages.
const PIECES: [usize; 6] = [usize::MAX, 1, 13, 64, 250, 4096];
/// Longest message that is streamed byte by byte.
// A call for each byte of a longer message would only take time.
const BYTE_BY_BYTE: usize = 4096;

/// Returns the sizes of pieces for a message of `len` bytes.
pub(super) fn pieces(len: usize) -> impl Iterator<Item = usize> {
    // Pieces longer than the message are the whole once more, which costs little.
    PIECES.into_iter().filter(move |&piece| piece > 1 || len <= BYTE_BY_BYTE)
}

/// Returns the name of a streaming route in reports.
pub(super) fn stream_name(piece: usize) -> String {
    if piece == usize::MAX { "stream".to_owned() } else { format!("stream in pieces of {piece}") }
}
