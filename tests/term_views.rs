//! The views that leave the terminal: page, picture, and what JSON tells beside the text.
#![expect(clippy::unwrap_used, reason = "a test may")]

use coax::term::{Size, Term};
use coax::view::{self, Look};

fn term(bytes: &str) -> Term {
    let mut term = Term::new(Size { rows: 2, cols: 12 }, 100);
    term.feed(bytes.as_bytes());
    term
}

const DRAWN: &str = "\x1b]2;t<i>\x07\x1b[1;31ma&b\x1b[m \x1b]8;;https://x.y/?a&b\x1b\\go\x1b]8;;\x1b\\\
     \r\n\x1b[7m日\x1b[m\x1b[4:3m_\x1b[m\x1b]8;;javascript:x()\x07no\x1b]8;;\x07\x1b[?25l";

#[test]
fn html_is_a_page_that_runs_nothing() {
    let page = String::from_utf8(view::html(term(DRAWN).screen(), &Look::default())).unwrap();
    let want = r#"<!DOCTYPE html>
<meta charset="utf-8">
<title>t&lt;i&gt;</title>
<pre style="color:#000000;background:#ffffff;font-family:monospace;line-height:1.2;display:inline-block"><span style="font-weight:bold;color:#cd0000">a&amp;b</span> <a href="https://x.y/?a&amp;b">go</a>
<span style="color:#ffffff;background:#000000">日</span><span style="text-decoration:underline;text-decoration-style:wavy">_</span>no
</pre>
"#;
    assert_eq!(page, want);
}

#[test]
fn svg_puts_every_run_on_its_columns() {
    let picture = String::from_utf8(view::svg(term(DRAWN).screen(), &Look::default())).unwrap();
    let want = r##"<svg xmlns="http://www.w3.org/2000/svg" width="108" height="36" viewBox="0 0 108 36">
<title>t&lt;i&gt;</title>
<rect width="100%" height="100%" fill="#ffffff"/>
<g fill="#000000" font-family="monospace" font-size="15" xml:space="preserve">
<text x="0" y="14" textLength="27" lengthAdjust="spacingAndGlyphs" fill="#cd0000" style="font-weight:bold">a&amp;b</text>
<a href="https://x.y/?a&amp;b"><text x="36" y="14" textLength="18" lengthAdjust="spacingAndGlyphs">go</text></a>
<rect x="0" y="18" width="18" height="18" fill="#000000"/>
<text x="0" y="32" textLength="18" lengthAdjust="spacingAndGlyphs" fill="#ffffff">日</text>
<text x="18" y="32" textLength="9" lengthAdjust="spacingAndGlyphs" style="text-decoration:underline;text-decoration-style:wavy">_</text>
<text x="27" y="32" textLength="18" lengthAdjust="spacingAndGlyphs">no</text>
</g>
</svg>
"##;
    assert_eq!(picture, want);
}

#[test]
fn the_cursor_is_drawn_where_it_stands() {
    let page = String::from_utf8(view::html(term("ab\x1b[D").screen(), &Look::default())).unwrap();
    assert!(
        page.contains(r#"a<span style="color:#ffffff;background:#000000">b</span>"#),
        "{page}"
    );
}

#[test]
fn json_tells_palette_links_and_runs() {
    let term = term(&format!(
        "{DRAWN}\x1b]4;1;#102030\x07\x1b]11;#000\x07\x1b]5;0;red\x07"
    ));
    let look = Look {
        runs: true,
        ..Look::default()
    };
    let json = view::json(term.screen(), &look);
    assert_eq!(
        json["palette"].to_string(),
        r##"{"1":"#102030","background":"#000000","bold":"#ff0000"}"##
    );
    assert_eq!(json["links"][0]["uri"], "https://x.y/?a&b");
    assert_eq!(
        (&json["links"][0]["col"], &json["links"][0]["cols"]),
        (&4.into(), &2.into())
    );
    let runs: Vec<_> = json["runs"].as_array().unwrap().iter().collect();
    let texts: Vec<_> = runs
        .iter()
        .map(|run| run["text"].as_str().unwrap())
        .collect();
    assert_eq!(texts, ["a&b", " ", "go", "日", "_", "no"]);
    assert_eq!(
        (&runs[0]["fg"], &runs[3]["width"]),
        (&"1".into(), &2.into())
    );
}
