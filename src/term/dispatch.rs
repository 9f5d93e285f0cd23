//! Names of sequences to control functions: the tables of `decode`.

use super::function::{Area, Extent, Function, Name};
use super::params::Params;

/// A C0 control byte; nothing for those without a meaning here.
#[inline]
pub(super) fn c0(byte: u8) -> Option<Function<'static>> {
    Some(match byte {
        0x05 => Function::Enq,
        0x07 => Function::Bel,
        0x08 => Function::Bs,
        0x09 => Function::Ht,
        0x0a => Function::Lf,
        0x0b => Function::Vt,
        0x0c => Function::Ff,
        0x0d => Function::Cr,
        0x0e => Function::So,
        0x0f => Function::Si,
        _ => return None,
    })
}

/// An escape sequence.
pub(super) fn esc(name: Name) -> Function<'static> {
    match (name.marks, name.last) {
        ([0, 0], last) => plain_esc(last).unwrap_or(Function::Unknown(name)),
        ([b'#', 0], b'8') => Function::Decaln,
        ([b' ', 0], b'F') => Function::S8c1t(false),
        ([b' ', 0], b'G') => Function::S8c1t(true),
        ([b'#', 0], b'3'..=b'6') | ([b' ', 0], b'L'..=b'N') | ([b'%', 0], b'@' | b'G') => {
            Function::Nop
        }
        ([slot @ b'('..=b'+', more], set) => Function::Scs {
            slot: slot - b'(',
            wide: false,
            set: wide(more, set),
        },
        ([slot @ b'-'..=b'/', more], set) => Function::Scs {
            slot: slot - b'-' + 1,
            wide: true,
            set: wide(more, set),
        },
        _ => Function::Unknown(name),
    }
}

fn wide(more: u8, set: u8) -> u16 {
    u16::from(more) << 8 | u16::from(set)
}

fn plain_esc(last: u8) -> Option<Function<'static>> {
    Some(match last {
        b'D' => Function::Ind,
        b'E' => Function::Nel,
        b'H' => Function::Hts,
        b'M' => Function::Ri,
        b'N' => Function::Ss2,
        b'O' => Function::Ss3,
        b'V' => Function::Spa,
        b'W' => Function::Epa,
        b'Z' => Function::Decid,
        b'6' => Function::Decbi,
        b'7' => Function::Decsc,
        b'8' => Function::Decrc,
        b'9' => Function::Decfi,
        b'=' => Function::Deckpam,
        b'>' => Function::Deckpnm,
        b'c' => Function::Ris,
        b'n' => Function::Ls(2),
        b'o' => Function::Ls(3),
        b'~' => Function::Lsr(1),
        b'}' => Function::Lsr(2),
        b'|' => Function::Lsr(3),
        b'l' | b'm' | b'\\' => Function::Nop,
        _ => return None,
    })
}

/// A control sequence.
#[inline]
pub(super) fn csi(name: Name, params: Params<'_>) -> Function<'_> {
    let [one, two] = params.first();
    let count = one.max(1);
    let place = |value: u16| value.max(1) - 1;
    match (name.marks, name.last) {
        ([0, 0], b'm') => Function::Sgr(params),
        ([0, 0], b'@') => Function::Ich(count),
        ([0, 0], b'A') => Function::Cuu(count),
        ([0, 0], b'B') => Function::Cud(count),
        ([0, 0], b'C') => Function::Cuf(count),
        ([0, 0], b'D') => Function::Cub(count),
        ([0, 0], b'E') => Function::Cnl(count),
        ([0, 0], b'F') => Function::Cpl(count),
        ([0, 0], b'G' | b'`') => Function::Cha(place(one)),
        ([0, 0], b'H' | b'f') => cup(params),
        ([0, 0], b'I') => Function::Cht(count),
        ([0, 0], b'J') => extent(name, one, 3, Function::Ed),
        ([b'?', 0], b'J') => extent(name, one, 3, Function::Decsed),
        ([0, 0], b'K') => extent(name, one, 2, Function::El),
        ([b'?', 0], b'K') => extent(name, one, 2, Function::Decsel),
        ([0, 0], b'L') => Function::Il(count),
        ([0, 0], b'M') => Function::Dl(count),
        ([0, 0], b'P') => Function::Dch(count),
        ([0, 0], b'S') => Function::Su(count),
        // With five numbers it is highlight mouse tracking.
        ([0, 0], b'T') if params.count() > 1 => Function::Nop,
        ([0, 0], b'T' | b'^') => Function::Sd(count),
        ([0, 0], b'X') => Function::Ech(count),
        ([0, 0], b'Z') => Function::Cbt(count),
        ([0, 0], b'a') => Function::Hpr(count),
        ([0, 0], b'b') => Function::Rep(count),
        ([0, 0], b'c') if one == 0 => Function::Da1,
        ([0, 0], b'd') => Function::Vpa(place(one)),
        ([0, 0], b'e') => Function::Vpr(count),
        ([0, 0], b'g') => Function::Tbc(one),
        ([0, 0], b'h') => Function::Sm(params),
        ([0, 0], b'l') => Function::Rm(params),
        ([b'?', 0], b'h') => Function::Decset(params),
        ([b'?', 0], b'l') => Function::Decrst(params),
        ([b'?', 0], b'r') => Function::Xtrestore(params),
        ([b'?', 0], b's') => Function::Xtsave(params),
        ([0, 0], b'r') => Function::Decstbm {
            top: one,
            bottom: two,
        },
        ([0, 0], b's') => Function::Decslrm {
            left: one,
            right: two,
        },
        ([0, 0], b't') => Function::Xtwinops(params),
        ([0, 0], b'u') => Function::Scorc,
        _ => rarer(name, params),
    }
}

/// CUP and HVP.
#[inline]
pub(super) fn cup(params: Params<'_>) -> Function<'_> {
    let [row, col] = params.first().map(|value| value.saturating_sub(1));
    Function::Cup { row, col }
}

/// The control sequences that are not of every day.
#[cold]
#[inline(never)]
fn rarer(name: Name, params: Params<'_>) -> Function<'_> {
    let [one, two] = params.first();
    let count = one.max(1);
    match (name.marks, name.last) {
        ([b' ', 0], b'@') => Function::Sl(count),
        ([b' ', 0], b'A') => Function::Sr(count),
        ([b' ', 0], b'q') => Function::Decscusr(one),
        ([b'>', 0], b'c') if one == 0 => Function::Da2,
        ([b'=', 0], b'c') if one == 0 => Function::Da3,
        ([0, 0], b'n') => Function::Dsr(one),
        ([b'?', 0], b'n') => Function::Decdsr(one, two),
        ([0, 0], b'x') => Function::Decreqtparm(one),
        ([b'!', 0], b'p') => Function::Decstr,
        ([b'"', 0], b'p') => Function::Decscl {
            level: one,
            bits: two,
        },
        ([b'$', 0], b'p') => Function::DecrqmAnsi(one),
        ([b'?', b'$'], b'p') => Function::Decrqm(one),
        ([b'"', 0], b'q') => Function::Decsca(one == 1),
        ([b'>', 0], b'q') if one == 0 => Function::Xtversion,
        ([b'>', 0], b'm') => Function::Xtmodkeys {
            resource: params.get(0),
            value: params.given(1),
        },
        ([b'>', 0], b'n') => Function::Xtmodkeys {
            resource: one,
            value: Some(0),
        },
        ([b'?', 0], b'm') => Function::Xtqmodkeys(one),
        ([b'?', 0], b'u') => Function::KittyQuery,
        ([b'>', 0], b'u') => Function::KittyPush(one),
        ([b'<', 0], b'u') => Function::KittyPop(count),
        ([b'=', 0], b'u') => Function::KittySet(one, two.max(1)),
        ([b'#', 0], b'{' | b'p') => Function::Xtpushsgr,
        ([b'#', 0], b'}' | b'q') => Function::Xtpopsgr,
        ([b'#', 0], b'y') => Function::Xtchecksum(one),
        ([b'#', 0], b'P') => Function::Xtpushcolors,
        ([b'#', 0], b'Q') => Function::Xtpopcolors,
        ([b'#', 0], b'R') => Function::Xtreportcolors,
        ([b'#', 0], b'|') => Function::Xtreportsgr(area(params, 0)),
        ([b'>', 0], b't') => Function::Xttitle(params, true),
        ([b'>', 0], b'T') => Function::Xttitle(params, false),
        ([b'?', 0], b'W') if one == 5 => Function::Decst8c,
        ([b'?', 0], b'S') => Function::Xtsmgraphics(one),
        ([b'"', 0], b'v') => Function::Decrqde,
        ([b'&', 0], b'u') => Function::Decrqupss,
        ([b'\'', 0], b'|') => Function::Decrqlp,
        ([b'\'', 0], b'}') => Function::Decic(count),
        ([b'\'', 0], b'~') => Function::Decdc(count),
        ([b'*', 0], b'x') => Function::Decsace(one),
        ([b'$', 0], b'w') => Function::Decrqpsr(one),
        // Bells, media copy, lamps, pointer shape, shift escape, locator, status line, page size.
        ([b' ', 0], b't' | b'u')
        | ([0 | b'?', 0], b'i')
        | ([0, 0], b'q')
        | ([b'>', 0], b'p' | b's')
        | ([b'$', 0], b'}' | b'~' | b'|')
        | ([b'*', 0], b'|')
        | ([b'\'', 0], b'w' | b'z' | b'{') => Function::Nop,
        ([b'$', 0], b'r') => Function::Deccara(area(params, 0), params),
        ([b'$', 0], b't') => Function::Decrara(area(params, 0), params),
        ([b'$', 0], b'z') => Function::Decera(area(params, 0)),
        ([b'$', 0], b'{') => Function::Decsera(area(params, 0)),
        ([b'$', 0], b'x') => Function::Decfra {
            fill: params.get(0),
            area: area(params, 1),
        },
        ([b'$', 0], b'v') => Function::Deccra {
            area: area(params, 0),
            top: params.get(5),
            left: params.get(6),
        },
        ([b'*', 0], b'y') => Function::Decrqcra {
            id: params.get(0),
            area: area(params, 2),
        },
        _ => Function::Unknown(name),
    }
}

fn area(params: Params<'_>, from: usize) -> Area {
    Area {
        top: params.get(from),
        left: params.get(from + 1),
        bottom: params.get(from + 2),
        right: params.get(from + 3),
    }
}

fn extent(
    name: Name,
    value: u16,
    max: u16,
    make: fn(Extent) -> Function<'static>,
) -> Function<'static> {
    match value {
        0 => make(Extent::After),
        1 => make(Extent::Before),
        2 => make(Extent::All),
        3 if max == 3 => make(Extent::Saved),
        _ => Function::Unknown(Name {
            number: Some(value),
            ..name
        }),
    }
}

/// A device control string.
pub(super) fn dcs(name: Name, number: u16, payload: &[u8]) -> Function<'_> {
    match (name.marks, name.last) {
        ([b'$', 0], b'q') => Function::Decrqss(payload),
        ([b'+', 0], b'q') => Function::Xtgettcap(payload),
        ([b'$', 0], b't') => Function::Decrsps(number, payload),
        _ => Function::Unknown(name),
    }
}
