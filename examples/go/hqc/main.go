// Agrees on a secret with HQC-1.
//
//	PKG_CONFIG_PATH=/usr/local/lib/pkgconfig go run ./hqc
package main

// #cgo pkg-config: carryless
// #include <carryless.h>
import "C"

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"unsafe"
)

func check(status C.carryless_status) error {
	if status == C.CARRYLESS_STATUS_OK {
		return nil
	}
	return errors.New(C.GoString(C.carryless_strerror(C.int32_t(status))))
}

// pointer is that of a slice for C, which writes or reads there only during the call.
func pointer(bytes []byte) *C.uint8_t {
	return (*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(bytes)))
}

func run() error {
	var sizes C.carryless_hqc_sizes
	if err := check(C.carryless_hqc_get_sizes(C.CARRYLESS_HQC_1, &sizes)); err != nil {
		return err
	}
	public, secret := make([]byte, sizes.encapsulation_key), make([]byte, sizes.decapsulation_key)
	ciphertext := make([]byte, sizes.ciphertext)
	sent, received := make([]byte, sizes.shared_secret), make([]byte, sizes.shared_secret)
	err := check(C.carryless_hqc_generate(C.CARRYLESS_HQC_1, pointer(public), sizes.encapsulation_key, pointer(secret), sizes.decapsulation_key))
	if err != nil {
		return err
	}
	err = check(C.carryless_hqc_encapsulate_random(C.CARRYLESS_HQC_1, pointer(public), sizes.encapsulation_key,
		pointer(ciphertext), sizes.ciphertext, pointer(sent), sizes.shared_secret))
	if err != nil {
		return err
	}
	err = check(C.carryless_hqc_decapsulate(C.CARRYLESS_HQC_1, pointer(secret), sizes.decapsulation_key,
		pointer(ciphertext), sizes.ciphertext, pointer(received), sizes.shared_secret))
	if err != nil {
		return err
	}
	if !bytes.Equal(sent, received) {
		return errors.New("the secrets differ")
	}
	fmt.Println("both have the same secret")
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
