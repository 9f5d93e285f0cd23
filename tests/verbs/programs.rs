//! Programs that people drive by hand, each driven by separate processes and again by a script.

use crate::coax::Coax;
use crate::needs;

#[test]
fn vim_writes_a_file() {
    needs!("vim");
    let coax = Coax::new();
    let vim = coax.start("v", &["vim", "--clean", "-n", "note.txt"]);
    vim.expect("note.txt");
    vim.key(&["i"]);
    vim.expect("-- INSERT --");
    vim.send("first line");
    vim.key(&["Enter"]);
    vim.send("second");
    vim.expect("second");
    assert!(
        vim.screen().starts_with("first line\nsecond\n~\n"),
        "{}",
        vim.screen()
    );
    vim.key(&["Escape"]);
    vim.enter(":wq");
    assert_eq!(vim.exit(), 0);
    assert_eq!(coax.file("note.txt"), "first line\nsecond\n");
}

#[test]
fn vim_in_a_script() {
    needs!("vim");
    let coax = Coax::new();
    coax.write("note.txt", "one\ntwo\nthree\n");
    let done = coax.script(
        r#"
        start -- vim --clean -n note.txt
        expect "three"
        key d d G p
        expect --screen "two\nthree\none"
        send --enter ":wq"
        wait --exit
        "#,
    );
    assert_eq!(done.code, 0, "{done}");
    assert_eq!(coax.file("note.txt"), "two\nthree\none\n");
}

fn with_git() -> Coax {
    Coax::new()
        .env("GIT_AUTHOR_NAME", "A")
        .env("GIT_AUTHOR_EMAIL", "a@example.org")
        .env("GIT_COMMITTER_NAME", "A")
        .env("GIT_COMMITTER_EMAIL", "a@example.org")
}

/// Makes a repository with one commit of forty lines, the second and the last but one changed since.
fn two_hunks(coax: &Coax) {
    coax.sh(
        "git init -q . && seq 40 >file && git add file && git commit -qm first && \
         sed -i 's/^2$/two/; s/^39$/thirty-nine/' file",
    );
}

#[test]
fn git_add_patch_stages_one_of_two_hunks() {
    needs!("git");
    let coax = with_git();
    two_hunks(&coax);
    let git = coax.start("g", &["git", "add", "--patch"]);
    git.expect("(1/2) Stage this hunk");
    git.enter("y");
    git.expect("(2/2) Stage this hunk");
    git.enter("n");
    assert_eq!(git.exit(), 0);
    let staged = coax.sh("git diff --cached");
    assert!(
        staged.contains("+two\n") && !staged.contains("+thirty-nine"),
        "{staged}"
    );
}

#[test]
fn git_add_patch_in_a_script() {
    needs!("git");
    let coax = with_git();
    two_hunks(&coax);
    let done = coax.script(
        r#"
        start -- git add --patch
        expect {
          re:"\+two\n[^?]*Stage this hunk"         => send --enter n; again
          re:"\+thirty-nine\n[^?]*Stage this hunk" => send --enter y; again
          eof
        }
        wait --exit
        "#,
    );
    assert_eq!(done.code, 0, "{done}");
    let staged = coax.sh("git diff --cached");
    assert!(
        staged.contains("+thirty-nine\n") && !staged.contains("+two"),
        "{staged}"
    );
}

fn three_commits(coax: &Coax) {
    coax.sh("git init -q . && for name in one two three; do \
         echo $name >$name && git add $name && git commit -qm $name || exit 1; done");
}

#[test]
fn git_rebase_interactive_swaps_two_commits_in_vim() {
    needs!("git", "vim");
    let coax = with_git().env("GIT_SEQUENCE_EDITOR", "vim --clean -n");
    three_commits(&coax);
    let git = coax.start("g", &["git", "rebase", "--interactive", "HEAD~2"]);
    git.expect("re:(?m)^pick .* two$");
    git.key(&["d", "d", "p"]);
    git.ok("expect", &["--screen", "re:three\npick .* two"]);
    git.enter(":wq");
    git.expect("Successfully rebased");
    assert_eq!(git.exit(), 0);
    assert_eq!(coax.sh("git log --format=%s"), "two\nthree\none\n");
}

#[test]
fn git_rebase_interactive_in_a_script() {
    needs!("git", "vim");
    let coax = with_git().env("GIT_EDITOR", "vim --clean -n");
    three_commits(&coax);
    let done = coax.script(
        r#"
        start -- git rebase --interactive HEAD~1
        expect re:"(?m)^pick .* three"
        send cwreword
        key Escape
        expect --screen "reword"
        send --enter ":wq"
        expect re:"(?m)^three$"
        send --enter ":s/three/a third/"
        expect --screen "a third"
        send --enter ":wq"
        expect "Successfully rebased"
        wait --exit
        "#,
    );
    assert_eq!(done.code, 0, "{done}");
    assert_eq!(coax.sh("git log --format=%s"), "a third\ntwo\none\n");
}

#[test]
fn ssh_keygen_makes_a_key_with_a_passphrase() {
    needs!("ssh-keygen");
    let coax = Coax::new();
    let keygen = coax.start(
        "k",
        &[
            "ssh-keygen",
            "-q",
            "-t",
            "ed25519",
            "-C",
            "test",
            "-f",
            "key",
        ],
    );
    keygen.expect("Enter passphrase");
    keygen.enter("correct horse");
    keygen.expect("Enter same passphrase again");
    keygen.enter("correct horse");
    assert_eq!(keygen.exit(), 0);
    assert!(
        !keygen.ok("read", &[]).contains("horse"),
        "a passphrase is not echoed"
    );
    coax.sh("ssh-keygen -y -P 'correct horse' -f key");
}

#[test]
fn ssh_keygen_in_a_script_after_a_mistake() {
    needs!("ssh-keygen");
    let coax = Coax::new();
    let done = coax.script(
        r#"
        set phrase "correct horse"
        set again "correct horst"
        start -- ssh-keygen -t ed25519 -C test -f key
        expect {
          "do not match"                => set again $phrase; again
          "Enter passphrase"            => send --enter $phrase; again
          "Enter same passphrase again" => send --enter $again; again
          re:"fingerprint is:\s+(\S+)"  => echo $1
          eof                           => fail "no key was made"
        }
        wait --exit
        "#,
    );
    assert_eq!(done.code, 0, "{done}");
    assert!(done.out.starts_with("SHA256:"), "{done}");
    coax.sh("ssh-keygen -y -P 'correct horse' -f key");
}

fn long(coax: &Coax) {
    let lines: String = (1..=200).map(|line| format!("line {line}\n")).collect();
    coax.write("long", &lines);
}

#[test]
fn less_pages_searches_and_gives_the_screen_back() {
    needs!("less");
    let coax = Coax::new();
    long(&coax);
    let less = coax.start("l", &["less", "long"]);
    less.expect("line 23");
    assert!(less.screen().starts_with("line 1\n"), "{}", less.screen());
    assert_eq!(less.status()["alt_screen"], true);
    less.key(&["Space"]);
    less.ok("expect", &["--screen", "re:^line 24\n"]);
    less.enter("/line 150");
    less.ok("expect", &["--screen", "re:^line 150\n"]);
    less.key(&["q"]);
    assert_eq!(less.exit(), 0);
    assert!(!less.screen().contains("line 150"), "{}", less.screen());
    assert!(less.ok("screen", &["--alt-last"]).starts_with("line 150\n"));
}

#[test]
fn less_in_a_script() {
    needs!("less");
    let coax = Coax::new();
    long(&coax);
    let done = coax.script(
        r#"
        start --rows 5 -- less long
        expect "line 4"
        key G
        expect --screen "line 200\n(END)"
        screen
        key q
        wait --exit
        "#,
    );
    assert_eq!(done.code, 0, "{done}");
    assert_eq!(done.out, "line 197\nline 198\nline 199\nline 200\n(END)\n");
}

/// The words of a menu of three that writes its choice to a file.
fn menu(program: &str) -> String {
    format!("{program} --menu 'What fruit?' 12 40 3 a Apple b Banana c Cherry 2>choice")
}

#[test]
fn a_menu_of_whiptail_is_chosen_from() {
    needs!("whiptail");
    let coax = Coax::new();
    let fruit = coax.start_sh("m", &menu("whiptail"));
    fruit.expect("Cherry");
    fruit.key(&["Down", "Enter"]);
    assert_eq!(fruit.exit(), 0);
    assert_eq!(coax.file("choice"), "b");
}

#[test]
fn a_menu_of_dialog_is_chosen_from() {
    needs!("dialog");
    let coax = Coax::new();
    let fruit = coax.start_sh("m", &menu("dialog"));
    fruit.expect("Cherry");
    fruit.key(&["Down", "Down"]);
    fruit.key(&["Enter"]);
    assert_eq!(fruit.exit(), 0);
    assert_eq!(coax.file("choice"), "c");
}

#[test]
fn menus_in_a_script() {
    needs!("whiptail", "dialog");
    let coax = Coax::new();
    coax.write("whip", &menu("whiptail"));
    coax.write("dial", &menu("dialog").replace(">choice", ">other"));
    let done = coax.script(
        r#"
        start -- sh whip
        expect "Cherry"; key End Enter
        wait --exit
        start -- sh dial
        expect "Cherry"; key Down Tab Enter      # Cancel
        wait --exit; assert exit 1
        "#,
    );
    assert_eq!(done.code, 0, "{done}");
    assert_eq!(coax.file("choice"), "c");
    assert_eq!(coax.file("other"), "");
}

/// A package's question with a database of its own, so that an ordinary user may be asked.
fn question(frontend: &str) -> Coax {
    let coax = Coax::new();
    let work = coax.work();
    let here = work.display();
    coax.write(
        "debconf.conf",
        &format!(
            "Config: configdb\nTemplates: templatedb\n\n\
             Name: configdb\nDriver: File\nFilename: {here}/config.dat\n\n\
             Name: templatedb\nDriver: File\nFilename: {here}/templates.dat\n"
        ),
    );
    coax.write(
        "demo.templates",
        "Template: demo/colour\nType: select\nChoices: red, green, blue\nDefault: red\n\
         Description: Which colour?\n The demo is painted in it.\n",
    );
    coax.write(
        "demo.config",
        "#!/bin/sh -e\n. /usr/share/debconf/confmodule\ndb_input critical demo/colour || true\ndb_go\n\
         db_get demo/colour\necho \"$RET\" >chosen\n",
    );
    coax.sh("chmod +x demo.config");
    let conf = format!("{here}/debconf.conf");
    let coax = coax
        .env("DEBCONF_SYSTEMRC", &conf)
        .env("DEBIAN_FRONTEND", frontend);
    coax.sh("debconf-loadtemplate demo demo.templates");
    coax
}

#[test]
fn a_debconf_question_is_answered() {
    needs!("debconf", "debconf-loadtemplate");
    let coax = question("readline");
    let asked = coax.start("d", &["./demo.config"]);
    asked.expect("2. green");
    asked.expect("Which colour?");
    asked.enter("2");
    assert_eq!(asked.exit(), 0);
    assert_eq!(coax.file("chosen"), "green\n");
}

#[test]
fn a_debconf_question_in_a_script() {
    needs!("debconf", "debconf-loadtemplate", "whiptail");
    let coax = question("dialog");
    let done = coax.script(
        "start -- ./demo.config\nexpect 'Which colour?'\nexpect --screen blue\nkey End Tab Enter\nwait --exit\n",
    );
    assert_eq!(done.code, 0, "{done}");
    assert_eq!(coax.file("chosen"), "blue\n");
}
