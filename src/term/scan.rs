//! How far a run of bytes of one kind goes, eight bytes at a time: what `decode` looks at before it
//! hands the run on as a whole.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = ONES * 0x80;

/// How many bytes from the beginning on belong to a CSI before its final byte: `20` to `3F`.
#[inline]
pub(super) fn params_len(bytes: &[u8]) -> usize {
    let (words, tail) = bytes.as_chunks::<8>();
    let mut at = 0;
    for word in words {
        let other = (u64::from_le_bytes(*word) & (ONES * 0xe0)) ^ (ONES * 0x20);
        if other != 0 {
            return at + other.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let other = |byte: &u8| byte & 0xe0 != 0x20;
    at + tail.iter().position(other).unwrap_or(tail.len())
}

/// How many bytes from the beginning on are printable ASCII.
#[inline]
pub(super) fn ascii_len(bytes: &[u8]) -> usize {
    let (words, tail) = bytes.as_chunks::<8>();
    let mut at = 0;
    for word in words {
        let word = u64::from_le_bytes(*word);
        let del = word ^ (ONES * 0x7f);
        let found = (word | word.wrapping_sub(ONES * 0x20) | del.wrapping_sub(ONES)) & HIGH;
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let other = |byte: &u8| !(0x20..=0x7e).contains(byte);
    at + tail.iter().position(other).unwrap_or(tail.len())
}

/// How many bytes from the beginning on are above ASCII.
#[inline]
pub(super) fn high_len(bytes: &[u8]) -> usize {
    let (words, tail) = bytes.as_chunks::<8>();
    let mut at = 0;
    for word in words {
        let low = !u64::from_le_bytes(*word) & HIGH;
        if low != 0 {
            return at + low.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at + tail.iter().position(u8::is_ascii).unwrap_or(tail.len())
}

/// The character above ASCII that `bytes` begin with, and how many bytes it has; nothing where they
/// are no UTF-8.
#[inline]
pub(super) fn first_char(bytes: &[u8]) -> Option<(char, usize)> {
    let rest = |byte: u8| u32::from(byte & 0x3f);
    let (code, len, least) = match *bytes {
        [a @ 0xc2..=0xdf, b @ 0x80..=0xbf, ..] => (u32::from(a & 0x1f) << 6 | rest(b), 2, 0x80),
        [a @ 0xe0..=0xef, b @ 0x80..=0xbf, c @ 0x80..=0xbf, ..] => {
            (u32::from(a & 0x0f) << 12 | rest(b) << 6 | rest(c), 3, 0x800)
        }
        [
            a @ 0xf0..=0xf4,
            b @ 0x80..=0xbf,
            c @ 0x80..=0xbf,
            d @ 0x80..=0xbf,
            ..,
        ] => (
            u32::from(a & 0x07) << 18 | rest(b) << 12 | rest(c) << 6 | rest(d),
            4,
            0x1_0000,
        ),
        _ => return None,
    };
    let ch = char::from_u32(code).filter(|_| code >= least)?;
    Some((ch, len))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_those_of_the_standard_library() {
        for ch in ('\u{80}'..=char::MAX).step_by(7) {
            let mut buffer = [0; 4];
            let text = ch.encode_utf8(&mut buffer);
            assert_eq!(first_char(text.as_bytes()), Some((ch, text.len())));
        }
        for bad in [
            &b"\xc0\x80"[..],
            b"\xc3",
            b"\xc3a",
            b"\xe0\x80\x80",
            b"\xed\xa0\x80",
            b"\xf0\x8f\xbf\xbf",
            b"\xf4\x90\x80\x80",
            b"\x80",
            b"a",
        ] {
            assert_eq!(first_char(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn runs_end_at_the_first_other_byte_wherever_it_stands() {
        for at in 0..40 {
            for other in [0x00, 0x1b, 0x1f, 0x7f, 0x80, 0xff] {
                let mut bytes = vec![b'~'; 40];
                bytes[at] = other;
                assert_eq!(ascii_len(&bytes), at, "{other:#x}");
            }
            for other in [0x1f, 0x40, b'm', 0x7f, 0x80, 0xff] {
                let mut bytes = vec![b';'; 40];
                bytes[at] = other;
                assert_eq!(params_len(&bytes), at, "{other:#x}");
            }
            for other in [0x00, b'a', 0x7f] {
                let mut bytes = vec![0xe3; 40];
                bytes[at] = other;
                assert_eq!(high_len(&bytes), at, "{other:#x}");
            }
        }
        assert_eq!(ascii_len(&[b' '; 19]), 19);
        assert_eq!(params_len(b"0123456789;:<=>? !/"), 19);
        assert_eq!(high_len(&[0x80; 19]), 19);
    }
}
