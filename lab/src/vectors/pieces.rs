//! How messages are cut for streaming.

/// Pieces into which messages are cut for streaming, in bytes. Single bytes only if the message is short.
const PIECES: [usize; 6] = [usize::MAX, 1, 13, 64, 250, 4096];
/// Longest message that is streamed byte by byte.
const BYTE_BY_BYTE: usize = 4096;

/// Those for a message of `len` bytes.
pub(super) fn pieces(len: usize) -> impl Iterator<Item = usize> {
    PIECES.into_iter().filter(move |&piece| piece > 1 || len <= BYTE_BY_BYTE)
}

/// What a route by streaming is called.
pub(super) fn stream_name(piece: usize) -> String {
    if piece == usize::MAX { "stream".to_owned() } else { format!("stream in pieces of {piece}") }
}
