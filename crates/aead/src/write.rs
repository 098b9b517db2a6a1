//! Streams as writers.
use crate::{file_mac, wegman_carter};
use std::io::{Result, Write};

macro_rules! writer {
    ($($Stream:ty),*) => {$(
        /// Appends bytes; never fails.
        impl Write for $Stream {
            fn write(&mut self, bytes: &[u8]) -> Result<usize> {
                self.update(bytes);
                Ok(bytes.len())
            }

            fn flush(&mut self) -> Result<()> {
                Ok(())
            }
        }
    )*};
}

writer!(file_mac::Stream, wegman_carter::Stream);
