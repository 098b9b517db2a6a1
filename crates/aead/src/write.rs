//! [`Write`] for the streams of both MACs, so that `std::io::copy` feeds them.
use crate::{file_mac, wegman_carter};
use std::io::{Result, Write};

macro_rules! writer {
    ($($Stream:ty),*) => {$(
        /// Appends all bytes to the message in one call. Never fails, never writes less, and `flush` does nothing.
        impl Write for $Stream {
            fn write(&mut self, bytes: &[u8]) -> Result<usize> {
                self.update(bytes);
                // Always all of them, so `write_all` and `std::io::copy` need no second call for a rest.
                Ok(bytes.len())
            }

            fn flush(&mut self) -> Result<()> {
                Ok(())
            }
        }
    )*};
}

writer!(file_mac::Stream, wegman_carter::Stream);
