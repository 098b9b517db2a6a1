//! Plots. The papers' show cycles per byte against length, both on logarithmic axes; others have figures of
//! any sign on linear axes.
//!
//! A point is the figure that tables show. The vertical line through it goes from the lower to the upper
//! quartile of all samples. Points of disturbed measurements are hollow.
//!
//! Crate `plotters` (0.3.7) was weighed for this: its SVG backend writes colours as attributes, without classes, style
//! sheet or titles. So it has neither dark colours nor the text that a pointer over a point shows.
use super::axis::{Axis, Scale};
use super::{Report, Row, digits};
use std::fmt::Write;

/// Left, top, right and bottom edge of the plotting area in pixels.
const AREA: (f64, f64, f64, f64) = (64.0, 56.0, 700.0, 436.0);
/// The least width and height of a picture in pixels; a long legend makes it larger.
const SIZE: (u32, u32) = (900, 490);
/// Pixels between the lines of a legend.
const LEGEND_STEP: f64 = 20.0;
/// Pixels of a letter in a legend: more than any sans-serif face of 12 pixels needs on average.
const LETTER: f64 = 7.5;
/// Curves of more points than this are drawn without marks and quartiles, which would cover each other.
const MARKED: usize = 40;

/// One point of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The value on the horizontal axis: the bytes of a message, or what the axis says.
    pub at: usize,
    /// The value on the vertical axis: cycles per byte, cycles, or per cent.
    pub figure: f64,
    /// The lower and the upper quartile of the samples; `None` for a figure that a paper prints.
    pub quartiles: Option<[f64; 2]>,
    /// Whether the machine was too busy for undisturbed samples.
    pub disturbed: bool,
}

impl Point {
    /// A figure without samples, as papers print them.
    pub fn printed(at: usize, figure: f64) -> Point {
        Point { at, figure, quartiles: None, disturbed: false }
    }

    /// The figure of a row and its quartiles, each times `scale`.
    pub fn measured(at: usize, row: &Row, scale: f64) -> Point {
        let spread = row.cycles_per_byte;
        let quartiles = Some([spread.q1 * scale, spread.q3 * scale]);
        Point { at, figure: row.figure() * scale, quartiles, disturbed: row.disturbed }
    }
}

/// The points of one subject, in one colour.
#[derive(Clone, Debug)]
pub struct Curve {
    /// The name in the legend.
    pub name: String,
    /// The points; [`Curve::new`] sorts them by their place on the horizontal axis.
    pub points: Vec<Point>,
    /// Whether a line joins the points. There is none if the points are too few to say what lies between.
    pub joined: bool,
}

impl Curve {
    /// A curve with a line through its points, which may come in any order.
    pub fn new(name: impl Into<String>, points: impl IntoIterator<Item = Point>) -> Curve {
        let mut points: Vec<Point> = points.into_iter().collect();
        points.sort_by_key(|point| point.at);
        Curve { name: name.into(), points, joined: true }
    }

    /// The figure furthest to the right, which orders the legend; 0 if there are no points.
    fn last(&self) -> f64 {
        self.points.last().map_or(0.0, |point| point.figure)
    }

    /// Its text in the legend: the name and the figure furthest to the right.
    fn legend(&self) -> String {
        format!("{}  {}", self.name, self.points.last().map_or(String::new(), |point| digits(point.figure)))
    }
}

/// A plot, which can stand alone or in a sheet.
#[derive(Clone, Debug)]
pub struct Drawing {
    width: u32,
    height: u32,
    text: String,
}

impl Drawing {
    /// The plot as a document, with dark colours if the reader's screen is set so.
    pub fn svg(&self) -> String {
        opening(self.width, self.height) + &self.text
    }
}

/// The first attributes of a document.
fn opening(width: u32, height: u32) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\""
    )
}

/// All plots in one document, one below the other; an empty text if there are none.
pub fn sheet(plots: &[Drawing]) -> String {
    let (width, height) = (
        plots.iter().map(|plot| plot.width).max().unwrap_or(0),
        plots.iter().map(|plot| plot.height).sum::<u32>(),
    );
    match plots {
        [] => return String::new(),
        // A single plot needs no document around it.
        [one] => return one.svg(),
        _ => {}
    }
    let mut text = opening(width, height) + ">\n";
    let mut top = 0;
    for plot in plots {
        // A nested picture is placed by its attribute y.
        text += &plot.svg().replacen("<svg ", &format!("<svg y=\"{top}\" "), 1);
        top += plot.height;
    }
    text + "</svg>\n"
}

/// The plot of a report: cycles per byte of each subject against length.
pub fn of_report(report: &Report) -> Drawing {
    let curve = |subject: &&str| {
        let rows = report.rows.iter().filter(|row| row.subject == **subject);
        Curve::new(*subject, rows.map(|row| Point::measured(row.length, row, 1.0)))
    };
    plot(&report.title(), &report.subjects().iter().map(curve).collect::<Vec<_>>())
}

/// Cycles per byte against bytes of a message, on logarithmic axes. The legend has the order of the
/// curves' right ends, slowest first.
pub fn plot(title: &str, curves: &[Curve]) -> Drawing {
    let axes = ["message bytes", &format!("{} per byte", crate::clock::Clock::UNIT)];
    draw(title, axes, curves, Scale::Logarithmic, bytes)
}

/// Other figures on logarithmic axes. `axes` are the labels of the horizontal and the vertical axis.
pub fn plot_of(title: &str, axes: [&str; 2], curves: &[Curve]) -> Drawing {
    draw(title, axes, curves, Scale::Logarithmic, |value| value.to_string())
}

/// Figures of any sign on linear axes, with labels as for [`plot_of`].
pub fn plot_linear(title: &str, axes: [&str; 2], curves: &[Curve]) -> Drawing {
    draw(title, axes, curves, Scale::Linear, |value| value.to_string())
}

fn draw(title: &str, axes: [&str; 2], curves: &[Curve], scale: Scale, label: fn(u64) -> String) -> Drawing {
    let (left, top, right, bottom) = AREA;
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let x = Axis::around(scale, points().map(|point| point.at as f64), left, right);
    let y = Axis::around(scale, points().map(|point| point.figure), bottom, top);
    let mut order: Vec<(usize, &Curve)> = curves.iter().enumerate().collect();
    order.sort_by(|a, b| b.1.last().total_cmp(&a.1.last()));
    // The legend stands to the right of the plot and needs room for its longest line.
    let letters = curves.iter().map(|curve| curve.legend().chars().count()).max().unwrap_or(0);
    let width = SIZE.0.max((right + 52.0 + LETTER * letters as f64) as u32);
    let height = SIZE.1.max((top + 28.0 + LEGEND_STEP * curves.len() as f64) as u32);
    let mut text = head(title, axes, (width, height));
    grid(&mut text, x, y, label);
    // The colour follows from the list, not from the legend. So a subject keeps its colour from run to run.
    for (place, (colour, curve)) in order.into_iter().enumerate() {
        series(&mut text, curve, (colour, place), (x, y), axes[0]);
    }
    Drawing { width, height, text: text + "</svg>\n" }
}

/// Okabe and Ito's colours, which colour-blind readers can tell apart. Some differ between the light and the
/// dark background, where they would be too pale or too dark.
const LIGHT: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#3a8fc4", "#444444"];
const DARK: [&str; 7] = ["#4aa8e0", "#ff8a3d", "#2fd1a0", "#e79cc6", "#f0e442", "#9ad4f5", "#cccccc"];

/// The beginning of a picture: attributes, style, background, title, and the labels of its axes.
fn head(title: &str, [x, y]: [&str; 2], (width, height): (u32, u32)) -> String {
    let colours = |all: [&str; 7]| {
        let rule = |(i, colour): (usize, &str)| format!(".c{i}{{stroke:{colour};fill:{colour}}}");
        all.into_iter().enumerate().map(rule).collect::<String>()
    };
    // In the style below, `.line` and `.hollow` come last, so that they win over the fill of the colours.
    let title = escape(title);
    format!(
        " role=\"img\" aria-label=\"{title}\">\n<style>\ntext{{font:12px sans-serif;fill:#222;stroke:none}}.small{{font-size:11px}}\
         .ground{{fill:#fff}}.grid{{stroke:#ddd}}{}\n\
         @media(prefers-color-scheme:dark){{text{{fill:#ddd}}.ground{{fill:#14171a}}.grid{{stroke:#333}}{}}}\n\
         .line,.hollow{{fill:none;stroke-width:1.8}}.quartiles{{stroke-width:1;opacity:.6}}\n</style>\n<rect class=\"ground\" width=\"{width}\" height=\"{height}\"/>\n\
         <text x=\"16\" y=\"22\">{title}</text>\n<text x=\"16\" y=\"44\" class=\"small\">{y}</text>\n\
         <text x=\"{:.0}\" y=\"{:.0}\" class=\"small\" text-anchor=\"middle\">{x}</text>\n\
         <text x=\"{:.0}\" y=\"{:.0}\" class=\"small\">name  figure at its right end</text>\n",
        colours(LIGHT),
        colours(DARK),
        (AREA.0 + AREA.2) / 2.0,
        AREA.3 + 40.0,
        AREA.2 + 44.0,
        AREA.1 - 10.0,
    )
}

fn grid(text: &mut String, x: Axis, y: Axis, label: fn(u64) -> String) {
    let (left, top, right, bottom) = AREA;
    // Most lengths are powers of two, so these get the lines.
    for value in x.ticks((0..40).map(|power| (1u64 << power) as f64), 12) {
        let (at, label) = (x.place(value), label(value as u64));
        writeln!(
            text,
            "<line class=\"grid\" x1=\"{at:.1}\" y1=\"{top}\" x2=\"{at:.1}\" y2=\"{bottom}\"/>\
             <text class=\"small\" x=\"{at:.1}\" y=\"{:.0}\" text-anchor=\"middle\">{label}</text>",
            bottom + 18.0
        )
        .expect("to a string");
    }
    let steps = (-4..6).flat_map(|power| [1.0, 1.5, 2.0, 3.0, 5.0, 7.0].map(|step| step * 10f64.powi(power)));
    for value in y.ticks(steps, 60) {
        let at = y.place(value);
        writeln!(
            text,
            "<line class=\"grid\" x1=\"{left}\" y1=\"{at:.1}\" x2=\"{right}\" y2=\"{at:.1}\"/>\
             <text class=\"small\" x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            left - 6.0,
            at + 4.0,
            // Without rounding a label could be 0.30000000000000004.
            (value * 1e6).round() / 1e6
        )
        .expect("to a string");
    }
}

/// One curve and its line in the legend. Beyond seven curves, colours are repeated with dashes.
fn series(text: &mut String, curve: &Curve, (index, line): (usize, usize), (x, y): (Axis, Axis), unit: &str) {
    let place = |point: &Point| format!("{:.1},{:.1}", x.place(point.at as f64), y.place(point.figure));
    let colour = index % LIGHT.len();
    let dash = ["", " stroke-dasharray=\"7 3\"", " stroke-dasharray=\"2 3\""][index / LIGHT.len() % 3];
    if curve.joined {
        let path = curve.points.iter().map(place).collect::<Vec<_>>().join(" ");
        writeln!(text, "<polyline class=\"c{colour} line\"{dash} points=\"{path}\"/>").expect("to a string");
    }
    if curve.points.len() <= MARKED || !curve.joined {
        curve.points.iter().for_each(|point| mark(text, curve, point, colour, (x, y), unit));
    }
    let (begin, at) = (AREA.2 + 16.0, AREA.1 + 8.0 + LEGEND_STEP * line as f64);
    let sign = match curve.joined {
        true => format!(
            "<line class=\"c{colour} line\"{dash} x1=\"{begin}\" y1=\"{at}\" x2=\"{}\" y2=\"{at}\"/>",
            begin + 22.0
        ),
        false => format!("<circle class=\"c{colour}\" cx=\"{}\" cy=\"{at}\" r=\"2.5\"/>", begin + 11.0),
    };
    writeln!(
        text,
        "{sign}<text x=\"{}\" y=\"{}\">{}</text>",
        begin + 28.0,
        at + 4.0,
        escape(&curve.legend())
    )
    .expect("to a string");
}

/// A point with its quartiles, and the text that a pointer over it shows.
fn mark(text: &mut String, curve: &Curve, point: &Point, colour: usize, (x, y): (Axis, Axis), unit: &str) {
    let (cx, cy) = (x.place(point.at as f64), y.place(point.figure));
    // The axes fit figures alone, so a quartile may lie outside of the area.
    if let Some([low, high]) = point.quartiles.map(|ends| ends.map(|end| y.place(end).clamp(AREA.1, AREA.3)))
    {
        writeln!(text, "<line class=\"c{colour} quartiles\" x1=\"{cx:.1}\" y1=\"{low:.1}\" x2=\"{cx:.1}\" y2=\"{high:.1}\"/>")
            .expect("to a string");
    }
    let (hollow, word) = if point.disturbed { (" hollow", ", disturbed") } else { ("", "") };
    writeln!(
        text,
        "<circle class=\"c{colour}{hollow}\" cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"2.5\"><title>{}, {unit} {}: {}{word}</title></circle>",
        escape(&curve.name),
        point.at,
        digits(point.figure)
    )
    .expect("to a string");
}

/// A length in bytes, K or M, whichever is the largest unit that divides it.
fn bytes(length: u64) -> String {
    match length {
        n if n % (1 << 20) == 0 => format!("{}M", n >> 20),
        n if n % (1 << 10) == 0 => format!("{}K", n >> 10),
        n => n.to_string(),
    }
}

/// Escapes text for the content or a quoted attribute of an element.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests;
