use super::*;
use crate::report::tests::report;

/// Checks that tags nest and attributes are quoted. Returns the number of elements.
fn well_formed(text: &str) -> usize {
    let (mut open, mut elements) = (Vec::new(), 0);
    for part in text.split('<').skip(1) {
        let (tag, content) = part.split_once('>').expect("every tag ends");
        // Every `&` must begin one of the four entities that `escape` makes.
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
    let text = of_report(&report(&figures)).svg();
    assert!(well_formed(&text) > 9 * 16);
    assert_eq!(text.matches("<polyline").count(), 9);
    let place = |part: &str| text.rfind(part).expect("the style has it");
    // Of two rules of equal weight the later one wins, so the rule without a fill must come last.
    assert!(place("prefers-color-scheme:dark") < place(".line,.hollow{fill:none"), "curves would be filled");
    assert!(place(".c6{stroke") < place(".line,.hollow{fill:none"), "curves would be filled");
    assert!(!text.contains("NaN") && !text.contains("inf"));
}

#[test]
fn one_point_is_a_plot_too() {
    let text = of_report(&report(&[("a", 16, 1.0)])).svg();
    well_formed(&text);
    assert!(!text.contains("NaN") && !text.contains("inf"));
}

#[test]
fn linear_axes_take_figures_below_zero() {
    let curves = [curve("a", &[(49, -3.5), (4000, 31.0)])];
    let text = plot_linear("speed-ups", ["message bytes", "per cent"], &curves).svg();
    well_formed(&text);
    for label in [">500</text>", ">4000</text>", ">0</text>", ">30</text>"] {
        assert!(text.contains(label), "{label} {text}");
    }
    assert!(!text.contains("NaN") && !text.contains("inf"));
}

#[test]
fn plots_stand_below_each_other() {
    let curves = [curve("a", &[(113, 20.0), (1223, 400.0)])];
    let drawing = plot_of("fields", ["degree", "cycles"], &curves);
    let plot = drawing.svg();
    assert!(plot.contains("<title>a, degree 113: 20.0</title>") && plot.contains(">1024</text>"), "{plot}");
    let one = well_formed(&plot);
    let text = sheet(&[drawing.clone(), drawing]);
    assert_eq!(well_formed(&text), 2 * one + 1);
    // 490 pixels is the least height of a plot.
    for place in ["viewBox=\"0 0 900 980\"", "<svg y=\"0\" ", "<svg y=\"490\" "] {
        assert!(text.contains(place), "{place}");
    }
}

#[test]
fn faster_and_longer_lie_lower_and_further_right() {
    let text = of_report(&report(&[("a", 16, 2.0), ("a", 1024, 0.5)])).svg();
    let points = text.split("points=\"").nth(1).unwrap().split('"').next().unwrap();
    let numbers: Vec<f64> = points.split([' ', ',']).map(|n| n.parse().unwrap()).collect();
    // Pixels count from the top, so a smaller figure has a larger y.
    assert!(numbers[0] < numbers[2] && numbers[1] < numbers[3], "{points}");
}

/// A curve of printed figures, in pairs of position and figure.
fn curve(name: &str, points: &[(usize, f64)]) -> Curve {
    Curve::new(name, points.iter().map(|&(at, figure)| Point::printed(at, figure)))
}

/// Every line of the legend ends inside the picture, at a width of 7 pixels for each letter.
#[test]
fn legends_end_inside_the_picture() {
    let name = "vpclmul-zmm-gfni/a package with a long name/key generation";
    let curves: Vec<Curve> = (0..30).map(|i| curve(&format!("{name} {i}"), &[(1, 1.0), (2, 2.0)])).collect();
    let drawing = plot_of("many", ["x", "y"], &curves);
    let text = drawing.svg();
    for line in text.lines().filter(|line| line.contains(name) && line.contains("<text")) {
        let number = |from: &str| -> f64 {
            let rest = &line[line.rfind("<text").expect("it is there")..];
            rest.split(from)
                .nth(1)
                .and_then(|rest| rest.split('"').next())
                .expect("a place")
                .parse()
                .expect("a number")
        };
        let letters = line.rsplit('>').nth(1).expect("text").trim_end_matches("</text").chars().count();
        assert!(number("x=\"") + 7.0 * letters as f64 <= f64::from(drawing.width), "{line}");
        assert!(number("y=\"") <= f64::from(drawing.height), "{line}");
    }
    assert_eq!(text.matches(name).count(), 3 * 30, "a legend line and two marks each");
}

#[test]
fn quartiles_and_disturbed_figures_are_drawn() {
    let mut report = report(&[("a", 16, 2.0), ("a", 1024, 0.5)]);
    report.rows[0].cycles_per_byte.q3 *= 1.5;
    report.rows[1].disturbed = true;
    let text = of_report(&report).svg();
    well_formed(&text);
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("quartiles\"")).collect();
    let place = |line: &str, name: &str| -> f64 {
        line.split(name)
            .nth(1)
            .and_then(|rest| rest.split('"').next())
            .expect("a place")
            .parse()
            .expect("a number")
    };
    assert!(place(lines[0], "y1=\"") > place(lines[0], "y2=\""), "the upper quartile lies higher: {lines:?}");
    assert!(text.contains("hollow\" cx") && text.contains("0.500, disturbed</title>"), "{text}");
    assert_eq!(text.matches(", disturbed").count(), 1);
}

#[test]
fn points_that_are_not_joined_have_no_line() {
    let curves = [Curve { joined: false, ..curve("paper", &[(49, 3.5), (4000, 31.0)]) }];
    let text = plot_linear("speed-ups", ["message bytes", "per cent"], &curves).svg();
    assert!(!text.contains("<polyline"), "{text}");
    // Two points, and the sign in the legend.
    assert_eq!(text.matches("<circle").count(), 3);
}
