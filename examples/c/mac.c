// Tags a message that comes in pieces, checks the tag, and hashes parts of a message apart.
//
//     cc mac.c $(pkg-config --cflags --libs carryless)
#include <carryless.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(carryless_status status) {
    if (status != CARRYLESS_STATUS_OK) {
        fprintf(stderr, "%s\n", carryless_strerror(status));
        exit(1);
    }
}

int main(void) {
    uint8_t key[CARRYLESS_FILE_MAC_KEY_LEN] = {0x42}; // A real key is random.
    carryless_file_mac *mac;
    check(carryless_file_mac_new(CARRYLESS_FILE_MAC_DECBRWHASH1305, CARRYLESS_FILE_MAC_FILE, key, sizeof key, NULL, 0, &mac));

    carryless_file_mac_stream *stream;
    check(carryless_file_mac_stream_new(mac, NULL, 0, &stream));
    check(carryless_file_mac_stream_update(stream, (const uint8_t *)"in two ", 7));
    check(carryless_file_mac_stream_update(stream, (const uint8_t *)"pieces", 6));
    uint8_t tag[CARRYLESS_TAG_LEN];
    check(carryless_file_mac_stream_tag(stream, tag, sizeof tag));
    check(carryless_file_mac_verify(mac, (const uint8_t *)"in two pieces", 13, tag, sizeof tag));
    carryless_status other = carryless_file_mac_verify(mac, (const uint8_t *)"in one piece", 12, tag, sizeof tag);
    if (other != CARRYLESS_STATUS_MISMATCH)
        return 1;

    // Parts may be hashed by several threads, and on several computers. Here the second comes first.
    size_t len = CARRYLESS_FILE_MAC_PART + 1000;
    uint8_t *message = (uint8_t *)calloc(len, 1), parts[2][CARRYLESS_FILE_MAC_PART_LEN];
    if (message == NULL)
        return 1;
    check(carryless_file_mac_part(mac, 1, message + CARRYLESS_FILE_MAC_PART, 1000, parts[1], sizeof parts[1]));
    check(carryless_file_mac_part(mac, 0, message, CARRYLESS_FILE_MAC_PART, parts[0], sizeof parts[0]));
    carryless_file_mac_parts *joined;
    check(carryless_file_mac_parts_new(mac, NULL, 0, &joined));
    for (int i = 0; i < 2; i++)
        check(carryless_file_mac_parts_push(joined, mac, parts[i], sizeof parts[i]));
    check(carryless_file_mac_parts_tag(joined, tag, sizeof tag));
    check(carryless_file_mac_verify(mac, message, len, tag, sizeof tag));

    free(message);
    check(carryless_free(joined));
    check(carryless_free(stream));
    check(carryless_free(mac));
    puts("the tags are right");
    return 0;
}
