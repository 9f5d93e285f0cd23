//! The committed manual page and completions are those of the commands. `COAX_BLESS=1` rewrites them.
//!
//! The page is the prose of `manual.roff` with the commands in place of its line `.\" COMMANDS`. The
//! completions are those of `clap_complete`, but that the value of `--session` is asked for: `coax
//! list` knows the names. `start` is offered those of sessions that are over, which it may take.

use std::fmt::Write;
use std::path::Path;

use clap::{Arg, ArgAction, Command};
use clap_complete::{Shell, generate};

fn hold(file: &str, fresh: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    if std::env::var_os("COAX_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, fresh).expect("the file can be written");
    }
    let committed = std::fs::read(&path).unwrap_or_default();
    assert!(
        committed == fresh.as_bytes(),
        "{file} is not what the commands say; COAX_BLESS=1 cargo test --test generated rewrites it"
    );
}

#[test]
fn completions_are_those_of_the_commands() {
    hold("completions/coax.bash", &bash(&completions(Shell::Bash)));
    hold("completions/_coax", &zsh(&completions(Shell::Zsh)));
    hold("completions/coax.fish", &fish(&completions(Shell::Fish)));
}

fn completions(shell: Shell) -> String {
    let mut out = Vec::new();
    generate(shell, &mut coax::cli::command(), "coax", &mut out);
    String::from_utf8(out).expect("completions are text")
}

/// How many commands take a session.
fn with_session() -> usize {
    let takes = |command: &&Command| command.get_arguments().any(|arg| arg.get_id() == "session");
    coax::cli::command().get_subcommands().filter(takes).count()
}

const BASH: &str = r#"_coax_sessions() {
    local name rest
    "${COMP_WORDS[0]/#\~/$HOME}" list "$@" 2>/dev/null | while read -r name rest; do
        printf '%s\n' "$name"
    done
}

"#;

fn bash(plain: &str) -> String {
    let mut out = BASH.to_owned();
    let mut status = "";
    let mut asked = 0;
    let mut of_session = false;
    for line in plain.lines() {
        if let Some(command) = line.strip_prefix("        coax__subcmd__") {
            status = if command == "start)" {
                " --status completed"
            } else {
                ""
            };
        }
        match line.trim() {
            "--session)" | "-s)" => of_session = true,
            r#"COMPREPLY=($(compgen -f "${cur}"))"# if of_session => {
                let indent = " ".repeat(line.len() - line.trim_start().len());
                writeln!(
                    out,
                    r#"{indent}COMPREPLY=($(compgen -W "$(_coax_sessions{status})" -- "${{cur}}"))"#
                )
                .expect("text");
                of_session = false;
                asked += 1;
                continue;
            }
            _ => {}
        }
        out.push_str(line);
        out.push('\n');
    }
    assert_eq!(
        asked,
        2 * with_session(),
        "bash: a value of --session is not asked for"
    );
    out
}

const ZSH: &str = r#"_coax_sessions() {
    local -a names
    names=(${${(f)"$(_call_program sessions $service list "$@" 2>/dev/null)"}%% *})
    compadd -a names
}

"#;

fn zsh(plain: &str) -> String {
    let mut out = String::new();
    // In braces: else the options of `compadd` would be arguments of the function.
    let mut ask = "{_coax_sessions}";
    let mut asked = 0;
    for line in plain.lines() {
        // `compdef` at the end calls the function or registers it; ours is defined before that.
        if line.starts_with("_coax() {") {
            out.push_str(ZSH);
        }
        match line.trim() {
            "(start)" => ask = "{_coax_sessions --status completed}",
            arm if arm.starts_with('(') && arm.ends_with(')') => ask = "{_coax_sessions}",
            _ => {}
        }
        let of_session = line.starts_with("'-s+[") || line.starts_with("'--session=[");
        match line.strip_suffix(r":NAME:_default' \") {
            Some(rest) if of_session => {
                writeln!(out, r"{rest}:NAME:{ask}' \").expect("text");
                asked += 1;
            }
            _ => {
                out.push_str(line);
                out.push('\n');
            }
        }
    }
    assert_eq!(
        asked,
        2 * with_session(),
        "zsh: a value of --session is not asked for"
    );
    out
}

const FISH: &str = r"# The names of sessions, each with how it is and what it runs.
function __coax_sessions
    coax list $argv 2>/dev/null | string replace -r '^(\S+)\s+' '$1\t'
end

";

fn fish(plain: &str) -> String {
    let mut out = FISH.to_owned();
    let mut asked = 0;
    for line in plain.lines() {
        out.push_str(line);
        if line.contains(" -s s -l session ") {
            let start = line.contains("subcommand start\"");
            out.push_str(if start {
                " -f -a '(__coax_sessions --status completed)'"
            } else {
                " -f -a '(__coax_sessions)'"
            });
            asked += 1;
        }
        out.push('\n');
    }
    assert_eq!(
        asked,
        with_session(),
        "fish: a value of --session is not asked for"
    );
    out
}

#[test]
fn the_manual_is_that_of_the_commands() {
    let mut commands = String::new();
    for command in coax::cli::command().get_subcommands() {
        describe(command, &mut commands);
    }
    let prose = include_str!("manual.roff");
    let (before, after) = prose
        .split_once(".\\\" COMMANDS\n")
        .expect("the place of the commands");
    let version = env!("CARGO_PKG_VERSION");
    hold(
        "man/coax.1",
        &format!(".TH COAX 1 \"\" \"coax {version}\" \"User Commands\"\n{before}{commands}{after}"),
    );
}

/// What the manual says of a command.
fn describe(command: &Command, out: &mut String) {
    let name = command.get_name();
    let usage = command
        .clone()
        .bin_name(format!("coax {name}"))
        .render_usage()
        .to_string();
    let usage = usage.trim_start_matches("Usage: ");
    let about = command
        .get_about()
        .map(ToString::to_string)
        .unwrap_or_default();
    writeln!(
        out,
        ".SS {name}\n.B {}\n.PP\n{}.",
        escaped(usage),
        escaped(&about)
    )
    .expect("text");
    let common = |arg: &&Arg| {
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        matches!(arg.get_id().as_str(), "help" | "json") || help.starts_with("The session; else")
    };
    let shown = |arg: &&Arg| !common(arg) && !arg.is_hide_set();
    for arg in command
        .get_positionals()
        .chain(command.get_opts())
        .filter(shown)
    {
        item(arg, out);
    }
}

fn takes_value(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Set | ArgAction::Append)
}

/// One argument, with its value, what it is for, its possible values and its default.
fn item(arg: &Arg, out: &mut String) {
    let short = arg
        .get_short()
        .map(|short| format!("\\fB\\-{short}\\fR, "))
        .unwrap_or_default();
    let long = arg
        .get_long()
        .map(|long| format!("\\fB\\-\\-{}\\fR", escaped(long)))
        .unwrap_or_default();
    let value = match arg.get_value_names() {
        Some([name, ..]) if takes_value(arg) => {
            let many =
                if arg.is_positional() && arg.get_num_args().is_some_and(|n| n.max_values() > 1) {
                    " ..."
                } else {
                    ""
                };
            let name = format!("\\fI{}\\fR{many}", escaped(name));
            let optional =
                arg.get_num_args().is_some_and(|n| n.min_values() == 0) && !arg.is_positional();
            let name = if optional { format!("[{name}]") } else { name };
            if long.is_empty() {
                name
            } else {
                format!(" {name}")
            }
        }
        _ => String::new(),
    };
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    // A default that the verb knows and clap does not stands in the words of the help.
    let (help, default) = match help
        .strip_suffix(']')
        .and_then(|help| help.split_once(" [default: "))
    {
        Some((help, default)) => (help, format!(" Default: {default}.")),
        None => (help.as_str(), String::new()),
    };
    let stop = if help.ends_with('.') { "" } else { "." };
    let mut help = format!("{}{stop}{}", escaped(help), escaped(&default));
    let values: Vec<_> = arg
        .get_possible_values()
        .iter()
        .map(|value| value.get_name().to_owned())
        .collect();
    if takes_value(arg) && !values.is_empty() {
        write!(help, " One of {}.", escaped(&values.join(", "))).expect("text");
    }
    let defaults: Vec<_> = arg
        .get_default_values()
        .iter()
        .map(|value| value.to_string_lossy())
        .collect();
    if takes_value(arg) && !defaults.is_empty() {
        write!(help, " Default: {}.", escaped(&defaults.join(" "))).expect("text");
    }
    writeln!(out, ".TP\n{short}{long}{value}\n{help}").expect("text");
}

/// Text as roff has it: dashes that can be copied, nothing that begins a request.
fn escaped(text: &str) -> String {
    let text = text
        .replace('\\', "\\e")
        .replace('-', "\\-")
        .replace('\n', " ");
    match text.strip_prefix(['.', '\'']) {
        Some(_) => format!("\\&{text}"),
        None => text,
    }
}
