#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;

fn one(word: &str) -> Searcher {
    Searcher::new(&[Pattern::parse(word, Kind::Text).unwrap()], 0).unwrap()
}

fn several(words: &[&str]) -> Searcher {
    let patterns: Vec<Pattern> = words
        .iter()
        .map(|w| Pattern::parse(w, Kind::Text).unwrap())
        .collect();
    Searcher::new(&patterns, 0).unwrap()
}

fn span(found: Option<Found>) -> Option<(usize, u64, u64)> {
    found.map(|f| (f.index, f.start, f.end))
}

#[test]
fn prefix_chooses_kind_of_one_pattern() {
    let kinds =
        ["re:a+", "glob:a*", "text:re:a+", "a+"].map(|w| Pattern::parse(w, Kind::Text).unwrap());
    assert_eq!(
        kinds.each_ref().map(|p| p.kind),
        [Kind::Regex, Kind::Glob, Kind::Text, Kind::Text]
    );
    assert_eq!(kinds[2].source, "re:a+");
    assert_eq!(kinds[2].to_string(), "text:re:a+");
    assert_eq!(Pattern::parse("a+", Kind::Regex).unwrap().kind, Kind::Regex);
}

#[test]
fn source_form_survives_json() {
    let pattern = Pattern::parse_named("bad=re:error: .+", Kind::Text).unwrap();
    let json = serde_json::to_string(&pattern).unwrap();
    assert_eq!(
        json,
        r#"{"name":"bad","kind":"regex","source":"error: .+"}"#
    );
    assert_eq!(serde_json::from_str::<Pattern>(&json).unwrap(), pattern);
}

#[test]
fn bad_regex_says_what_and_where() {
    let fault = Pattern::parse("re:ab(c", Kind::Text).unwrap_err();
    assert_eq!(fault.kind, crate::fault::Kind::Usage);
    assert_eq!(
        fault.message,
        "`ab(c` is not a regular expression: unclosed group at character 3"
    );
    assert!(fault.hint.contains("backslash"));
    assert!(fault.report.contains('^'));
    let fault = Pattern::parse("re:(?=a)b", Kind::Text).unwrap_err();
    assert!(fault.hint.contains("capture group"), "{fault:?}");
}

#[test]
fn pattern_that_matches_nothing_is_refused() {
    for word in [
        "", "re:a*", "re:\\b", "re:(?m)$", "re:^", "glob:*", "glob:**", "re:(?m)^", "re:x|",
    ] {
        let fault = Pattern::parse(word, Kind::Text).unwrap_err();
        assert!(
            fault.message.contains("would match at once"),
            "{word}: {}",
            fault.message
        );
        assert!(!fault.hint.is_empty());
    }
}

#[test]
fn glob_stays_within_a_line_and_takes_little() {
    let found = one("glob:err*: [0-9]?")
        .find_in("error\nerr x: 12 : 34\n")
        .unwrap();
    assert_eq!(found.text, "err x: 12");
    assert_eq!(
        one("glob:a[!b]c").find_in("abc a\nc axc").unwrap().text,
        "axc"
    );
    assert_eq!(one("glob:a\\*c").find_in("abc a*c").unwrap().text, "a*c");
    assert_eq!(one("glob:[]x]").find_in("a]").unwrap().text, "]");
    assert_eq!(one("glob:[a&&b]!").find_in("a&!").unwrap().text, "&!");
    for bad in ["glob:a[b", "glob:a\\", "glob:[z-a]"] {
        assert!(Pattern::parse(bad, Kind::Text).is_err(), "{bad}");
    }
}

#[test]
fn earliest_match_wins_then_order() {
    assert_eq!(
        span(several(&["two", "one"]).find_in("one two")),
        Some((1, 0, 3))
    );
    assert_eq!(
        span(several(&["on", "one"]).find_in("one two")),
        Some((0, 0, 2))
    );
    assert_eq!(
        span(several(&["one", "on"]).find_in("one two")),
        Some((0, 0, 3))
    );
    assert_eq!(
        span(several(&["re:(?i)B", "re:(?<n>x)", "re:(?<n>y)"]).find_in("ayb")),
        Some((2, 1, 2))
    );
    assert_eq!(
        span(several(&["re:(?x)a #", "b"]).find_in("cba")),
        Some((1, 1, 2))
    );
}

#[test]
fn captures_have_numbers_names_and_places() {
    let mut search = one(r"re:(?<user>\w+)@(\w+)(x)?");
    search.restart(100);
    let found = search
        .search([(100, "hello bob@"), (110, "host ")])
        .unwrap();
    assert_eq!(
        (found.start, found.end, found.text.as_str()),
        (106, 114, "bob@host")
    );
    assert_eq!(found.captures.len(), 2);
    assert_eq!(found.captures[0].name.as_deref(), Some("user"));
    assert_eq!(
        (
            found.captures[1].number,
            found.captures[1].start,
            found.captures[1].end
        ),
        (2, 110, 114)
    );
}

#[test]
fn gap_joins_its_sides_and_places_map_back() {
    let mut search = one("re:\\$ \nout");
    let found = search.search([(10, "$ "), (20, "\noutput")]).unwrap();
    assert_eq!((found.start, found.end), (10, 24));
    // A match that ends at the gap ends before it.
    let mut search = one("$ ");
    let found = search.search([(10, "$ "), (20, "\noutput")]).unwrap();
    assert_eq!((found.start, found.end), (10, 12));
}

#[test]
fn text_fed_twice_counts_once() {
    let mut search = one("aXa");
    assert_eq!(search.search([(0, "a")]), None);
    assert_eq!(search.search([(0, "aX")]), None);
    assert_eq!(search.next(), 2);
    assert_eq!(span(search.search([(0, "aXa")])), Some((0, 0, 3)));
}

#[test]
fn caret_is_where_the_search_began() {
    let mut search = one("re:^b");
    assert_eq!(search.search([(0, "a\n")]), None);
    assert_eq!(search.search([(2, "b")]), None);
    search.restart(2);
    assert_eq!(span(search.search([(2, "b")])), Some((0, 2, 3)));
    let mut search = one("re:(?m)^b");
    assert_eq!(search.search([(0, "ab\n")]), None);
    assert_eq!(span(search.search([(3, "b")])), Some((0, 3, 4)));
}

#[test]
fn dollar_is_the_end_of_what_has_arrived() {
    let mut search = one("re:> $");
    assert_eq!(search.search([(0, "> x")]), None);
    assert_eq!(span(search.search([(3, "\n> ")])), Some((0, 4, 6)));
}

#[test]
fn digits_at_the_end_are_taken_as_they_stand() {
    let mut search = one(r"re:\d+");
    assert_eq!(span(search.search([(0, "12")])), Some((0, 0, 2)));
}

#[test]
fn match_across_lines_may_arrive_in_pieces() {
    let mut search = one(r"re:start\s+end");
    assert_eq!(search.search([(0, "start\n")]), None);
    let blank = "\n".repeat(10_000);
    assert_eq!(search.search([(6, blank.as_str())]), None);
    assert_eq!(span(search.search([(10_006, "end")])), Some((0, 0, 10_009)));
}

#[test]
fn window_stays_small_however_much_is_fed() {
    for word in ["needle", "re:needle \\d", "re:needle\\s\\d"] {
        let mut search = one(word);
        let line = "some line of a log that goes on and on\n".repeat(1000);
        let mut at = 0;
        for _ in 0..200 {
            assert_eq!(search.search([(at, line.as_str())]), None);
            at += line.len() as u64;
        }
        assert!(
            search.window_size() <= 8 * LOOKBACK,
            "{word}: {}",
            search.window_size()
        );
        assert_eq!(search.search([(at, "need")]), None);
        assert_eq!(search.search([(at + 4, "le 1")]).map(|f| f.start), Some(at));
    }
}

#[test]
fn expressions_that_stay_in_a_line_are_known() {
    for word in [
        "re:a.b",
        r"re:\d+ passed",
        "re:(?i)[a-z]+",
        r"re:(?P<secs>\w)\.",
        r"re:\[y/n\]",
    ] {
        assert!(one(word).stays_in_line(), "{word}");
    }
    for word in [
        r"re:a\s",
        "re:(?s)a.",
        "re:[^a]b",
        r"re:\x0a",
        "re:a\nb",
        r"re:\Wx",
        "re:[[:space:]]x",
    ] {
        assert!(!one(word).stays_in_line(), "{word}");
    }
}

#[test]
fn nearest_miss_says_what_is_different() {
    let miss = |word: &str, text: &str| {
        Pattern::parse(word, Kind::Text)
            .unwrap()
            .nearest_miss(text)
            .map(|m| (m.what, m.line))
    };
    let said = |what: &str, line: &str| Some((what.to_owned(), line.to_owned()));
    assert_eq!(
        miss("Password:", "x\npassword: \n"),
        said("it is there in other case", "password: ")
    );
    assert_eq!(
        miss("all done", "all\ndone now"),
        said(
            "it is there with other blanks or line ends",
            "all\ndone now"
        )
    );
    assert_eq!(
        miss("a.+c", "1 abc"),
        said("it would match as a regular expression (`re:`)", "1 abc")
    );
    assert_eq!(
        miss("re:f(x)", "call f(x)"),
        said("it is there literally (`text:`)", "call f(x)")
    );
    assert_eq!(
        miss("connected to", "> connect: no"),
        said("only `connect` of it is there", "> connect: no")
    );
    assert_eq!(
        miss("reconnected", "disconnected!"),
        said("only `connected` of it is there", "disconnected!")
    );
    assert_eq!(miss("zzz", "nothing"), None);
}

fn cut_search(search: &mut Searcher, text: &str, cuts: &[usize]) -> Option<(usize, u64, u64)> {
    let mut at = 0;
    for &cut in cuts.iter().chain([&text.len()]) {
        let mut cut = cut.clamp(at, text.len());
        while !text.is_char_boundary(cut) {
            cut += 1;
        }
        if let Some(found) = search.search([(at as u64, &text[at..cut])]) {
            return span(Some(found));
        }
        at = cut;
    }
    None
}

proptest! {
    #[test]
    fn literal_is_found_however_the_text_is_cut(
        text in "[abé\n]{0,60}", needle in "[abé\n]{1,4}", mut cuts in prop::collection::vec(0usize..90, 0..12),
    ) {
        cuts.sort_unstable();
        let want = text.find(&needle).map(|at| (0, at as u64, (at + needle.len()) as u64));
        let mut search = Searcher::new(&[Pattern::text(needle)], 0).unwrap();
        prop_assert_eq!(cut_search(&mut search, &text, &cuts), want);
    }

    // A match of fixed length does not depend on what comes after it.
    #[test]
    fn expression_of_fixed_length_is_found_however_the_text_is_cut(
        text in "[abcé\n]{0,80}", word in "(re|glob):[abc.?]{1,3}c", mut cuts in prop::collection::vec(0usize..99, 0..12),
    ) {
        cuts.sort_unstable();
        let word = if word.starts_with("re:") { word.replace('?', ".") } else { word };
        let mut search = one(&word);
        let want = span(search.find_in(&text));
        prop_assert_eq!(cut_search(&mut search, &text, &cuts), want);
    }

    #[test]
    fn several_patterns_are_found_however_the_text_is_cut(
        text in "[abc\n]{0,80}", mut cuts in prop::collection::vec(0usize..99, 0..12),
    ) {
        cuts.sort_unstable();
        let mut search = several(&["cab", "re:b.b", "re:c\\sc", "glob:a?a", "abc"]);
        let want = span(search.find_in(&text));
        prop_assert_eq!(cut_search(&mut search, &text, &cuts), want);
    }

    #[test]
    fn any_word_is_a_pattern_or_a_usage_fault(word in "\\PC{0,20}") {
        if let Err(fault) = Pattern::parse(&word, Kind::Regex) {
            prop_assert_eq!(fault.kind, crate::fault::Kind::Usage);
        }
    }

    #[test]
    fn display_parses_back(source in "[a-z:.]{1,8}", kind in prop::sample::select(vec![Kind::Text, Kind::Glob, Kind::Regex])) {
        let pattern = Pattern { name: None, kind, source };
        for default in [Kind::Text, Kind::Regex] {
            if kind == Kind::Text && default != Kind::Text {
                continue;
            }
            prop_assert_eq!(&Pattern::parse(&pattern.to_string(), default).unwrap(), &pattern);
        }
    }
}

/// Run it with `--release -- --ignored --nocapture` to see the times.
#[test]
#[ignore = "slow without optimisation"]
#[allow(clippy::print_stdout)]
fn hundred_megabytes_take_linear_time() {
    let twenty: Vec<String> = (0..20)
        .map(|n| format!("{}needle {n}", if n % 2 == 0 { "re:" } else { "" }))
        .collect();
    let twenty: Vec<&str> = twenty.iter().map(String::as_str).collect();
    let lines: Vec<String> = (0..80)
        .map(|n| format!("line {n} of the build log: compiling a crate\n"))
        .collect();
    let chunk = lines.concat();
    for words in [
        &["needle 77"][..],
        &[r"re:needle \d+"],
        &[r"re:\w+\s+\d{9}"],
        &twenty,
    ] {
        let mut times = Vec::new();
        for megabytes in [25, 100] {
            let mut search = several(words);
            let begin = std::time::Instant::now();
            let mut at = 0;
            while at < megabytes * 1_000_000 {
                assert_eq!(search.search([(at, chunk.as_str())]), None);
                at += chunk.len() as u64;
            }
            assert!(search.search([(at, "needle 77 123456789")]).is_some());
            times.push(begin.elapsed());
        }
        assert!(times[1] < times[0] * 8, "{words:?}: {times:?}");
        println!("{words:?}: {times:?}");
        assert!(times[1].as_secs() < 5, "{words:?}: {times:?}");
    }
}
