# The names of sessions, each with how it is and what it runs.
function __coax_sessions
    coax list $argv 2>/dev/null | string replace -r '^(\S+)\s+' '$1\t'
end

# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_coax_global_optspecs
    string join \n h/help V/version
end

function __fish_coax_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_coax_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_coax_using_subcommand
    set -l cmd (__fish_coax_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c coax -n "__fish_coax_needs_command" -s h -l help -d 'Print help'
complete -c coax -n "__fish_coax_needs_command" -s V -l version -d 'Print version'
complete -c coax -n "__fish_coax_needs_command" -f -a "start" -d 'Open a session: run a program on a terminal of its own and keep it'
complete -c coax -n "__fish_coax_needs_command" -f -a "send" -d 'Type text, as it is'
complete -c coax -n "__fish_coax_needs_command" -f -a "key" -d 'Press keys, as xterm would send them'
complete -c coax -n "__fish_coax_needs_command" -f -a "expect" -d 'Wait for the first of some patterns'
complete -c coax -n "__fish_coax_needs_command" -f -a "wait" -d 'Wait until the program is ready, quiet, changed or over'
complete -c coax -n "__fish_coax_needs_command" -f -a "screen" -d 'Show the screen; with -- CMD, run it, wait until it is ready, show, end it'
complete -c coax -n "__fish_coax_needs_command" -f -a "read" -d 'Read what was printed, from a cursor on; nothing is consumed'
complete -c coax -n "__fish_coax_needs_command" -f -a "status" -d 'Tell how a session is'
complete -c coax -n "__fish_coax_needs_command" -f -a "list" -d 'List sessions'
complete -c coax -n "__fish_coax_needs_command" -f -a "resize" -d 'Give the terminal another size'
complete -c coax -n "__fish_coax_needs_command" -f -a "signal" -d 'Send a signal to the foreground process group'
complete -c coax -n "__fish_coax_needs_command" -f -a "stop" -d 'End the program and all that it started; keep what it printed'
complete -c coax -n "__fish_coax_needs_command" -f -a "close" -d 'Forget a session; end its program first'
complete -c coax -n "__fish_coax_needs_command" -f -a "run" -d 'Run a script; with -- CMD, give CMD a terminal and pass its output and exit code on'
complete -c coax -n "__fish_coax_needs_command" -f -a "render" -d 'Put bytes through the terminal alone and show the screen'
complete -c coax -n "__fish_coax_needs_command" -f -a "completions" -d 'Print the completions for a shell'
complete -c coax -n "__fish_coax_needs_command" -f -a "man" -d 'Print the manual page'
complete -c coax -n "__fish_coax_using_subcommand start" -s s -l session -d 'The new session\'s name; else the first free one of s1, s2, ...' -r -f -a '(__coax_sessions --status completed)'
complete -c coax -n "__fish_coax_using_subcommand start" -l rows -d 'Rows of the terminal' -r
complete -c coax -n "__fish_coax_using_subcommand start" -l cols -d 'Columns of the terminal' -r
complete -c coax -n "__fish_coax_using_subcommand start" -l cwd -d 'The directory to run in' -r -F
complete -c coax -n "__fish_coax_using_subcommand start" -l env -d 'K=V sets a variable, K passes it on, -K removes it (again for more)' -r
complete -c coax -n "__fish_coax_using_subcommand start" -l term -d 'What TERM says' -r
complete -c coax -n "__fish_coax_using_subcommand start" -l description -d 'What it is for' -r
complete -c coax -n "__fish_coax_using_subcommand start" -l label -d 'A label to choose it by (again for more)' -r
complete -c coax -n "__fish_coax_using_subcommand start" -l owner -d 'Whom it belongs to' -r
complete -c coax -n "__fish_coax_using_subcommand start" -l json -d 'Answer with one JSON object'
complete -c coax -n "__fish_coax_using_subcommand start" -l detach -d 'In a script: the session outlives the script'
complete -c coax -n "__fish_coax_using_subcommand start" -s h -l help -d 'Print help'
complete -c coax -n "__fish_coax_using_subcommand send" -s s -l session -d 'The session; else `$COAX_SESSION`, else the only one' -r -f -a '(__coax_sessions)'
complete -c coax -n "__fish_coax_using_subcommand send" -l file -d 'Take the text from a file' -r -F
complete -c coax -n "__fish_coax_using_subcommand send" -l hex -d 'Send these bytes, two hexadecimal digits each' -r
complete -c coax -n "__fish_coax_using_subcommand send" -l expect -d 'Then wait for a pattern, as expect does' -r
complete -c coax -n "__fish_coax_using_subcommand send" -l timeout -d 'How long at most [default: 30s]' -r
complete -c coax -n "__fish_coax_using_subcommand send" -l json -d 'Answer with one JSON object'
complete -c coax -n "__fish_coax_using_subcommand send" -l enter -d 'Press Enter after it'
complete -c coax -n "__fish_coax_using_subcommand send" -l paste -d 'Type it as a paste: bracketed if the program asked for that, else line feeds become Enter'
complete -c coax -n "__fish_coax_using_subcommand send" -l control -d 'Send bytes too that the terminal acts on, such as ^C'
complete -c coax -n "__fish_coax_using_subcommand send" -l stdin -d 'Take the text from standard input'
complete -c coax -n "__fish_coax_using_subcommand send" -l wait -d 'Then wait until the program is ready'
complete -c coax -n "__fish_coax_using_subcommand send" -l screen -d 'Then show the screen'
complete -c coax -n "__fish_coax_using_subcommand send" -s h -l help -d 'Print help'
complete -c coax -n "__fish_coax_using_subcommand key" -s s -l session -d 'The session; else `$COAX_SESSION`, else the only one' -r -f -a '(__coax_sessions)'
complete -c coax -n "__fish_coax_using_subcommand key" -l expect -d 'Then wait for a pattern, as expect does' -r
complete -c coax -n "__fish_coax_using_subcommand key" -l timeout -d 'How long at most [default: 30s]' -r
complete -c coax -n "__fish_coax_using_subcommand key" -l json -d 'Answer with one JSON object'
complete -c coax -n "__fish_coax_using_subcommand key" -l wait -d 'Then wait until the program is ready'
complete -c coax -n "__fish_coax_using_subcommand key" -l screen -d 'Then show the screen'
complete -c coax -n "__fish_coax_using_subcommand key" -s h -l help -d 'Print help'
complete -c coax -n "__fish_coax_using_subcommand expect" -s s -l session -d 'The session; else `$COAX_SESSION`, else the only one' -r -f -a '(__coax_sessions)'
complete -c coax -n "__fish_coax_using_subcommand expect" -l timeout -d 'How long at most; 0 looks once [default: 30s]' -r
complete -c coax -n "__fish_coax_using_subcommand expect" -l on -d 'A pattern with a name that the answer tells (again for more)' -r
complete -c coax -n "__fish_coax_using_subcommand expect" -l json -d 'Answer with one JSON object'
complete -c coax -n "__fish_coax_using_subcommand expect" -l regex -d 'Patterns are regular expressions (for one: re:PATTERN)'
complete -c coax -n "__fish_coax_using_subcommand expect" -l glob -d 'Patterns are globs (for one: glob:PATTERN)'
complete -c coax -n "__fish_coax_using_subcommand expect" -l stream -d 'Look at what is printed only'
complete -c coax -n "__fish_coax_using_subcommand expect" -l screen -d 'Look at what stands on the screen, old or new'
complete -c coax -n "__fish_coax_using_subcommand expect" -l raw -d 'Look at the bytes as they are printed, escapes and all'
complete -c coax -n "__fish_coax_using_subcommand expect" -l line -d 'Look at finished lines only'
complete -c coax -n "__fish_coax_using_subcommand expect" -l fresh -d 'On the screen, only rows in which something was written after the last match'
complete -c coax -n "__fish_coax_using_subcommand expect" -l echo -d 'See the echo of what was typed too'
complete -c coax -n "__fish_coax_using_subcommand expect" -l not -d 'Fail when it matches; done when the time is over, or the program, without a match'
complete -c coax -n "__fish_coax_using_subcommand expect" -s h -l help -d 'Print help'
complete -c coax -n "__fish_coax_using_subcommand wait" -s s -l session -d 'The session; else `$COAX_SESSION`, else the only one' -r -f -a '(__coax_sessions)'
complete -c coax -n "__fish_coax_using_subcommand wait" -l settle -d 'Until the screen has not changed for so long' -r
complete -c coax -n "__fish_coax_using_subcommand wait" -l idle -d 'Until nothing was printed for so long' -r
complete -c coax -n "__fish_coax_using_subcommand wait" -l change -d 'Until the screen is past this revision' -r
complete -c coax -n "__fish_coax_using_subcommand wait" -l ignore-rows -d 'Changes in rows A to B - 1 do not count, from 0 at the top; either may be left out (again for more)' -r
complete -c coax -n "__fish_coax_using_subcommand wait" -l timeout -d 'How long at most; 0 looks once [default: 30s]' -r
complete -c coax -n "__fish_coax_using_subcommand wait" -l json -d 'Answer with one JSON object'
complete -c coax -n "__fish_coax_using_subcommand wait" -l exit -d 'Until the program has ended; its exit code is passed on'
complete -c coax -n "__fish_coax_using_subcommand wait" -s h -l help -d 'Print help'
complete -c coax -n "__fish_coax_using_subcommand screen" -s s -l session -d 'The session; else `$COAX_SESSION`, else the only one' -r -f -a '(__coax_sessions)'
complete -c coax -n "__fish_coax_using_subcommand screen" -l format -d 'In which form' -r -f -a "text\t'Text, a line a row'
ansi\t'Text with the escapes that draw it again'
json\t'One JSON object'
html\t'A page for a browser'
svg\t'A picture'"
complete -c coax -n "__fish_coax_using_subcommand screen" -l scrollback -d 'The lines above the screen too, all or the last N' -r
complete -c coax -n "__fish_coax_using_subcommand screen" -l rows -d 'Only rows A to B - 1, from 0 at the top; either may be left out' -r
complete -c coax -n "__fish_coax_using_subcommand screen" -l since -d 'Only the rows that changed after this revision' -r
complete -c coax -n "__fish_coax_using_subcommand screen" -l size -d 'With -- CMD: the size of its terminal' -r
complete -c coax -n "__fish_coax_using_subcommand screen" -l timeout -d 'With -- CMD: how long it may take to be ready [default: 30s]' -r
complete -c coax -n "__fish_coax_using_subcommand screen" -l cwd -d 'The directory to run in' -r -F
complete -c coax -n "__fish_coax_using_subcommand screen" -l env -d 'K=V sets a variable, K passes it on, -K removes it (again for more)' -r
complete -c coax -n "__fish_coax_using_subcommand screen" -l term -d 'What TERM says' -r
complete -c coax -n "__fish_coax_using_subcommand screen" -l json -d 'Answer with one JSON object'
complete -c coax -n "__fish_coax_using_subcommand screen" -l cells -d 'In JSON: every cell with its colours and attributes'
complete -c coax -n "__fish_coax_using_subcommand screen" -l runs -d 'In JSON: the cells, those beside each other with the same pen in one'
complete -c coax -n "__fish_coax_using_subcommand screen" -l full -d 'All rows, with their trailing blanks'
complete -c coax -n "__fish_coax_using_subcommand screen" -l alt-last -d 'The alternate screen as it was when the program last left it'
complete -c coax -n "__fish_coax_using_subcommand screen" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c coax -n "__fish_coax_using_subcommand read" -s s -l session -d 'The session; else `$COAX_SESSION`, else the only one' -r -f -a '(__coax_sessions)'
complete -c coax -n "__fish_coax_using_subcommand read" -l since -d 'From this offset on, as `next_cursor` told it' -r
complete -c coax -n "__fish_coax_using_subcommand read" -l since-seq -d 'From this chunk on, as `next_seq` told it' -r
complete -c coax -n "__fish_coax_using_subcommand read" -l stream -d 'Which stream' -r -f -a "stdout\t''
stderr\t''
combined\t''
all\t''"
complete -c coax -n "__fish_coax_using_subcommand read" -l wait-for-idle-ms -d 'Wait until nothing was printed for so many milliseconds (1 to 10000), from now on' -r
complete -c coax -n "__fish_coax_using_subcommand read" -l max-bytes -d 'At most so many bytes' -r
complete -c coax -n "__fish_coax_using_subcommand read" -l grep -d 'Only lines that match this regular expression' -r
complete -c coax -n "__fish_coax_using_subcommand read" -l lines -d 'Only the last N lines' -r
complete -c coax -n "__fish_coax_using_subcommand read" -l json -d 'Answer with one JSON object'
complete -c coax -n "__fish_coax_using_subcommand read" -l plain -d 'As the lines that a terminal would show, without escapes; else as it was printed'
complete -c coax -n "__fish_coax_using_subcommand read" -l raw -d 'The bytes as they are; in JSON in base64'
complete -c coax -n "__fish_coax_using_subcommand read" -l follow -d 'Go on until the program is over'
complete -c coax -n "__fish_coax_using_subcommand read" -s h -l help -d 'Print help'
complete -c coax -n "__fish_coax_using_subcommand status" -s s -l session -d 'The session; else `$COAX_SESSION`, else the only one' -r -f -a '(__coax_sessions)'
complete -c coax -n "__fish_coax_using_subcommand status" -l json -d 'Answer with one JSON object'
complete -c coax -n "__fish_coax_using_subcommand status" -s h -l help -d 'Print help'
complete -c coax -n "__fish_coax_using_subcommand list" -l status -d 'Which sessions: those that run, those that are over, or all' -r -f -a "running\t''
completed\t''
all\t''"
complete -c coax -n "__fish_coax_using_subcommand list" -l label -d 'Only sessions with this label (again for more)' -r
complete -c coax -n "__fish_coax_using_subcommand list" -l json -d 'Answer with one JSON object'
complete -c coax -n "__fish_coax_using_subcommand list" -l prune -d 'Remove lost sessions'
complete -c coax -n "__fish_coax_using_subcommand list" -s h -l help -d 'Print help'
complete -c coax -n "__fish_coax_using_subcommand resize" -s s -l session -d 'The session; else `$COAX_SESSION`, else the only one' -r -f -a '(__coax_sessions)'
complete -c coax -n "__fish_coax_using_subcommand resize" -l rows -d 'Rows' -r
complete -c coax -n "__fish_coax_using_subcommand resize" -l cols -d 'Columns' -r
complete -c coax -n "__fish_coax_using_subcommand resize" -l json -d 'Answer with one JSON object'
complete -c coax -n "__fish_coax_using_subcommand resize" -s h -l help -d 'Print help'
complete -c coax -n "__fish_coax_using_subcommand signal" -s s -l session -d 'The session; else `$COAX_SESSION`, else the only one' -r -f -a '(__coax_sessions)'
complete -c coax -n "__fish_coax_using_subcommand signal" -l json -d 'Answer with one JSON object'
complete -c coax -n "__fish_coax_using_subcommand signal" -s h -l help -d 'Print help'
complete -c coax -n "__fish_coax_using_subcommand stop" -s s -l session -d 'The session; else `$COAX_SESSION`, else the only one' -r -f -a '(__coax_sessions)'
complete -c coax -n "__fish_coax_using_subcommand stop" -l grace -d 'How long it may take to end by itself before it is killed [default: 2s]' -r
complete -c coax -n "__fish_coax_using_subcommand stop" -l json -d 'Answer with one JSON object'
complete -c coax -n "__fish_coax_using_subcommand stop" -s h -l help -d 'Print help'
complete -c coax -n "__fish_coax_using_subcommand close" -s s -l session -d 'The session; else `$COAX_SESSION`, else the only one' -r -f -a '(__coax_sessions)'
complete -c coax -n "__fish_coax_using_subcommand close" -l json -d 'Answer with one JSON object'
complete -c coax -n "__fish_coax_using_subcommand close" -s h -l help -d 'Print help'
complete -c coax -n "__fish_coax_using_subcommand run" -l script -d 'A script, as FILE alone is' -r -F
complete -c coax -n "__fish_coax_using_subcommand run" -l check -d 'Name every mistake of a script, and run nothing' -r -F
complete -c coax -n "__fish_coax_using_subcommand run" -l rows -d 'Rows of the terminal, else those of the terminal outside, else 24' -r
complete -c coax -n "__fish_coax_using_subcommand run" -l cols -d 'Columns of the terminal, else those of the terminal outside, else 80' -r
complete -c coax -n "__fish_coax_using_subcommand run" -l timeout -d 'How long the program may run at most' -r
complete -c coax -n "__fish_coax_using_subcommand run" -l cwd -d 'The directory to run in' -r -F
complete -c coax -n "__fish_coax_using_subcommand run" -l env -d 'K=V sets a variable, K passes it on, -K removes it (again for more)' -r
complete -c coax -n "__fish_coax_using_subcommand run" -l term -d 'What TERM says' -r
complete -c coax -n "__fish_coax_using_subcommand run" -l json -d 'Answer with JSON objects'
complete -c coax -n "__fish_coax_using_subcommand run" -s h -l help -d 'Print help'
complete -c coax -n "__fish_coax_using_subcommand render" -l format -d 'In which form' -r -f -a "text\t'Text, a line a row'
ansi\t'Text with the escapes that draw it again'
json\t'One JSON object'
html\t'A page for a browser'
svg\t'A picture'"
complete -c coax -n "__fish_coax_using_subcommand render" -l scrollback -d 'The lines above the screen too, all or the last N' -r
complete -c coax -n "__fish_coax_using_subcommand render" -l rows -d 'Rows of the terminal [default: 24, or those of the recording]' -r
complete -c coax -n "__fish_coax_using_subcommand render" -l cols -d 'Columns of the terminal [default: 80, or those of the recording]' -r
complete -c coax -n "__fish_coax_using_subcommand render" -l at -d 'Of a recording: what stood there after so many seconds' -r
complete -c coax -n "__fish_coax_using_subcommand render" -l json -d 'Answer with one JSON object'
complete -c coax -n "__fish_coax_using_subcommand render" -l cells -d 'In JSON: every cell with its colours and attributes'
complete -c coax -n "__fish_coax_using_subcommand render" -l runs -d 'In JSON: the cells, those beside each other with the same pen in one'
complete -c coax -n "__fish_coax_using_subcommand render" -l full -d 'All rows, with their trailing blanks'
complete -c coax -n "__fish_coax_using_subcommand render" -l alt-last -d 'The alternate screen as it was when the program last left it'
complete -c coax -n "__fish_coax_using_subcommand render" -l trace -d 'Each function in the bytes on a line of its own, with its arguments, and no screen'
complete -c coax -n "__fish_coax_using_subcommand render" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c coax -n "__fish_coax_using_subcommand completions" -s h -l help -d 'Print help'
complete -c coax -n "__fish_coax_using_subcommand man" -s h -l help -d 'Print help'
