//! The committed manual page and completions are those of the commands. `COAX_BLESS=1` rewrites them.

use std::path::Path;

use clap_complete::{Shell, generate};

fn hold(file: &str, fresh: &[u8]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    if std::env::var_os("COAX_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, fresh).expect("the file can be written");
    }
    let committed = std::fs::read(&path).unwrap_or_default();
    assert!(
        committed == fresh,
        "{file} is not what the commands say; COAX_BLESS=1 cargo test --test generated rewrites it"
    );
}

fn completions(shell: Shell) -> Vec<u8> {
    let mut out = Vec::new();
    generate(shell, &mut coax::cli::command(), "coax", &mut out);
    out
}

#[test]
fn completions_are_those_of_the_commands() {
    hold("completions/coax.bash", &completions(Shell::Bash));
    hold("completions/_coax", &completions(Shell::Zsh));
    hold("completions/coax.fish", &completions(Shell::Fish));
}

#[test]
fn the_manual_is_that_of_the_commands() {
    let mut out = Vec::new();
    let command = coax::cli::command();
    let man = clap_mangen::Man::new(command.clone())
        .title("COAX")
        .date("");
    man.render_title(&mut out).expect("text");
    man.render_name_section(&mut out).expect("text");
    man.render_synopsis_section(&mut out).expect("text");
    man.render_description_section(&mut out).expect("text");
    for verb in command.get_subcommands() {
        let mut section = Vec::new();
        let about = verb
            .get_about()
            .map(ToString::to_string)
            .unwrap_or_default();
        section.extend_from_slice(
            format!(
                ".SH \"COAX {}\"\n{about}.\n",
                verb.get_name().to_uppercase()
            )
            .as_bytes(),
        );
        let verb = verb.clone().bin_name(format!("coax {}", verb.get_name()));
        let man = clap_mangen::Man::new(verb);
        let mut usage = Vec::new();
        man.render_synopsis_section(&mut usage).expect("text");
        man.render_options_section(&mut usage).expect("text");
        let usage = String::from_utf8(usage).expect("text");
        section.extend_from_slice(
            usage
                .replace(".SH SYNOPSIS\n", ".PP\n")
                .replace(".SH OPTIONS\n", "")
                .as_bytes(),
        );
        out.extend(section);
    }
    out.extend_from_slice(include_bytes!("manual.roff"));
    hold("man/coax.1", &out);
}
