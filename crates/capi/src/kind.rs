//! The kinds of states, by which C names them.

/// A kind of states, for carryless_layout: carryless_poly1305.
pub const CARRYLESS_KIND_POLY1305: u32 = 1;
/// A kind of states, for carryless_layout: carryless_file_mac, a key that is ready for many messages.
pub const CARRYLESS_KIND_FILE_MAC: u32 = 2;
/// A kind of states, for carryless_layout: carryless_file_mac_stream, a message that comes in pieces.
pub const CARRYLESS_KIND_FILE_MAC_STREAM: u32 = 3;
/// A kind of states, for carryless_layout: carryless_file_mac_parts, a message whose parts are hashed apart.
pub const CARRYLESS_KIND_FILE_MAC_PARTS: u32 = 4;
/// A kind of states, for carryless_layout: carryless_poly_plan, how a product of given sizes is computed.
pub const CARRYLESS_KIND_POLY_PLAN: u32 = 5;
/// A kind of states, for carryless_layout: carryless_field, a field GF(2^m).
pub const CARRYLESS_KIND_FIELD: u32 = 6;
/// A kind of states, for carryless_layout: carryless_wegman_carter, a key of the Wegman-Carter MAC.
pub const CARRYLESS_KIND_WEGMAN_CARTER: u32 = 7;
/// A kind of states, for carryless_layout: carryless_wegman_carter_stream, a message that comes in pieces.
pub const CARRYLESS_KIND_WEGMAN_CARTER_STREAM: u32 = 8;
/// A kind of states, for carryless_layout: carryless_universal, a key of a universal hash.
pub const CARRYLESS_KIND_UNIVERSAL: u32 = 9;
/// A kind of states, for carryless_layout: carryless_universal_stream, a message that comes in pieces.
pub const CARRYLESS_KIND_UNIVERSAL_STREAM: u32 = 10;
/// A kind of states, for carryless_layout: carryless_hqc_encapsulation_key, which is ready for many messages.
pub const CARRYLESS_KIND_HQC_ENCAPSULATION_KEY: u32 = 11;
/// A kind of states, for carryless_layout: carryless_hqc_decapsulation_key, which is ready for many ciphertexts.
pub const CARRYLESS_KIND_HQC_DECAPSULATION_KEY: u32 = 12;
