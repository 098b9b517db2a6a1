//! The plots of the papers: cycles per byte against length, both on logarithmic axes; or figures of any sign on linear ones.
use super::{Report, digits};
use std::fmt::Write;

/// Left, top, right and bottom edge of the plotting area, and the whole picture's size.
const AREA: (f64, f64, f64, f64) = (64.0, 56.0, 700.0, 436.0);
const SIZE: (u32, u32) = (900, 490);

/// How values become places.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scale {
    Logarithmic,
    Linear,
}

/// Values of an axis: where it begins and ends.
#[derive(Clone, Copy)]
struct Axis {
    scale: Scale,
    from: f64,
    to: f64,
    begin: f64,
    end: f64,
}

impl Axis {
    /// An axis from `begin` to `end` in the picture that shows all values, with some room around them.
    fn around(scale: Scale, values: impl Iterator<Item = f64>, begin: f64, end: f64) -> Axis {
        let (low, high) = values.fold((f64::INFINITY, 0.0_f64), |(low, high), v| (low.min(v), high.max(v)));
        let (from, to) = match scale {
            Scale::Logarithmic => (low / 1.15, high * 1.15),
            Scale::Linear => {
                let room = (high - low).max(1.0) / 20.0;
                (low - room, high + room)
            }
        };
        Axis { scale, from, to, begin, end }
    }

    fn place(&self, value: f64) -> f64 {
        let part = match self.scale {
            Scale::Logarithmic => (value / self.from).ln() / (self.to / self.from).ln(),
            Scale::Linear => (value - self.from) / (self.to - self.from),
        };
        self.begin + (self.end - self.begin) * part
    }

    fn shows(&self, value: f64) -> bool {
        (self.from..=self.to).contains(&value)
    }

    /// Values with a line in the grid, `most` of them; of those given, if the axis is logarithmic.
    fn ticks(&self, logarithmic: impl Iterator<Item = f64>, most: usize) -> Vec<f64> {
        let all: Vec<f64> = match self.scale {
            Scale::Logarithmic => logarithmic.filter(|&value| self.shows(value)).collect(),
            Scale::Linear => {
                let step = 10f64.powf((self.to - self.from).log10().floor()) / 2.0;
                let first = (self.from / step).ceil() as i64;
                (first..).map(|i| i as f64 * step).take_while(|&value| value <= self.to).collect()
            }
        };
        let every = all.len().div_ceil(most).max(1);
        all.into_iter().step_by(every).collect()
    }
}

/// Figures of one subject.
#[derive(Clone, Debug)]
pub struct Curve {
    /// As in the legend.
    pub name: String,
    /// Bytes of a message and cycles per byte, or what else the axes say.
    pub points: Vec<(usize, f64)>,
}

impl Curve {
    /// The figure at the greatest length.
    fn last(&self) -> f64 {
        self.points.iter().max_by_key(|point| point.0).map_or(0.0, |point| point.1)
    }
}

/// The plot of a report.
pub fn svg(report: &Report) -> String {
    let curve = |subject: &&str| {
        let rows = report.rows.iter().filter(|row| row.subject == **subject);
        Curve { name: (*subject).into(), points: rows.map(|row| (row.length, row.figure())).collect() }
    };
    plot(&report.title(), &report.subjects().iter().map(curve).collect::<Vec<_>>())
}

/// Curves as a standalone SVG document, dark where the reader's screen is. Legend lines stand in the order in which the
/// curves end, slowest first.
pub fn plot(title: &str, curves: &[Curve]) -> String {
    let axes = ["message bytes", &format!("{} per byte", crate::clock::Clock::UNIT)];
    draw(title, axes, curves, Scale::Logarithmic, bytes)
}

/// The same of other figures: what the axis to the right shows, and the one upwards.
pub fn plot_of(title: &str, axes: [&str; 2], curves: &[Curve]) -> String {
    draw(title, axes, curves, Scale::Logarithmic, |value| value.to_string())
}

/// The same on linear axes, with figures of any sign.
pub fn plot_linear(title: &str, axes: [&str; 2], curves: &[Curve]) -> String {
    draw(title, axes, curves, Scale::Linear, |value| value.to_string())
}

fn draw(title: &str, axes: [&str; 2], curves: &[Curve], scale: Scale, label: fn(u64) -> String) -> String {
    let (left, top, right, bottom) = AREA;
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let x = Axis::around(scale, points().map(|point| point.0 as f64), left, right);
    let y = Axis::around(scale, points().map(|point| point.1), bottom, top);
    let mut text = head(title, axes);
    grid(&mut text, x, y, label);
    let mut order: Vec<(usize, &Curve)> = curves.iter().enumerate().collect();
    order.sort_by(|a, b| b.1.last().total_cmp(&a.1.last()));
    for (place, (colour, curve)) in order.into_iter().enumerate() {
        series(&mut text, curve, (colour, place), (x, y), axes[0]);
    }
    text + "</svg>\n"
}

/// Plots in one document, one below the other.
pub fn sheet(plots: &[String]) -> String {
    let (width, height) = SIZE;
    let whole = height * plots.len() as u32;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {whole}\" width=\"{width}\" height=\"{whole}\">\n"
    );
    for (i, plot) in plots.iter().enumerate() {
        text += &plot.replacen("<svg ", &format!("<svg y=\"{}\" ", height * i as u32), 1);
    }
    text + "</svg>\n"
}

/// Okabe and Ito's colours, which the colour-blind can tell apart; those too dark or too light for a ground differ on it.
const LIGHT: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#3a8fc4", "#444444"];
const DARK: [&str; 7] = ["#4aa8e0", "#ff8a3d", "#2fd1a0", "#e79cc6", "#f0e442", "#9ad4f5", "#cccccc"];

fn head(title: &str, [x, y]: [&str; 2]) -> String {
    let (width, height) = SIZE;
    let colours = |all: [&str; 7]| {
        let rule = |(i, colour): (usize, &str)| format!(".c{i}{{stroke:{colour};fill:{colour}}}");
        all.into_iter().enumerate().map(rule).collect::<String>()
    };
    let title = escape(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" aria-label=\"{title}\">\n<style>\ntext{{font:12px sans-serif;fill:#222;stroke:none}}.small{{font-size:11px}}\
         .ground{{fill:#fff}}.grid{{stroke:#ddd}}{}\n\
         @media(prefers-color-scheme:dark){{text{{fill:#ddd}}.ground{{fill:#14171a}}.grid{{stroke:#333}}{}}}\n\
         .line{{fill:none;stroke-width:1.8}}\n</style>\n<rect class=\"ground\" width=\"{width}\" height=\"{height}\"/>\n\
         <text x=\"16\" y=\"22\">{title}</text>\n<text x=\"16\" y=\"44\" class=\"small\">{y}</text>\n\
         <text x=\"{:.0}\" y=\"{:.0}\" class=\"small\" text-anchor=\"middle\">{x}</text>\n",
        colours(LIGHT),
        colours(DARK),
        (AREA.0 + AREA.2) / 2.0,
        AREA.3 + 40.0,
    )
}

fn grid(text: &mut String, x: Axis, y: Axis, label: fn(u64) -> String) {
    let (left, top, right, bottom) = AREA;
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
            (value * 1e6).round() / 1e6
        )
        .expect("to a string");
    }
}

/// One curve with its line in the legend. Beyond seven, colours come again with dashes.
fn series(text: &mut String, curve: &Curve, (index, line): (usize, usize), (x, y): (Axis, Axis), unit: &str) {
    let mut points = curve.points.clone();
    points.sort_by_key(|&(length, _)| length);
    let place =
        |&(length, figure): &(usize, f64)| format!("{:.1},{:.1}", x.place(length as f64), y.place(figure));
    let path = points.iter().map(place).collect::<Vec<_>>().join(" ");
    let colour = index % LIGHT.len();
    let dash = ["", " stroke-dasharray=\"7 3\"", " stroke-dasharray=\"2 3\""][index / LIGHT.len() % 3];
    writeln!(text, "<polyline class=\"c{colour} line\"{dash} points=\"{path}\"/>").expect("to a string");
    if points.len() <= 40 {
        for point in &points {
            let (at, name) = (place(point), escape(&curve.name));
            let (cx, cy) = at.split_once(',').expect("a place has two parts");
            let (length, figure) = (point.0, digits(point.1));
            writeln!(
                text,
                "<circle class=\"c{colour}\" cx=\"{cx}\" cy=\"{cy}\" r=\"2.5\"><title>{name}, {unit} {length}: {figure}</title></circle>"
            )
            .expect("to a string");
        }
    }
    let (begin, at) = (AREA.2 + 16.0, AREA.1 + 8.0 + 20.0 * line as f64);
    let last = points.last().map_or(String::new(), |&(_, figure)| digits(figure));
    writeln!(
        text,
        "<line class=\"c{colour} line\"{dash} x1=\"{begin}\" y1=\"{at}\" x2=\"{}\" y2=\"{at}\"/>\
         <text x=\"{}\" y=\"{}\">{}  {last}</text>",
        begin + 22.0,
        begin + 28.0,
        at + 4.0,
        escape(&curve.name)
    )
    .expect("to a string");
}

/// A length in the largest unit that divides it.
fn bytes(length: u64) -> String {
    match length {
        n if n % (1 << 20) == 0 => format!("{}M", n >> 20),
        n if n % (1 << 10) == 0 => format!("{}K", n >> 10),
        n => n.to_string(),
    }
}

/// Text as the content or a quoted attribute of an element.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::report;

    /// Checks that tags nest and attributes are quoted; returns the number of elements.
    fn well_formed(text: &str) -> usize {
        let (mut open, mut elements) = (Vec::new(), 0);
        for part in text.split('<').skip(1) {
            let (tag, content) = part.split_once('>').expect("every tag ends");
            assert!(
                !content.contains('>')
                    && !content
                        .replace("&amp;", "")
                        .replace("&lt;", "")
                        .replace("&gt;", "")
                        .replace("&quot;", "")
                        .contains('&')
            );
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name.to_owned()));
                continue;
            }
            elements += 1;
            if !tag.ends_with('/') {
                open.push(tag.split_whitespace().next().expect("a tag has a name").to_owned());
            }
        }
        assert!(open.is_empty(), "never closed: {open:?}");
        elements
    }

    #[test]
    fn the_document_is_well_formed() {
        let figures: Vec<(String, usize, f64)> = (0..9)
            .flat_map(|s| {
                (4..20).map(move |power| (format!("subject/{s}<&>"), 1 << power, 3.0 / f64::from(power + s)))
            })
            .collect();
        let figures: Vec<(&str, usize, f64)> = figures.iter().map(|(s, n, f)| (s.as_str(), *n, *f)).collect();
        let text = svg(&report(&figures));
        assert!(well_formed(&text) > 9 * 16);
        assert_eq!(text.matches("<polyline").count(), 9);
        let place = |part: &str| text.rfind(part).expect("the style has it");
        assert!(place("prefers-color-scheme:dark") < place(".line{fill:none"), "curves would be filled");
        assert!(place(".c6{stroke") < place(".line{fill:none"), "curves would be filled");
        assert!(!text.contains("NaN") && !text.contains("inf"));
    }

    #[test]
    fn one_point_is_a_plot_too() {
        let text = svg(&report(&[("a", 16, 1.0)]));
        well_formed(&text);
        assert!(!text.contains("NaN") && !text.contains("inf"));
    }

    #[test]
    fn linear_axes_take_figures_below_zero() {
        let curves = [Curve { name: "a".into(), points: vec![(49, -3.5), (4000, 31.0)] }];
        let text = plot_linear("speed-ups", ["message bytes", "per cent"], &curves);
        well_formed(&text);
        for label in [">500</text>", ">4000</text>", ">0</text>", ">30</text>"] {
            assert!(text.contains(label), "{label} {text}");
        }
        assert!(!text.contains("NaN") && !text.contains("inf"));
    }

    #[test]
    fn plots_stand_below_each_other() {
        let curves = [Curve { name: "a".into(), points: vec![(113, 20.0), (1223, 400.0)] }];
        let plot = plot_of("fields", ["degree", "cycles"], &curves);
        assert!(
            plot.contains("<title>a, degree 113: 20.0</title>") && plot.contains(">1024</text>"),
            "{plot}"
        );
        let one = well_formed(&plot);
        let text = sheet(&[plot.clone(), plot]);
        assert_eq!(well_formed(&text), 2 * one + 1);
        for place in ["viewBox=\"0 0 900 980\"", "<svg y=\"0\" ", "<svg y=\"490\" "] {
            assert!(text.contains(place), "{place}");
        }
    }

    #[test]
    fn faster_and_longer_lie_lower_and_further_right() {
        let text = svg(&report(&[("a", 16, 2.0), ("a", 1024, 0.5)]));
        let points = text.split("points=\"").nth(1).unwrap().split('"').next().unwrap();
        let numbers: Vec<f64> = points.split([' ', ',']).map(|n| n.parse().unwrap()).collect();
        assert!(numbers[0] < numbers[2] && numbers[1] < numbers[3], "{points}");
    }
}
