// Prints the MAC of a file, under a key of 64 hexadecimal digits. JDK 22 or later.
//
//     LD_LIBRARY_PATH=/usr/local/lib java --enable-native-access=ALL-UNNAMED Mac.java KEY FILE
import static java.lang.foreign.ValueLayout.*;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.*;
import java.lang.invoke.MethodHandle;
import java.nio.file.*;
import java.util.HexFormat;

public class Mac {
    static final Linker LINKER = Linker.nativeLinker();
    static final SymbolLookup LIBRARY = SymbolLookup.libraryLookup("libcarryless.so.0", Arena.global());
    static final int DECBRWHASH1305 = 0, FILE = 0, TAG_LEN = 16;

    static MethodHandle function(String name, MemoryLayout... arguments) {
        return LINKER.downcallHandle(LIBRARY.find(name).orElseThrow(), FunctionDescriptor.of(JAVA_INT, arguments));
    }

    static final MethodHandle NEW = function("carryless_file_mac_new", JAVA_INT, JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS);
    static final MethodHandle STREAM_NEW = function("carryless_file_mac_stream_new", ADDRESS, ADDRESS, JAVA_LONG, ADDRESS);
    static final MethodHandle UPDATE = function("carryless_file_mac_stream_update", ADDRESS, ADDRESS, JAVA_LONG);
    static final MethodHandle TAG = function("carryless_file_mac_stream_tag", ADDRESS, ADDRESS, JAVA_LONG);
    static final MethodHandle FREE = function("carryless_free", ADDRESS);
    static final MethodHandle STRERROR = LINKER.downcallHandle(
            LIBRARY.find("carryless_strerror").orElseThrow(), FunctionDescriptor.of(ADDRESS, JAVA_INT));

    static void check(int status) throws Throwable {
        if (status != 0) {
            MemorySegment text = (MemorySegment) STRERROR.invokeExact(status);
            throw new IllegalStateException(text.reinterpret(Long.MAX_VALUE).getString(0));
        }
    }

    static byte[] tag(byte[] key, InputStream file) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment secret = arena.allocateFrom(JAVA_BYTE, key);
            MemorySegment handle = arena.allocate(ADDRESS), tag = arena.allocate(TAG_LEN), buffer = arena.allocate(1 << 16);
            check((int) NEW.invokeExact(DECBRWHASH1305, FILE, secret, secret.byteSize(), MemorySegment.NULL, 0L, handle));
            secret.fill((byte) 0);
            MemorySegment mac = handle.get(ADDRESS, 0), stream = MemorySegment.NULL;
            try {
                check((int) STREAM_NEW.invokeExact(mac, MemorySegment.NULL, 0L, handle));
                stream = handle.get(ADDRESS, 0);
                byte[] piece = new byte[1 << 16];
                for (int len; (len = file.read(piece)) >= 0;) {
                    MemorySegment.copy(piece, 0, buffer, JAVA_BYTE, 0, len);
                    check((int) UPDATE.invokeExact(stream, buffer, (long) len));
                }
                check((int) TAG.invokeExact(stream, tag, tag.byteSize()));
                return tag.toArray(JAVA_BYTE);
            } finally {
                check((int) FREE.invokeExact(stream));
                check((int) FREE.invokeExact(mac));
            }
        }
    }

    public static void main(String[] arguments) throws Throwable {
        if (arguments.length != 2) {
            System.err.println("Mac.java KEY FILE");
            System.exit(1);
        }
        try (InputStream file = Files.newInputStream(Path.of(arguments[1]))) {
            System.out.println(HexFormat.of().formatHex(tag(HexFormat.of().parseHex(arguments[0]), file)));
        } catch (IOException | RuntimeException error) {
            System.err.println(error);
            System.exit(1);
        }
    }
}
