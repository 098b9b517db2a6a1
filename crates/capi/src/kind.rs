//! The kinds of states, by which C names them.

/// A kind of states, for carryless_layout: carryless_poly1305.
pub const CARRYLESS_KIND_POLY1305: u32 = 1;
/// carryless_file_mac.
pub const CARRYLESS_KIND_FILE_MAC: u32 = 2;
/// carryless_file_mac_stream.
pub const CARRYLESS_KIND_FILE_MAC_STREAM: u32 = 3;
/// carryless_file_mac_parts.
pub const CARRYLESS_KIND_FILE_MAC_PARTS: u32 = 4;
/// carryless_poly_plan.
pub const CARRYLESS_KIND_POLY_PLAN: u32 = 5;
/// carryless_field.
pub const CARRYLESS_KIND_FIELD: u32 = 6;
