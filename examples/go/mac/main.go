// Prints the MAC of a file, under a key of 64 hexadecimal digits.
//
//	PKG_CONFIG_PATH=/usr/local/lib/pkgconfig go run ./mac KEY FILE
package main

// #cgo pkg-config: carryless
// #include <carryless.h>
import "C"

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
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

func tag(key []byte, file io.Reader) ([]byte, error) {
	var mac *C.carryless_file_mac
	var stream *C.carryless_file_mac_stream
	err := check(C.carryless_file_mac_new(C.CARRYLESS_FILE_MAC_DECBRWHASH1305, C.CARRYLESS_FILE_MAC_FILE,
		pointer(key), C.size_t(len(key)), nil, 0, &mac))
	if err != nil {
		return nil, err
	}
	defer func() { C.carryless_free(unsafe.Pointer(mac)) }()
	if err := check(C.carryless_file_mac_stream_new(mac, nil, 0, &stream)); err != nil {
		return nil, err
	}
	defer func() { C.carryless_free(unsafe.Pointer(stream)) }()
	buffer := make([]byte, 1<<16)
	for {
		n, err := file.Read(buffer)
		if err := check(C.carryless_file_mac_stream_update(stream, pointer(buffer), C.size_t(n))); err != nil {
			return nil, err
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	tag := make([]byte, C.CARRYLESS_TAG_LEN)
	return tag, check(C.carryless_file_mac_stream_tag(stream, pointer(tag), C.size_t(len(tag))))
}

func run() error {
	if len(os.Args) != 3 {
		return errors.New("mac KEY FILE")
	}
	key, err := hex.DecodeString(os.Args[1])
	if err != nil {
		return err
	}
	file, err := os.Open(os.Args[2])
	if err != nil {
		return err
	}
	defer file.Close()
	tag, err := tag(key, file)
	if err != nil {
		return err
	}
	fmt.Println(hex.EncodeToString(tag))
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
