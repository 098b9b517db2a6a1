//! Two-way analysis of variance: it splits the variance of a time into that of the row (a key), of the column
//! (a message), of both together (a ciphertext), and the rest.
//!
//! The model is t = mean + row + column + row x column + rest, with independent normal deviations. The mean
//! of each cell has the first four terms and a part of the rest. So the mean square of the rows of a table of
//! cell means has the expectation sigma_cell^2 + columns * sigma_row^2, where sigma_cell^2 is that of the
//! residuals. The ratio F of the two bounds sigma_row: with probability 0.95, F / (1 + columns * sigma_row^2
//! / sigma_cell^2) exceeds the 0.05 quantile of the F distribution.

/// The quantile 0.95 of the standard normal distribution; its negative is the quantile 0.05.
const Z95: f64 = 1.644_853_627;

/// A sum of squares with its degrees of freedom, of one or several tables with the same shape.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Squares {
    /// Sum of squared deviations, in squares of the unit of the times.
    pub(super) sum: f64,
    /// Degrees of freedom: independent deviations in the sum.
    pub(super) degrees: f64,
}

impl Squares {
    pub(super) fn mean(self) -> f64 {
        self.sum / self.degrees
    }

    fn add(&mut self, other: Squares) {
        self.sum += other.sum;
        self.degrees += other.degrees;
    }
}

/// Sums of squares of one or several tables of the same shape.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Analysis {
    /// Number of columns of a table.
    pub(super) columns: f64,
    /// Number of rows of a table.
    pub(super) rows: f64,
    /// Deviations of the means of rows, weighted by the number of columns.
    pub(super) row: Squares,
    /// Deviations of the means of columns, weighted by the number of rows.
    pub(super) column: Squares,
    /// Deviations of the means of cells from the sum of their row's and their column's.
    pub(super) cell: Squares,
    /// Deviations of calls within a cell, scaled so that its mean square is the variance of a cell's mean.
    pub(super) within: Squares,
    /// Sum of the mean times of the tables.
    pub(super) means: f64,
    /// Number of tables that were added.
    pub(super) tables: f64,
}

/// A standard deviation, in the unit of the times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Deviation {
    /// The estimate of the deviation; 0 if the data show none.
    pub(super) estimate: f64,
    /// A bound: the true deviation is smaller with 95 % confidence.
    pub(super) below: f64,
    /// The ratio of the mean square to that of the residuals; about 1 if there is no deviation.
    pub(super) f: f64,
    /// Whether F would be this large with a probability below 1 % if there were no deviation.
    pub(super) significant: bool,
}

impl Analysis {
    /// Analyses one table of times. `cells[row][column]` has at least two times.
    pub(super) fn of(cells: &[Vec<Vec<f64>>]) -> Analysis {
        let (rows, columns) = (cells.len(), cells[0].len());
        let means: Vec<Vec<f64>> =
            cells.iter().map(|row| row.iter().map(|cell| mean(cell)).collect()).collect();
        let row_means: Vec<f64> = means.iter().map(|row| mean(row)).collect();
        let column_means: Vec<f64> =
            (0..columns).map(|j| mean(&means.iter().map(|row| row[j]).collect::<Vec<_>>())).collect();
        let all = mean(&row_means);
        let squares = |deviations: &[f64], weight: usize| Squares {
            sum: weight as f64 * deviations.iter().map(|x| (x - all).powi(2)).sum::<f64>(),
            degrees: deviations.len() as f64 - 1.0,
        };
        // The part of a cell's mean that its row and its column do not explain.
        let residual = |i: usize, j: usize| means[i][j] - row_means[i] - column_means[j] + all;
        let cell = (0..rows).flat_map(|i| (0..columns).map(move |j| residual(i, j).powi(2))).sum();
        let within = cells.iter().flatten().map(|cell| Squares {
            sum: variance_of_mean(cell) * (cell.len() as f64 - 1.0),
            degrees: cell.len() as f64 - 1.0,
        });
        Analysis {
            columns: columns as f64,
            rows: rows as f64,
            row: squares(&row_means, columns),
            column: squares(&column_means, rows),
            cell: Squares { sum: cell, degrees: (rows as f64 - 1.0) * (columns as f64 - 1.0) },
            within: within.fold(Squares::default(), |mut all, one| {
                all.add(one);
                all
            }),
            means: all,
            tables: 1.0,
        }
    }

    /// Adds a table of the same shape, whose rows are other keys.
    pub(super) fn add(&mut self, other: &Analysis) {
        self.row.add(other.row);
        self.column.add(other.column);
        self.cell.add(other.cell);
        self.within.add(other.within);
        self.means += other.means;
        self.tables += other.tables;
    }

    /// Multiplies all sums of squares by a factor.
    pub(super) fn scale(&mut self, factor: f64) {
        for squares in [&mut self.row, &mut self.column, &mut self.cell, &mut self.within] {
            squares.sum *= factor;
        }
    }

    /// The mean time of a call in all tables.
    pub(super) fn mean(&self) -> f64 {
        self.means / self.tables
    }

    /// The deviation between rows, which are keys.
    pub(super) fn rows(&self) -> Deviation {
        deviation(self.row, self.cell, self.columns)
    }

    /// The deviation between columns, which are messages.
    pub(super) fn columns(&self) -> Deviation {
        deviation(self.column, self.cell, self.rows)
    }

    /// The deviation between cells beyond that of rows and columns: ciphertexts.
    pub(super) fn cells(&self) -> Deviation {
        deviation(self.cell, self.within, 1.0)
    }
}

/// The deviation whose square, `count` times, is by how much `upper` exceeds `lower` in expectation.
fn deviation(upper: Squares, lower: Squares, count: f64) -> Deviation {
    let f = upper.mean() / lower.mean();
    // By chance the ratio may be negative, but a variance cannot be.
    let of = |ratio: f64| (ratio.max(0.0) * lower.mean() / count).sqrt();
    Deviation {
        estimate: of(f - 1.0),
        below: of(f / quantile(-Z95, upper.degrees, lower.degrees) - 1.0),
        f,
        // This is the quantile 0.99 of the standard normal distribution.
        significant: f > quantile(2.326_347_874, upper.degrees, lower.degrees),
    }
}

/// The quantile of the F distribution that corresponds to the quantile `z` of the normal distribution, by
/// Paulson's approximation (1942). For the degrees of freedom here, 60 and more, its error is below 0.2 %.
fn quantile(z: f64, upper: f64, lower: f64) -> f64 {
    let (a, b) = (2.0 / (9.0 * upper), 2.0 / (9.0 * lower));
    // (1 - b) x - (1 - a) = z sqrt(b x^2 + a) for the cube root x of the quantile.
    let (p, q, z2) = (1.0 - b, 1.0 - a, z * z);
    let square = p * p - z2 * b;
    let root = (p * p * q * q - square * (q * q - z2 * a)).sqrt();
    // Of the two roots, the greater belongs to a positive z, the smaller to a negative one.
    ((p * q + z.signum() * root) / square).powi(3)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn variance_of_mean(values: &[f64]) -> f64 {
    let (mean, count) = (mean(values), values.len() as f64);
    values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (count - 1.0) / count
}

#[cfg(test)]
mod tests {
    use super::super::subjects::Random;
    use super::*;

    #[test]
    fn quantiles_are_those_of_tables() {
        // F(0.95; 60, 120) and F(0.05; 60, 120) = 1 / F(0.95; 120, 60); F(0.99; 60, 120).
        assert!((quantile(Z95, 60.0, 120.0) - 1.4290).abs() < 0.003);
        assert!((quantile(-Z95, 60.0, 120.0) - 1.0 / 1.4673).abs() < 0.003);
        assert!((quantile(2.326_347_874, 60.0, 120.0) - 1.6557).abs() < 0.006);
    }

    #[test]
    fn a_table_without_rest_is_taken_apart() {
        let cell = |i: usize, j: usize| vec![100.0 + 3.0 * i as f64 + 10.0 * j as f64; 2];
        let cells: Vec<Vec<Vec<f64>>> = (0..3).map(|i| (0..2).map(|j| cell(i, j)).collect()).collect();
        let analysis = Analysis::of(&cells);
        // Row means 105, 108, 111; column means 103 and 113.
        assert_eq!(analysis.row, Squares { sum: 2.0 * 18.0, degrees: 2.0 });
        assert_eq!(analysis.column, Squares { sum: 3.0 * 50.0, degrees: 1.0 });
        assert!(analysis.cell.sum < 1e-20 && analysis.within.sum == 0.0);
        assert_eq!(analysis.mean(), 108.0);
    }

    /// A table of times with a deviation of 50 within cells and of `row` between rows.
    fn table(random: &mut Random, row: f64) -> Analysis {
        // The sum of twelve uniform numbers has variance 1.
        let mut normal =
            || (0..12).map(|_| (random.next() >> 11) as f64 / (1_u64 << 53) as f64).sum::<f64>() - 6.0;
        let rows: Vec<f64> = (0..64).map(|_| row * normal()).collect();
        let mut cell = |shift: f64| (0..8).map(|_| 1000.0 + shift + 50.0 * normal()).collect();
        let cells: Vec<Vec<Vec<f64>>> =
            rows.iter().map(|&row| (0..16).map(|_| cell(row)).collect()).collect();
        Analysis::of(&cells)
    }

    /// The bound holds in about 95 % of 200 tables, and a deviation is found if there is one.
    #[test]
    fn bounds_hold_in_nineteen_of_twenty() {
        for sigma in [0.0, 5.0, 20.0] {
            let mut random = Random::new(7);
            let found: Vec<Deviation> = (0..200).map(|_| table(&mut random, sigma).rows()).collect();
            let held = found.iter().filter(|d| d.below >= sigma).count();
            // No bound is below 0, so at 0 all of them hold.
            assert!((180..=199).contains(&held) || sigma == 0.0, "{sigma}: {held}");
            let significant = found.iter().filter(|d| d.significant).count();
            assert!(
                if sigma == 0.0 { significant < 10 } else { significant > 190 },
                "{sigma}: {significant}"
            );
        }
    }

    #[test]
    fn several_tables_narrow_the_bound() {
        let mut random = Random::new(8);
        let mut all = table(&mut random, 0.0);
        let one = all.rows().below;
        (0..15).for_each(|_| all.add(&table(&mut random, 0.0)));
        assert!(all.rows().below < 0.7 * one.max(4.0), "{one} {:?}", all.rows());
        assert!((all.mean() - 1000.0).abs() < 1.0);
    }
}
