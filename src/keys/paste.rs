//! Text as a terminal pastes it.

/// What ends a bracketed paste, in both spellings of CSI.
const CLOSE: [&[u8]; 2] = [b"\x1b[201~", "\u{9b}201~".as_bytes()];

/// The bytes for pasting `text`, which need not be UTF-8.
///
/// Bracketed, for a program that asked for it with mode 2004: between `CSI 200 ~` and `CSI 201 ~`, with
/// every closing bracket removed from the text, or else the rest of it would count as typed. Otherwise
/// as if typed: LF and CR LF become CR.
pub fn paste(text: &[u8], bracketed: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + 12);
    if !bracketed {
        for (at, byte) in text.iter().enumerate() {
            match byte {
                b'\n' if at > 0 && text[at - 1] == b'\r' => {}
                b'\n' => out.push(b'\r'),
                byte => out.push(*byte),
            }
        }
        return out;
    }
    out.extend_from_slice(b"\x1b[200~");
    let inner = out.len();
    for byte in text {
        out.push(*byte);
        // What is left when one is taken out can close up to a bracket again: so the end is looked at.
        while let Some(close) = CLOSE.iter().find(|close| out[inner..].ends_with(close)) {
            out.truncate(out.len() - close.len());
        }
    }
    out.extend_from_slice(CLOSE[0]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_are_typed_as_enter() {
        assert_eq!(paste(b"a\nb\r\nc\r", false), b"a\rb\rc\r");
    }

    #[test]
    fn brackets_enclose_and_cannot_be_closed_from_inside() {
        assert_eq!(paste(b"a\nb", true), b"\x1b[200~a\nb\x1b[201~");
        assert_eq!(
            paste(b"x\x1b[201~rm -rf\n", true),
            b"\x1b[200~xrm -rf\n\x1b[201~"
        );
        assert_eq!(
            paste("\x1b[20\x1b[201~1~y\u{9b}201~".as_bytes(), true),
            b"\x1b[200~y\x1b[201~"
        );
    }
}
