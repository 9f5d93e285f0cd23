//! Text as a terminal pastes it.

/// What ends a bracketed paste, in both spellings of CSI.
const CLOSE: [&str; 2] = ["\x1b[201~", "\u{9b}201~"];

/// The bytes for pasting `text`.
///
/// Bracketed, for a program that asked for it with mode 2004: between `CSI 200 ~` and `CSI 201 ~`, with
/// every closing bracket removed from the text, or else the rest of it would count as typed. Otherwise
/// as if typed: LF and CR LF become CR.
pub fn paste(text: &str, bracketed: bool) -> Vec<u8> {
    if !bracketed {
        return text.replace("\r\n", "\r").replace('\n', "\r").into_bytes();
    }
    let mut inner = text.to_owned();
    // What is left can close up to a bracket again.
    while CLOSE.iter().any(|close| inner.contains(close)) {
        for close in CLOSE {
            inner = inner.replace(close, "");
        }
    }
    format!("\x1b[200~{inner}\x1b[201~").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_are_typed_as_enter() {
        assert_eq!(paste("a\nb\r\nc\r", false), b"a\rb\rc\r");
    }

    #[test]
    fn brackets_enclose_and_cannot_be_closed_from_inside() {
        assert_eq!(paste("a\nb", true), b"\x1b[200~a\nb\x1b[201~");
        assert_eq!(
            paste("x\x1b[201~rm -rf\n", true),
            b"\x1b[200~xrm -rf\n\x1b[201~"
        );
        assert_eq!(
            paste("\x1b[20\x1b[201~1~y\u{9b}201~", true),
            b"\x1b[200~y\x1b[201~"
        );
    }
}
