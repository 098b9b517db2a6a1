//! Items that `carryless-lab` shares with this command. They are no interface and change without notice.
#[cfg(feature = "algebra")]
pub use crate::args::clmul_cpu;
pub use crate::args::{KeyArgs, cpu};
#[cfg(feature = "algebra")]
pub use crate::curve::named as curve_named;
pub use crate::exit::{Exit, OutputClosed, complain, print_json, stdout_error};
#[cfg(feature = "algebra")]
pub use crate::field::names;
pub use crate::input::read_file;
#[cfg(feature = "kem")]
pub use crate::kem::{Parameters, ProfileArgs};
pub use crate::key::{MAX_SECRET_BYTES, read_secret, source};
pub use crate::name::{escape_path, hex, json, named, printable, unhex};
#[cfg(feature = "algebra")]
pub use crate::poly::operand::{Operand, read as read_operands};
pub use crate::program::{Program, main};
pub use crate::read::steady;
pub use crate::read_error::ReadError;
pub use crate::report::JsonName;
pub use crate::system::{Kind, stat_open};
pub use crate::writers::{Guard, Writer};
