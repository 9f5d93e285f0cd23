use super::*;

/// The words of each command in `text`, printed, and the mistakes.
fn words(text: &str) -> (Vec<Vec<String>>, Vec<String>) {
    let (tokens, mistakes) = lex(text);
    let mut commands = vec![Vec::new()];
    for token in tokens {
        match token {
            Token::Newline | Token::Semicolon => commands.push(Vec::new()),
            Token::Word(lexed) => {
                if let Some(command) = commands.last_mut() {
                    command.push(lexed.word.to_string());
                }
            }
        }
    }
    commands.retain(|command| !command.is_empty());
    (commands, mistakes.iter().map(ToString::to_string).collect())
}

/// The one word that `text` is, freed of its quotes.
fn literal(text: &str) -> String {
    let (tokens, mistakes) = lex(text);
    assert!(mistakes.is_empty(), "{text}: {mistakes:?}");
    match tokens.as_slice() {
        [Token::Word(lexed)] => lexed.word.literal().expect("no variables"),
        other => panic!("{text}: {other:?}"),
    }
}

fn mistakes(text: &str) -> Vec<String> {
    words(text).1
}

#[test]
fn blanks_newlines_and_semicolons_part_words_and_commands() {
    let (commands, mistakes) =
        words("#! x\nsend  a\tb;key Enter # not this\r\n  # nor this\n;wait");
    assert_eq!(mistakes, [""; 0]);
    assert_eq!(
        commands,
        [vec!["send", "a", "b"], vec!["key", "Enter"], vec!["wait"]]
    );
}

#[test]
fn a_hash_inside_a_word_is_text() {
    assert_eq!(literal("a#b"), "a#b");
    assert_eq!(literal("'#'"), "#");
}

#[test]
fn quotes_join_with_what_stands_beside_them() {
    assert_eq!(literal(r#"re:"version (\d+)""#), r"re:version (\d+)");
    assert_eq!(literal(r#"a'b c'"d e"f"#), "ab cd ef");
    assert_eq!(literal("''"), "");
    assert_eq!(literal(r"'a\n$b'"), r"a\n$b");
}

#[test]
fn double_quotes_know_their_escapes_and_keep_unknown_ones() {
    assert_eq!(
        literal(r#""\n\t\r\e\a\0\\\"\$""#),
        "\n\t\r\u{1b}\u{7}\0\\\"$"
    );
    assert_eq!(literal(r#""\x41\xc3\xa9\u{e9}""#), "Aéé");
    assert_eq!(
        literal(r#""\d+\s\.\x{1f}\u0041\xZ""#),
        r"\d+\s\.\x{1f}\u0041\xZ"
    );
    assert_eq!(literal(r#""\\d""#), r"\d");
}

#[test]
fn a_backslash_frees_the_next_character_of_a_bare_word() {
    assert_eq!(literal(r"a\ b\;\#\'\$x\\"), r"a b;#'$x\");
}

#[test]
fn a_backslash_before_a_letter_in_a_bare_word_is_a_mistake() {
    let found = mistakes(r"expect re:\d+");
    assert_eq!(found.len(), 1);
    assert!(
        found[0].starts_with(r"1:11: \d outside of quotes"),
        "{found:?}"
    );
}

#[test]
fn a_backslash_at_the_end_of_a_line_continues_it() {
    assert_eq!(words("send \\\n  a\\\r\n  b").0, [["send", "\"a\"", "b"]]);
    assert_eq!(literal("\"a\\\nb\""), "ab");
    assert!(mistakes("send a \\ \nsend b")[0].starts_with("1:8: blanks after the backslash"));
}

#[test]
fn variables_stand_bare_and_in_double_quotes() {
    let (commands, mistakes) = words(r#"a$b.c "x${y}z" $10 '$n' "\$n" ${A:-no $B} $"#);
    assert_eq!(mistakes, [""; 0]);
    assert_eq!(
        commands,
        [[
            "a${b}.c",
            "\"x${y}z\"",
            "${10}",
            "\"\\$n\"",
            "\"\\$n\"",
            "${A:-no ${B}}",
            "$"
        ]]
    );
}

#[test]
fn a_dollar_that_names_nothing_is_text() {
    assert_eq!(literal(r#""^foo$""#), "^foo$");
    assert_eq!(literal("$?"), "$?");
    assert_eq!(literal("a$/b$"), "a$/b$");
}

#[test]
fn an_unclosed_quote_is_named_where_it_opens_and_spoils_one_line() {
    let (commands, mistakes) = words("send é 'abc\nsend \"x\nsend ok");
    assert_eq!(mistakes.len(), 2);
    assert!(
        mistakes[0].starts_with("1:8: this ' is not closed"),
        "{mistakes:?}"
    );
    assert!(
        mistakes[1].starts_with("2:6: this \" is not closed"),
        "{mistakes:?}"
    );
    assert_eq!(commands[2], ["send", "ok"]);
}

#[test]
fn what_a_dollar_cannot_mean_is_a_mistake() {
    for text in [
        "${",
        "${}",
        "${a",
        "${a-b}",
        "\"${a:-b\"",
        "${a:-b",
        "$(date)",
        "\"${a b}\"",
    ] {
        assert!(!mistakes(text).is_empty(), "{text}");
    }
    assert!(!mistakes(&"${A:-".repeat(1000)).is_empty());
}

#[test]
fn bytes_that_are_no_text_are_a_mistake_at_the_first() {
    let found = mistakes(r#"send "ab\xff""#);
    assert!(
        found[0].starts_with("1:9: the \\x bytes here are not UTF-8"),
        "{found:?}"
    );
    assert!(!mistakes(r#"send "\u{110000}""#).is_empty());
    assert!(!mistakes(r#"send "\u{""#).is_empty());
}
