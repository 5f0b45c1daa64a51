#!/bin/sh
# Stands in for a scheduler's program, by the name it is linked under. Writes down how it was called, and keeps in
# files beside itself what the real one would keep in the system.
here=$(dirname "$0")
name=$(basename "$0")
printf '%s' "$name" >>"$here/calls"
for argument in "$@"; do printf ' %s' "$argument" >>"$here/calls"; done
echo >>"$here/calls"
if [ -e "$here/$name-fails" ]; then
    cat "$here/$name-fails" >&2
    exit 1
fi
case "$name $*" in
"crontab -l")
    if [ ! -e "$here/crontab-text" ]; then
        echo "no crontab for me" >&2
        exit 1
    fi
    cat "$here/crontab-text"
    ;;
"crontab -") cat >"$here/crontab-text" ;;
"systemctl --user enable "*) : >"$here/enabled" ;;
"systemctl --user restart "*) : >"$here/active" ;;
"systemctl --user disable --now "*) rm -f "$here/enabled" "$here/active" ;;
"systemctl --user is-enabled "*) test -e "$here/enabled" ;;
"systemctl --user is-active "*) test -e "$here/active" ;;
"launchctl print "*) test -e "$here/loaded" ;;
"launchctl bootstrap "*) : >"$here/loaded" ;;
"launchctl bootout "*) rm -f "$here/loaded" ;;
"schtasks /Create "*) cat "$6" >"$here/task" ;;
"schtasks /Query "*) cat "$here/task" ;;
"schtasks /Delete "*) rm "$here/task" ;;
esac
