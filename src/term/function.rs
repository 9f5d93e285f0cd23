//! Control functions by their ECMA-48 and DEC mnemonics, with decoded parameters.
//!
//! This is the vocabulary between `decode`, which reads bytes, and `screen`, which acts. Rows and
//! columns are zero-based here and counts are at least 1, unless a line says otherwise. Names and
//! sequences follow xterm's ctlseqs.

use std::fmt;

use super::params::Params;

/// How much of a line or a display is erased.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// From the cursor to the end.
    After,
    /// From the beginning to the cursor, the cursor's cell included.
    Before,
    /// All of it.
    All,
    /// The lines saved above the display.
    Saved,
}

/// A rectangle as it was asked for: one-based, 0 where nothing was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// First row.
    pub top: u16,
    /// First column.
    pub left: u16,
    /// Last row.
    pub bottom: u16,
    /// Last column.
    pub right: u16,
}

/// The name of a sequence: what opens it, its private and intermediate bytes, its final byte.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name {
    /// `ESC`, `CSI`, `DCS` or `OSC`.
    pub family: &'static str,
    /// Private and intermediate bytes; 0 where there is none.
    pub marks: [u8; 2],
    /// The final byte; 0 for `OSC`.
    pub last: u8,
    /// The number of an OSC or of a mode, or the selector that is not known.
    pub number: Option<u16>,
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let private = |mark: &&u8| (0x3c..=0x3f).contains(*mark);
        f.write_str(self.family)?;
        for mark in self.marks.iter().filter(private) {
            write!(f, " {}", char::from(*mark))?;
        }
        if let Some(number) = self.number {
            write!(f, " {number}")?;
        }
        for mark in self
            .marks
            .iter()
            .filter(|mark| **mark != 0 && !private(mark))
        {
            match mark {
                b' ' => f.write_str(" SP")?,
                mark => write!(f, " {}", char::from(*mark))?,
            }
        }
        if self.last != 0 {
            write!(f, " {}", char::from(self.last))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A control function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function<'a> {
    /// ENQ, `05`: return terminal status.
    Enq,
    /// BEL, `07`: ring.
    Bel,
    /// BS, `08`: one column back.
    Bs,
    /// HT, `09`: to the next tab stop.
    Ht,
    /// LF, `0A`: line feed.
    Lf,
    /// VT, `0B`: as LF.
    Vt,
    /// FF, `0C`: as LF.
    Ff,
    /// CR, `0D`: to the left margin.
    Cr,
    /// SO, `0E` (LS1): G1 into GL.
    So,
    /// SI, `0F` (LS0): G0 into GL.
    Si,

    /// IND, `ESC D`: down one row, scrolling.
    Ind,
    /// NEL, `ESC E`: to the beginning of the next row, scrolling.
    Nel,
    /// HTS, `ESC H`: set a tab stop here.
    Hts,
    /// RI, `ESC M`: up one row, scrolling back.
    Ri,
    /// SS2, `ESC N`: G2 for the next character.
    Ss2,
    /// SS3, `ESC O`: G3 for the next character.
    Ss3,
    /// SPA, `ESC V`: what follows is protected (ISO).
    Spa,
    /// EPA, `ESC W`: end of the protected area.
    Epa,
    /// DECID, `ESC Z`: as DA1.
    Decid,
    /// DECBI, `ESC 6`: back index.
    Decbi,
    /// DECSC, `ESC 7`: save the cursor.
    Decsc,
    /// DECRC, `ESC 8`: restore the cursor.
    Decrc,
    /// DECFI, `ESC 9`: forward index.
    Decfi,
    /// DECKPAM, `ESC =`: application keypad.
    Deckpam,
    /// DECKPNM, `ESC >`: numeric keypad.
    Deckpnm,
    /// RIS, `ESC c`: reset to the initial state.
    Ris,
    /// LS2 `ESC n`, LS3 `ESC o`: G2 or G3 into GL; the number is the set.
    Ls(u8),
    /// LS1R `ESC ~`, LS2R `ESC }`, LS3R `ESC |`: G1 to G3 into GR; the number is the set.
    Lsr(u8),
    /// DECALN, `ESC # 8`: fill the screen with E.
    Decaln,
    /// S7C1T, `ESC SP F`, and S8C1T, `ESC SP G`: how C1 controls are sent; true for 8 bits.
    S8c1t(bool),
    /// `ESC ( C` and its like: designate a character set.
    Scs {
        /// Which of G0 to G3.
        slot: u8,
        /// Whether a set of 96 characters is meant.
        wide: bool,
        /// The final byte that names the set, with an intermediate byte before it in the high half.
        set: u16,
    },
    /// Known and without an effect on what this terminal shows: line sizes (`ESC # 3` to `6`),
    /// announcements (`ESC SP L`), coding systems (`ESC % G`), memory locks, media copy, lamps.
    Nop,

    /// ICH, `CSI n @`: insert blanks.
    Ich(u16),
    /// SL, `CSI n SP @`: shift left.
    Sl(u16),
    /// CUU, `CSI n A`: up.
    Cuu(u16),
    /// SR, `CSI n SP A`: shift right.
    Sr(u16),
    /// CUD, `CSI n B`: down.
    Cud(u16),
    /// CUF, `CSI n C`: forward.
    Cuf(u16),
    /// CUB, `CSI n D`: back.
    Cub(u16),
    /// CNL, `CSI n E`: to the beginning of a row below.
    Cnl(u16),
    /// CPL, `CSI n F`: to the beginning of a row above.
    Cpl(u16),
    /// CHA, `CSI n G`, and HPA, ``CSI n ` ``: to a column.
    Cha(u16),
    /// CUP, `CSI row ; col H`, and HVP, `CSI row ; col f`: to a place.
    Cup {
        /// The row.
        row: u16,
        /// The column.
        col: u16,
    },
    /// CHT, `CSI n I`: forward by tab stops.
    Cht(u16),
    /// ED, `CSI n J`: erase in the display.
    Ed(Extent),
    /// DECSED, `CSI ? n J`: erase in the display what is not protected.
    Decsed(Extent),
    /// EL, `CSI n K`: erase in the line.
    El(Extent),
    /// DECSEL, `CSI ? n K`: erase in the line what is not protected.
    Decsel(Extent),
    /// IL, `CSI n L`: insert lines.
    Il(u16),
    /// DL, `CSI n M`: delete lines.
    Dl(u16),
    /// DCH, `CSI n P`: delete characters.
    Dch(u16),
    /// SU, `CSI n S`: scroll up.
    Su(u16),
    /// SD, `CSI n T` and `CSI n ^`: scroll down.
    Sd(u16),
    /// ECH, `CSI n X`: erase characters.
    Ech(u16),
    /// CBT, `CSI n Z`: back by tab stops.
    Cbt(u16),
    /// HPR, `CSI n a`: columns forward.
    Hpr(u16),
    /// REP, `CSI n b`: repeat the last printed character.
    Rep(u16),
    /// VPA, `CSI n d`: to a row.
    Vpa(u16),
    /// VPR, `CSI n e`: rows down.
    Vpr(u16),
    /// TBC, `CSI n g`: clear a tab stop (0) or all (3).
    Tbc(u16),
    /// SM, `CSI n h`: set ANSI modes.
    Sm(Params<'a>),
    /// RM, `CSI n l`: reset ANSI modes.
    Rm(Params<'a>),
    /// DECSET, `CSI ? n h`: set private modes.
    Decset(Params<'a>),
    /// DECRST, `CSI ? n l`: reset private modes.
    Decrst(Params<'a>),
    /// XTSAVE, `CSI ? n s`: save private modes.
    Xtsave(Params<'a>),
    /// XTRESTORE, `CSI ? n r`: restore private modes.
    Xtrestore(Params<'a>),
    /// SGR, `CSI n m`: the pen.
    Sgr(Params<'a>),
    /// XTPUSHSGR, `CSI # {` and `CSI # p`.
    Xtpushsgr,
    /// XTPOPSGR, `CSI # }` and `CSI # q`.
    Xtpopsgr,
    /// XTMODKEYS, `CSI > resource ; value m`: how modified keys are sent.
    Xtmodkeys {
        /// Which kind of key; 4 is other keys.
        resource: u16,
        /// The value, or nothing to return to the initial one.
        value: Option<u16>,
    },
    /// XTQMODKEYS, `CSI ? resource m`: ask for the same.
    Xtqmodkeys(u16),
    /// DECSTR, `CSI ! p`: soft reset.
    Decstr,
    /// DECSCL, `CSI level ; bits " p`: conformance level.
    Decscl {
        /// 61 to 65.
        level: u16,
        /// 1 for 7-bit controls.
        bits: u16,
    },
    /// DECSCUSR, `CSI n SP q`: the cursor's shape.
    Decscusr(u16),
    /// DECSCA, `CSI n " q`: what follows is protected from selective erase where true.
    Decsca(bool),
    /// DECSTBM, `CSI top ; bottom r`: the scroll region; one-based, 0 where nothing was said.
    Decstbm {
        /// First row.
        top: u16,
        /// Last row.
        bottom: u16,
    },
    /// DECSLRM, `CSI left ; right s`, while DECLRMM is set; else, without parameters, SCOSC, which
    /// saves the cursor. One-based, 0 where nothing was said.
    Decslrm {
        /// First column.
        left: u16,
        /// Last column.
        right: u16,
    },
    /// SCORC, `CSI u`: restore the cursor.
    Scorc,
    /// XTSMTITLE, `CSI > n ; ... t` (true), and XTRMTITLE, `CSI > n ; ... T`: how titles are set and
    /// told, in hex or as they are.
    Xttitle(Params<'a>, bool),
    /// XTPUSHCOLORS, `CSI # P`.
    Xtpushcolors,
    /// XTPOPCOLORS, `CSI # Q`.
    Xtpopcolors,
    /// DECST8C, `CSI ? 5 W`: a tab stop every eight columns.
    Decst8c,
    /// XTWINOPS, `CSI n ; ... t`.
    Xtwinops(Params<'a>),

    /// DECCARA, `CSI area ; sgr $ r`: change attributes in an area.
    Deccara(Area, Params<'a>),
    /// DECRARA, `CSI area ; sgr $ t`: reverse attributes in an area.
    Decrara(Area, Params<'a>),
    /// DECCRA, `CSI area ; page ; top ; left ; page $ v`: copy an area.
    Deccra {
        /// From where.
        area: Area,
        /// To this row; one-based, 0 where nothing was said.
        top: u16,
        /// To this column; one-based, 0 where nothing was said.
        left: u16,
    },
    /// DECFRA, `CSI char ; area $ x`: fill an area.
    Decfra {
        /// The character's code.
        fill: u16,
        /// Where.
        area: Area,
    },
    /// DECERA, `CSI area $ z`: erase an area.
    Decera(Area),
    /// DECSERA, `CSI area $ {`: erase in an area what is not protected.
    Decsera(Area),
    /// DECSACE, `CSI n * x`: whether DECCARA and DECRARA mean a stream (0, 1) or a rectangle (2).
    Decsace(u16),
    /// DECIC, `CSI n ' }`: insert columns.
    Decic(u16),
    /// DECDC, `CSI n ' ~`: delete columns.
    Decdc(u16),

    /// DA1, `CSI c`: what are you?
    Da1,
    /// DA2, `CSI > c`: which version?
    Da2,
    /// DA3, `CSI = c`: which unit?
    Da3,
    /// XTVERSION, `CSI > q`: name and version?
    Xtversion,
    /// DSR, `CSI n n`: status (5) and cursor position (6).
    Dsr(u16),
    /// DECDSR, `CSI ? n n`: DEC's status reports.
    Decdsr(u16, u16),
    /// DECRQM, `CSI n $ p`: is this ANSI mode set?
    DecrqmAnsi(u16),
    /// DECRQM, `CSI ? n $ p`: is this private mode set?
    Decrqm(u16),
    /// XTREPORTCOLORS, `CSI # R`: how deep is the stack of colours?
    Xtreportcolors,
    /// XTREPORTSGR, `CSI area # |`: which attributes do all cells of an area have?
    Xtreportsgr(Area),
    /// XTSMGRAPHICS, `CSI ? item ; ... S`: graphics attributes?
    Xtsmgraphics(u16),
    /// DECRQDE, `CSI " v`: which part of the page is shown?
    Decrqde,
    /// DECRQUPSS, `CSI & u`: which supplemental character set does the user prefer?
    Decrqupss,
    /// DECRQLP, `CSI n ' |`: where is the locator?
    Decrqlp,
    /// DECREQTPARM, `CSI n x`: terminal parameters?
    Decreqtparm(u16),
    /// DECRQCRA, `CSI id ; page ; area * y`: checksum of an area?
    Decrqcra {
        /// Given back in the answer.
        id: u16,
        /// Which area.
        area: Area,
    },
    /// XTCHECKSUM, `CSI n # y`: how checksums are made.
    Xtchecksum(u16),
    /// DECRQPSR, `CSI n $ w`: cursor (1) or tab stop (2) information?
    Decrqpsr(u16),
    /// `CSI ? u`: which kitty keyboard flags?
    KittyQuery,
    /// `CSI > flags u`: push kitty keyboard flags.
    KittyPush(u16),
    /// `CSI < n u`: pop kitty keyboard flags.
    KittyPop(u16),
    /// `CSI = flags ; how u`: set kitty keyboard flags.
    KittySet(u16, u16),

    /// `OSC number ; text ST`: an operating system command.
    Osc {
        /// Its number.
        number: u16,
        /// What follows the first semicolon.
        text: &'a [u8],
        /// Whether BEL ended it; an answer ends the same way.
        bel: bool,
    },
    /// DECRQSS, `DCS $ q text ST`: a setting?
    Decrqss(&'a [u8]),
    /// XTGETTCAP, `DCS + q text ST`: a termcap entry?
    Xtgettcap(&'a [u8]),
    /// DECRSPS, `DCS n $ t text ST`: restore cursor (1) or tab stop (2) information.
    Decrsps(u16, &'a [u8]),

    /// A sequence that this terminal does not know.
    Unknown(Name),
}
