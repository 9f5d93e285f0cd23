//! Real programs, driven by separate processes and again by a script.

use crate::coax::Coax;
use crate::needs;

#[test]
fn bash_is_kept_alive_over_ten_invocations() {
    needs!("bash");
    let coax = Coax::new();
    coax.ok(&[
        "start",
        "-s",
        "sh",
        "--env",
        "PS1=$ ",
        "--",
        "bash",
        "--norc",
        "--noprofile",
        "-i",
    ]);
    for number in 1..=10 {
        coax.ok(&["expect", "-s", "sh", "$ "]);
        coax.ok(&[
            "send",
            "-s",
            "sh",
            "--enter",
            &format!("n=$((n + {number})); echo sum=$n"),
        ]);
        coax.ok(&[
            "expect",
            "-s",
            "sh",
            &format!("sum={}\n", number * (number + 1) / 2),
        ]);
    }
    coax.ok(&["send", "-s", "sh", "--enter", "exit 3"]);
    assert_eq!(coax.run(&["wait", "-s", "sh", "--exit"]).code, 3);
}
