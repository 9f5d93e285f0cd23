//! Modes by name and number: ANSI's of `CSI n h`, DEC's and xterm's of `CSI ? n h`.

/// A mode that this terminal keeps. Where it has no effect on what is shown it is kept all the
/// same, since programs save it, restore it and ask for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the table below says what each one is")]
pub enum Mode {
    Kam,
    Irm,
    Srm,
    Lnm,
    Decckm,
    Decanm,
    Deccolm,
    Decsclm,
    Decscnm,
    Decom,
    Decawm,
    Decarm,
    Toolbar,
    Blink,
    Decpff,
    Decpex,
    Dectcem,
    Scrollbar,
    Allow80To132,
    MoreFix,
    Decnrcm,
    MarginBell,
    ReverseWrap,
    Decnkm,
    Decbkm,
    Declrmm,
    Decsdm,
    Decncsm,
    Focus,
    AlternateScroll,
    ScrollOnOutput,
    ScrollOnKey,
    EightBitMeta,
    NumLock,
    MetaEscape,
    DeleteIsDel,
    AltEscape,
    KeepSelection,
    SelectToClipboard,
    BellIsUrgent,
    PopOnBell,
    KeepClipboard,
    ExtendedReverseWrap,
    AlternateAllowed,
    TiteInhibit,
    FunctionKeysTerminfo,
    FunctionKeysSun,
    FunctionKeysHp,
    FunctionKeysSco,
    KeyboardLegacy,
    KeyboardVt220,
    PrivateColors,
    BracketedPaste,
    Synchronized,
    Clusters,
}

use Mode as M;

/// Mode, number (ANSI ones with `false`), whether it is set in the beginning.
const TABLE: &[(Mode, u16, bool, bool)] = &[
    (M::Kam, 2, false, false),
    (M::Irm, 4, false, false),
    (M::Srm, 12, false, false),
    (M::Lnm, 20, false, false),
    (M::Decckm, 1, true, false),
    (M::Decanm, 2, true, true),
    (M::Deccolm, 3, true, false),
    (M::Decsclm, 4, true, false),
    (M::Decscnm, 5, true, false),
    (M::Decom, 6, true, false),
    (M::Decawm, 7, true, true),
    (M::Decarm, 8, true, true),
    (M::Toolbar, 10, true, false),
    (M::Blink, 12, true, false),
    (M::Decpff, 18, true, false),
    (M::Decpex, 19, true, true),
    (M::Dectcem, 25, true, true),
    (M::Scrollbar, 30, true, false),
    (M::Allow80To132, 40, true, false),
    (M::MoreFix, 41, true, false),
    (M::Decnrcm, 42, true, false),
    (M::MarginBell, 44, true, false),
    (M::ReverseWrap, 45, true, false),
    (M::Decnkm, 66, true, false),
    (M::Decbkm, 67, true, false),
    (M::Declrmm, 69, true, false),
    (M::Decsdm, 80, true, false),
    (M::Decncsm, 95, true, false),
    (M::Focus, 1004, true, false),
    (M::AlternateScroll, 1007, true, false),
    (M::ScrollOnOutput, 1010, true, false),
    (M::ScrollOnKey, 1011, true, false),
    (M::EightBitMeta, 1034, true, false),
    (M::NumLock, 1035, true, true),
    (M::MetaEscape, 1036, true, true),
    (M::DeleteIsDel, 1037, true, false),
    (M::AltEscape, 1039, true, false),
    (M::KeepSelection, 1040, true, true),
    (M::SelectToClipboard, 1041, true, false),
    (M::BellIsUrgent, 1042, true, false),
    (M::PopOnBell, 1043, true, false),
    (M::KeepClipboard, 1044, true, false),
    (M::ExtendedReverseWrap, 1045, true, false),
    (M::AlternateAllowed, 1046, true, true),
    (M::TiteInhibit, 1070, true, true),
    (M::FunctionKeysTerminfo, 1050, true, false),
    (M::FunctionKeysSun, 1051, true, false),
    (M::FunctionKeysHp, 1052, true, false),
    (M::FunctionKeysSco, 1053, true, false),
    (M::KeyboardLegacy, 1060, true, false),
    (M::KeyboardVt220, 1061, true, false),
    (M::PrivateColors, 1071, true, false),
    (M::BracketedPaste, 2004, true, false),
    (M::Synchronized, 2026, true, false),
    (M::Clusters, 2027, true, true),
];

impl Mode {
    /// The mode with that number: DEC's and xterm's where `private`, else ANSI's.
    pub fn numbered(number: u16, private: bool) -> Option<Self> {
        let found = |row: &&(Self, u16, bool, bool)| row.1 == number && row.2 == private;
        TABLE.iter().find(found).map(|row| row.0)
    }
}

/// Which mouse events a program asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mouse {
    /// None.
    #[default]
    Off,
    /// Presses alone, mode 9.
    X10,
    /// Presses and releases, mode 1000.
    Normal,
    /// Presses inside a highlight that the program controls, mode 1001.
    Highlight,
    /// Also motion while a button is down, mode 1002.
    Button,
    /// Every motion, mode 1003.
    Any,
}

/// How mouse events are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MouseEncoding {
    /// Three bytes after `CSI M`.
    #[default]
    Default,
    /// The same as UTF-8, mode 1005.
    Utf8,
    /// `CSI < ... M`, mode 1006.
    Sgr,
    /// `CSI ... M` in decimal, mode 1015.
    Urxvt,
    /// As SGR, in pixels, mode 1016.
    SgrPixels,
}

/// The modes of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modes {
    bits: u64,
    /// Which mouse events are reported.
    pub mouse: Mouse,
    /// How they are written.
    pub mouse_encoding: MouseEncoding,
    /// xterm's modifyOtherKeys, 0 to 2.
    pub modify_other_keys: u8,
    /// The kitty keyboard flags in force.
    pub kitty_keyboard: u8,
}

impl Default for Modes {
    fn default() -> Self {
        let bits = TABLE
            .iter()
            .filter(|row| row.3)
            .fold(0, |bits, row| bits | bit(row.0));
        Self {
            bits,
            mouse: Mouse::Off,
            mouse_encoding: MouseEncoding::Default,
            modify_other_keys: 0,
            kitty_keyboard: 0,
        }
    }
}

const fn bit(mode: Mode) -> u64 {
    1 << mode as u8
}

impl Modes {
    /// Whether `mode` is set.
    #[inline]
    pub fn has(&self, mode: Mode) -> bool {
        self.bits & bit(mode) != 0
    }

    pub(super) fn set(&mut self, mode: Mode, on: bool) {
        if on {
            self.bits |= bit(mode);
        } else {
            self.bits &= !bit(mode);
        }
    }

    /// Whether cursor keys send `SS3`, DECCKM.
    pub fn application_cursor_keys(&self) -> bool {
        self.has(Mode::Decckm)
    }

    /// Whether the keypad sends application codes, DECKPAM.
    pub fn application_keypad(&self) -> bool {
        self.has(Mode::Decnkm)
    }

    /// Whether pasted text is put in brackets, mode 2004.
    pub fn bracketed_paste(&self) -> bool {
        self.has(Mode::BracketedPaste)
    }

    /// Whether gaining and losing the focus is reported, mode 1004.
    pub fn focus_events(&self) -> bool {
        self.has(Mode::Focus)
    }

    /// Whether a frame is being drawn that should not be shown yet, mode 2026.
    pub fn synchronized_output(&self) -> bool {
        self.has(Mode::Synchronized)
    }

    /// The number of the mouse mode, or 0.
    pub(super) fn mouse_number(mouse: Mouse) -> u16 {
        match mouse {
            Mouse::Off => 0,
            Mouse::X10 => 9,
            Mouse::Normal => 1000,
            Mouse::Highlight => 1001,
            Mouse::Button => 1002,
            Mouse::Any => 1003,
        }
    }

    /// The number of the mouse encoding's mode, or 0.
    pub(super) fn encoding_number(encoding: MouseEncoding) -> u16 {
        match encoding {
            MouseEncoding::Default => 0,
            MouseEncoding::Utf8 => 1005,
            MouseEncoding::Sgr => 1006,
            MouseEncoding::Urxvt => 1015,
            MouseEncoding::SgrPixels => 1016,
        }
    }

    /// The mouse mode with that number.
    pub(super) fn mouse_numbered(number: u16) -> Option<Mouse> {
        let all = [
            Mouse::X10,
            Mouse::Normal,
            Mouse::Highlight,
            Mouse::Button,
            Mouse::Any,
        ];
        all.into_iter()
            .find(|mouse| Self::mouse_number(*mouse) == number)
    }

    /// The mouse encoding with that number.
    pub(super) fn encoding_numbered(number: u16) -> Option<MouseEncoding> {
        let all = [
            MouseEncoding::Utf8,
            MouseEncoding::Sgr,
            MouseEncoding::Urxvt,
            MouseEncoding::SgrPixels,
        ];
        all.into_iter()
            .find(|encoding| Self::encoding_number(*encoding) == number)
    }
}
