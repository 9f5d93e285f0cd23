//! Lines out of whatever pieces they come in.

/// The longest line: far more than the largest reply, and a bound all the same.
const LINE_MAX: usize = 512 * 1024 * 1024;

/// Cuts a stream into lines.
#[derive(Debug)]
pub struct Frames {
    held: Vec<u8>,
    searched: usize,
    max: usize,
}

impl Default for Frames {
    fn default() -> Self {
        Self::of_at_most(LINE_MAX)
    }
}

impl Frames {
    /// For lines of at most so many bytes.
    pub fn of_at_most(max: usize) -> Self {
        Self {
            held: Vec::new(),
            searched: 0,
            max,
        }
    }

    /// Takes in bytes; false when the line has become too long.
    pub fn push(&mut self, bytes: &[u8]) -> bool {
        self.held.extend_from_slice(bytes);
        self.held.len() <= self.max
    }

    /// The next whole line, without its end.
    pub fn next_line(&mut self) -> Option<Vec<u8>> {
        let found = self.held[self.searched..]
            .iter()
            .position(|byte| *byte == b'\n');
        let Some(found) = found else {
            self.searched = self.held.len();
            return None;
        };
        let end = self.searched + found;
        let rest = self.held.split_off(end + 1);
        let mut line = std::mem::replace(&mut self.held, rest);
        line.pop();
        self.searched = 0;
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_out_whole_however_they_were_cut() {
        let mut frames = Frames::default();
        assert!(frames.push(b"on"));
        assert_eq!(frames.next_line(), None);
        assert!(frames.push(b"e\ntwo\nth"));
        assert_eq!(frames.next_line(), Some(b"one".to_vec()));
        assert_eq!(frames.next_line(), Some(b"two".to_vec()));
        assert_eq!(frames.next_line(), None);
        assert!(frames.push(b"ree\n"));
        assert_eq!(frames.next_line(), Some(b"three".to_vec()));
    }
}
