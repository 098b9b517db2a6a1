//! Transposition of bits, in blocks of 64 rows and columns.

/// Writes the transpose of a matrix whose rows have `stride` words to one whose rows have `out_stride`.
pub(super) fn blocks(words: &[u64], stride: usize, out: &mut [u64], out_stride: usize) {
    for (i, rows) in words.chunks(64 * stride.max(1)).enumerate() {
        for k in 0..stride {
            let mut block = [0; 64];
            block.iter_mut().zip(rows.chunks_exact(stride)).for_each(|(word, row)| *word = row[k]);
            transpose(&mut block);
            // Columns after the last have no row in the output.
            let columns = out.chunks_exact_mut(out_stride).skip(64 * k);
            columns.zip(block).for_each(|(column, word)| column[i] = word);
        }
    }
}

/// Exchanges bit j of word i and bit i of word j: first blocks of 32 by 32 bits, then of 16 by 16, and so on.
fn transpose(block: &mut [u64; 64]) {
    let (mut size, mut low) = (32, 0xffff_ffff_u64);
    while size != 0 {
        for i in (0..64).filter(|i| i & size == 0) {
            let exchanged = (block[i] >> size ^ block[i + size]) & low;
            block[i] ^= exchanged << size;
            block[i + size] ^= exchanged;
        }
        size /= 2;
        // The lower halves of groups of twice as many bits.
        low ^= low << size;
    }
}
