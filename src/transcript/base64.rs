//! Base64 (RFC 4648, with padding): how raw bytes travel in JSON.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes as base64.
pub fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for part in bytes.chunks(3) {
        let group = part
            .iter()
            .fold(0, |all, byte| all << 8 | usize::from(*byte))
            << (8 * (3 - part.len()));
        for place in 0..4 {
            let six = group >> (18 - 6 * place) & 0x3f;
            out.push(if place <= part.len() {
                char::from(ALPHABET[six])
            } else {
                '='
            });
        }
    }
    out
}

/// Bytes from base64, or nothing when it is not base64.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let bytes = text.as_bytes();
    if !bytes.len().is_multiple_of(4) {
        return None;
    }
    let digits = text.trim_end_matches('=');
    if text.len() - digits.len() > 2 {
        return None;
    }
    let mut out = Vec::with_capacity(bytes.len() / 4 * 3);
    for part in digits.as_bytes().chunks(4) {
        let mut group = 0_u32;
        for byte in part {
            let six = ALPHABET.iter().position(|known| known == byte)?;
            group = group << 6 | u32::try_from(six).ok()?;
        }
        group <<= 6 * (4 - part.len());
        out.extend_from_slice(&group.to_be_bytes()[1..part.len()]);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn vectors_of_the_rfc_hold() {
        for (plain, coded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encode(plain.as_bytes()), coded);
            assert_eq!(decode(coded).as_deref(), Some(plain.as_bytes()));
        }
        for bad in ["Zg", "Z===", "Zm9%", "====", "Zg==Zg=="] {
            assert_eq!(decode(bad), None, "{bad}");
        }
    }

    proptest! {
        #[test]
        fn what_is_encoded_is_decoded(bytes in prop::collection::vec(any::<u8>(), 0..99)) {
            prop_assert_eq!(decode(&encode(&bytes)), Some(bytes));
        }
    }
}
