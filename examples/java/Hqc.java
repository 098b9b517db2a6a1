// Agrees on a secret with HQC-1. JDK 22 or later.
//
//     LD_LIBRARY_PATH=/usr/local/lib java --enable-native-access=ALL-UNNAMED Hqc.java
import static java.lang.foreign.ValueLayout.*;

import java.lang.foreign.*;
import java.lang.invoke.MethodHandle;

public class Hqc {
    static final Linker LINKER = Linker.nativeLinker();
    static final SymbolLookup LIBRARY = SymbolLookup.libraryLookup("libcarryless.so.0", Arena.global());
    static final int HQC_1 = 1;
    // carryless_hqc_sizes has six numbers, in this order.
    static final int ENCAPSULATION_KEY = 1, DECAPSULATION_KEY = 2, CIPHERTEXT = 4, SHARED_SECRET = 5;

    static MethodHandle function(String name, MemoryLayout... arguments) {
        return LINKER.downcallHandle(LIBRARY.find(name).orElseThrow(), FunctionDescriptor.of(JAVA_INT, arguments));
    }

    static final MethodHandle SIZES = function("carryless_hqc_get_sizes", JAVA_INT, ADDRESS);
    static final MethodHandle GENERATE = function("carryless_hqc_generate", JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG);
    static final MethodHandle ENCAPSULATE = function(
            "carryless_hqc_encapsulate_random", JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG);
    static final MethodHandle DECAPSULATE = function(
            "carryless_hqc_decapsulate", JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG);
    static final MethodHandle STRERROR = LINKER.downcallHandle(
            LIBRARY.find("carryless_strerror").orElseThrow(), FunctionDescriptor.of(ADDRESS, JAVA_INT));

    static void check(int status) throws Throwable {
        if (status != 0) {
            MemorySegment text = (MemorySegment) STRERROR.invokeExact(status);
            throw new IllegalStateException(text.reinterpret(Long.MAX_VALUE).getString(0));
        }
    }

    public static void main(String[] arguments) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment sizes = arena.allocate(JAVA_LONG, 6);
            check((int) SIZES.invokeExact(HQC_1, sizes));
            MemorySegment publicKey = arena.allocate(sizes.getAtIndex(JAVA_LONG, ENCAPSULATION_KEY));
            MemorySegment secretKey = arena.allocate(sizes.getAtIndex(JAVA_LONG, DECAPSULATION_KEY));
            MemorySegment ciphertext = arena.allocate(sizes.getAtIndex(JAVA_LONG, CIPHERTEXT));
            MemorySegment sent = arena.allocate(sizes.getAtIndex(JAVA_LONG, SHARED_SECRET));
            MemorySegment received = arena.allocate(sent.byteSize());
            check((int) GENERATE.invokeExact(HQC_1, publicKey, publicKey.byteSize(), secretKey, secretKey.byteSize()));
            check((int) ENCAPSULATE.invokeExact(
                    HQC_1, publicKey, publicKey.byteSize(), ciphertext, ciphertext.byteSize(), sent, sent.byteSize()));
            check((int) DECAPSULATE.invokeExact(
                    HQC_1, secretKey, secretKey.byteSize(), ciphertext, ciphertext.byteSize(), received, received.byteSize()));
            secretKey.fill((byte) 0);
            if (sent.mismatch(received) >= 0) {
                throw new IllegalStateException("the secrets differ");
            }
            System.out.println("both have the same secret");
        }
    }
}
