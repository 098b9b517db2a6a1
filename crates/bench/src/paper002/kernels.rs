//! Tables 4 and 14: KaratRec over each of the paper's kernels.
use crate::f2x::{Operation, Products};
use crate::subject::Subject;
use carryless_gf2::ClmulCpu;
use carryless_gf2::papers::KaratRec;
use carryless_gf2::poly::NamedKernel;

/// Columns of tables, each with the kernel at the bottom of its code. The paper's kernels fill a vector with
/// one product, ours with four of them. Methods and numbers of carry-less products are the same, and two of
/// the paper's kernels are one of ours.
const KERNELS: [(&str, &str, NamedKernel); 8] = [
    ("table 4", "avx2", NamedKernel::KaratKarat256),
    ("table 4", "mul512", NamedKernel::Mul512),
    ("table 4", "karat_mult_1_512", NamedKernel::KaratMult1At512),
    ("table 4", "karat_mult_1_512_SB", NamedKernel::KaratMult1Sb512),
    ("table 14", "drucker_4x4_256", NamedKernel::Sb256),
    ("table 14", "drucker_8x8_512", NamedKernel::Sb512),
    ("table 14", "avx2", NamedKernel::KaratKarat256),
    ("table 14", "karat256", NamedKernel::Karat256),
];

/// Our kernel for a column of Table 4 or 14; `None` for gf2x's columns and other tables.
pub fn kernel_of(table: &str, column: &str) -> Option<NamedKernel> {
    KERNELS.iter().find(|(of, name, _)| (*of, *name) == (table, column)).map(|(.., kernel)| *kernel)
}

/// One of our columns in a table: its title, and the name of its subject.
pub(super) struct Column {
    pub(super) title: String,
    pub(super) subject: String,
}

/// The backend for a column's code: the one with the paper's AVX2 instructions for `avx2`, this CPU's best
/// for others. `backends` may have only one.
fn backend(column: &str, backends: &[ClmulCpu]) -> Option<ClmulCpu> {
    if column == "avx2" { backends.first().copied() } else { backends.last().copied() }
}

fn name(cpu: ClmulCpu, kernel: NamedKernel) -> String {
    format!("carryless/{}/KaratRec({kernel:?})", cpu.name())
}

/// Our columns in a table with kernels; none for other tables.
pub(super) fn columns(table: &str, backends: &[ClmulCpu]) -> Vec<Column> {
    let of_table = KERNELS.iter().filter(|(of, ..)| *of == table);
    of_table
        .filter_map(|&(_, column, kernel)| {
            let cpu = backend(column, backends)?;
            Some(Column { title: format!("{kernel:?}, {}", cpu.name()), subject: name(cpu, kernel) })
        })
        .collect()
}

/// KaratRec over each kernel, once, for operands of `words` words, which are a power of two.
pub(super) fn subjects(words: usize, backends: &[ClmulCpu]) -> Vec<Subject> {
    let mut all: Vec<Subject> = vec![];
    for &(_, column, kernel) in &KERNELS {
        let Some(cpu) = backend(column, backends) else { continue };
        // The quotient is not 0: the shortest operands have 1024 bits, the widest kernel 512.
        let levels = (words / kernel.words()).ilog2() as usize;
        // A backend may lack the instructions of a kernel.
        let Ok(method) = KaratRec::new(cpu, kernel, levels) else { continue };
        let name = name(cpu, kernel);
        if method.words() == words && all.iter().all(|subject| subject.name != name) {
            all.push(Subject::new(name, cpu.name(), Products(Operation::Mul, move |_| by(method))));
        }
    }
    all
}

/// The call that multiplies by a method. It owns the scratch.
fn by(method: KaratRec) -> impl FnMut(&[u64], &[u64], &mut [u64]) + 'static {
    let mut scratch = vec![0; method.scratch_words()];
    move |a: &[u64], b: &[u64], out: &mut [u64]| method.mul(a, b, out, &mut scratch)
}

#[cfg(test)]
mod tests {
    use super::super::figures::Paper;
    use super::*;

    /// Every column of Tables 4 and 14 is gf2x's or has a kernel. SB-256 and the 4x4 kernel are the same one of ours.
    #[test]
    fn every_column_has_a_kernel() {
        for table in Paper::read().tables.iter().filter(|table| ["table 4", "table 14"].contains(&table.name))
        {
            for column in table.columns.iter().filter(|column| !["gf2x", "sb_256"].contains(column)) {
                assert!(kernel_of(table.name, column).is_some(), "{column}");
            }
        }
        let backends = [ClmulCpu::detect()];
        assert_eq!((columns("table 4", &backends).len(), columns("table 14", &backends).len()), (4, 4));
        assert!(columns("table 5", &backends).is_empty());
        // The eight columns have seven kernels, because both tables have the AVX2 code.
        assert_eq!(subjects(16, &backends).len(), 7);
    }
}
