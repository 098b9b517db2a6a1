//! A program for a processor without an operating system: no standard library, no allocator. That it links is what is tested.
#![no_std]
#![no_main]

use core::panic::PanicInfo;

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {}
}

/// Encrypts a message with both releases of chacha20poly1305, where the linker begins.
#[unsafe(no_mangle)]
pub extern "C" fn _start() -> ! {
    let mut message = [7; 200];
    {
        use chacha20poly1305_0_10::aead::{AeadInPlace, KeyInit};
        let aead = chacha20poly1305_0_10::ChaCha20Poly1305::new(&[1; 32].into());
        let tag = aead.encrypt_in_place_detached(&[2; 12].into(), b"", &mut message);
        // An unused tag would let the optimiser drop the calls, and then nothing of them is linked.
        core::hint::black_box(&tag);
    }
    {
        use chacha20poly1305_0_11::aead::{AeadInOut, KeyInit};
        let aead = chacha20poly1305_0_11::ChaCha20Poly1305::new(&[1; 32].into());
        let tag = aead.encrypt_inout_detached(&[2; 12].into(), b"", (&mut message[..]).into());
        core::hint::black_box(&tag);
    }
    core::hint::black_box(&message);
    // Nothing called this function, so it has nowhere to return to.
    loop {}
}
