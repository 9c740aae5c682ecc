# scripts/test-package runs this in a clean Debian; /packages contains the package and an upgrade of the package.
# shellcheck shell=sh
set -u

passed=0 failed=0

# Runs a command as the check "$1".
check() {
    title=$1
    shift
    if "$@" >/tmp/output 2>&1; then
        passed=$((passed + 1))
        echo "ok      $title"
    else
        failed=$((failed + 1))
        echo "FAILED  $title"
        sed 's/^/        /' /tmp/output | tail -n 15
    fi
}

# Succeeds if the path "$1" has the mode, owner and group "$2".
has_mode() {
    stat -c '%a %U %G' "$1"
    [ "$(stat -c '%a %U %G' "$1")" = "$2" ]
}

not() { ! "$@"; }
as() { user=$1; shift; setpriv --reuid="$user" --regid="$(id -g "$user")" --init-groups "$@"; }

database=/var/lib/trackerd/trackerd.sqlite
drive=/project/Tests/Traces/sample_trip.csv.gz

apt-get -q -o Acquire::Check-Valid-Until=false update >/tmp/update 2>&1 || { tail -n 5 /tmp/update; exit 1; }

check "apt installs the package" apt-get -q -y install /packages/first.deb
cp /tmp/output /tmp/installation
check "the installation names the configuration that is missing" grep -q '^trackerd: not started, because' /tmp/installation
check "the version is that of the package" sh -c '[ "$(trackerd --version)" = "$(dpkg-query -W -f "\${Version}" trackerd)" ]'
check "no library is missing" sh -c '! ldd /usr/bin/trackerd /usr/bin/trackerd-page | grep "not found"'
for file in /usr/share/trackerd/boards/pi4.yaml /usr/lib/udev/rules.d/99-trackerd.rules /usr/share/polkit-1/rules.d/50-trackerd.rules \
    /usr/lib/sysusers.d/trackerd.conf /usr/lib/tmpfiles.d/trackerd.conf /usr/lib/systemd/system/trackerd.service \
    /usr/lib/systemd/system/gpsd.socket.d/trackerd.conf /usr/lib/modules-load.d/trackerd.conf /usr/share/man/man1/trackerd.1.gz \
    /usr/share/bash-completion/completions/trackerd /usr/share/zsh/vendor-completions/_trackerd \
    /usr/share/fish/vendor_completions.d/trackerd.fish /usr/share/doc/trackerd/install.md /usr/share/doc/trackerd/copyright \
    /usr/share/man/man1/trackerd-page.1.gz /usr/share/bash-completion/completions/trackerd-page \
    /usr/lib/systemd/system/trackerd-page.service /usr/share/doc/trackerd/examples/page.conf \
    /usr/share/doc/trackerd/changelog.gz /usr/share/doc/trackerd/CHANGELOG.md.gz /usr/sbin/trackerd-clock \
    /usr/share/man/man8/trackerd-clock.8.gz '/usr/lib/systemd/system/trackerd-bluetooth@.service' /usr/share/doc/trackerd/examples/config.yaml /etc/default/trackerd; do
    check "there is $file" test -e "$file"
done
# The last line of this text has an ellipsis.
check "the manual keeps characters beyond ASCII" sh -c "zcat /usr/share/man/man1/trackerd.1.gz | grep -qF '\`pi4\`, \\[u2026];'"
check "the program belongs to root" has_mode /usr/bin/trackerd "755 root root"
check "only the daemon's user reads the configuration" has_mode /etc/trackerd "700 trackerd root"
check "the daemon has its folder for the control socket" has_mode /run/trackerd "755 trackerd trackerd"
check "others than trackerd-read do not see the database's folder" has_mode /var/lib/trackerd "750 trackerd trackerd-read"
check "the user has no shell" sh -c 'getent passwd trackerd | grep -q ":/usr/sbin/nologin$"'
check "the user is in both groups" sh -c '[ "$(id -nG trackerd)" = "trackerd-read trackerd" ]'
check "the user is in no group of devices" sh -c '! id -nG trackerd | grep -E "dialout|i2c|gpio|bluetooth|plugdev"'
check "the service is not enabled" not systemctl is-enabled --quiet trackerd.service
check "systemd accepts the service" systemd-analyze verify /usr/lib/systemd/system/trackerd.service
check "the page is not enabled" not systemctl is-enabled --quiet trackerd-page.service
check "systemd accepts the page" systemd-analyze verify /usr/lib/systemd/system/trackerd-page.service
check "the exposure of the page is below 2.0" systemd-analyze security --offline=true --threshold=20 --no-pager trackerd-page.service
check "systemd accepts gpsd's socket with our drop-in" systemd-analyze verify /usr/lib/systemd/system/gpsd.socket
! udevadm verify --help >/dev/null 2>&1 || check "udev accepts the rules" udevadm verify --no-summary /usr/lib/udev/rules.d/99-trackerd.rules
# The figure of docs/install.md.
check "the exposure of the service is below 2.0" systemd-analyze security --offline=true --threshold=20 --no-pager trackerd.service
systemd-analyze security --offline=true --no-pager trackerd.service | tail -n 1

# The figures of docs/install.md for a service with Bluetooth.
apt-get -q -y install bluez >/tmp/bluez 2>&1 || tail -n 5 /tmp/bluez
check "systemd accepts the service that switches the adapter on" systemd-analyze verify /usr/lib/systemd/system/trackerd-bluetooth@hci0.service
install -Dm644 /usr/share/doc/trackerd/examples/bluetooth.conf -t /etc/systemd/system/trackerd.service.d
check "systemd accepts the service with Bluetooth" systemd-analyze verify trackerd.service
check "the exposure of the service with Bluetooth is at most 2.3" systemd-analyze security --offline=true --threshold=23 --no-pager trackerd.service
systemd-analyze security --offline=true --no-pager trackerd.service | tail -n 1
check "the exposure of the service for the adapter is below 2.0" systemd-analyze security --offline=true --threshold=20 --no-pager trackerd-bluetooth@hci0.service
rm -r /etc/systemd/system/trackerd.service.d

printf secret >/tmp/password
check "the password of the example is installed" install -m 400 -o trackerd /tmp/password /etc/trackerd/home.password
check "the example is installed" install -m 600 -o trackerd /usr/share/doc/trackerd/examples/config.yaml /etc/trackerd/
check "the daemon's user accepts the example" as trackerd trackerd config check
as trackerd trackerd doctor --board bare >/tmp/doctor 2>&1
check "the doctor accepts the configuration" grep -q '^ok *configuration' /tmp/doctor
check "the doctor knows the daemon's user" grep -q '^ok *user' /tmp/doctor
check "the doctor accepts the database" grep -q '^ok *database' /tmp/doctor
check "the doctor names gpsd, which does not run" grep -q '^FAULT *\(receiver\|gpsd\)' /tmp/doctor
sed 's/^/        /' /tmp/doctor

check "systemd accepts the service for the boot partition" systemd-analyze verify /usr/lib/systemd/system/trackerd-adopt.service
mkdir -p /boot/firmware
sed 's/van1/van2/' /etc/trackerd/config.yaml >/boot/firmware/trackerd.yaml
# The service of the adoption has the options of the daemon's service. A PC has no device tree from which `auto` reads the board.
check "a configuration on the boot partition is adopted" env OPTIONS="--board bare" trackerd setup --adopt /boot/firmware/trackerd.yaml
check "it is the daemon's now" has_mode /etc/trackerd/config.yaml "600 trackerd root"
check "it is no longer on the boot partition" not test -e /boot/firmware/trackerd.yaml
check "the daemon's user accepts it" as trackerd trackerd config check

timeout 60 setpriv --reuid=trackerd --regid=trackerd-read --init-groups \
    trackerd run --board sim --drive "$drive" --speed 40 --exit-at-end >/tmp/run 2>&1 &
tracker=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do [ -S /run/trackerd/control.sock ] && break; sleep 1; done
useradd ada
useradd -G trackerd commander
useradd -G trackerd-read reader
check "the control socket belongs to the group trackerd" has_mode /run/trackerd/control.sock "660 trackerd trackerd"
check "a member of trackerd may command" as commander trackerd status
check "another user may not command" not as ada trackerd status
check "the read socket belongs to the group trackerd-read" has_mode /run/trackerd/read.sock "660 trackerd trackerd-read"
check "a member of trackerd-read may read the status" as reader trackerd status
check "a member of trackerd-read may not command" not as reader trackerd odometer set 5
setpriv --reuid=reader --regid=reader --init-groups trackerd page >/tmp/page 2>&1 &
page=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do grep -q 'The page is at' /tmp/page && break; sleep 1; done
check "the page of a member of trackerd-read shows the vehicle" bash -c 'exec 3<>/dev/tcp/127.0.0.1/8080 &&
printf "GET /api/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" >&3 && grep "^{\"ok\":true" <&3'
kill $page
wait $tracker || { echo "the simulated drive:"; tail -n 5 /tmp/run; }
check "only the group trackerd-read reads the database" has_mode "$database" "640 trackerd trackerd-read"
check "another user does not see the database" not as ada test -e "$database"
check "a member of trackerd-read lists the trips" as reader trackerd trips --database "$database"
check "a member of trackerd does not read the configuration" not as commander cat /etc/trackerd/config.yaml
check "a member of trackerd-read does not read the configuration" not as reader cat /etc/trackerd/config.yaml

trackerd run --board sim --drive "$drive" --speed 40 >/tmp/root 2>&1 &
tracker=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do grep -q Started /tmp/root && break; sleep 1; done
check "a daemon that root starts continues as its own user" grep -q "^Uid:$(printf '\t%s' $(id -u trackerd) $(id -u trackerd) $(id -u trackerd) $(id -u trackerd))$" /proc/$tracker/status
check "it has no capability" grep -q '^CapEff:.0*$' /proc/$tracker/status
check "its database belongs to that user" has_mode "$database" "640 trackerd trackerd-read"
kill $tracker
wait $tracker

trackerd-clock on >/tmp/clock 2>&1
check "the command for the clock asks for chrony" grep -qF 'apt install chrony' /tmp/clock
apt-get -q -y install chrony >/tmp/chrony 2>&1 || tail -n 5 /tmp/chrony
receiver_is_source() { chronyd -p | grep -q '^refclock SHM 0 refid GPS'; }
check "chrony does not use the receiver by itself" not receiver_is_source
check "a user may not change the clock's source" not as ada trackerd-clock on
check "the command makes the receiver a source of chrony" trackerd-clock on
check "chrony accepts the source" receiver_is_source
check "chrony may step the clock at the first fix" sh -c "chronyd -p | grep -q '^makestep 1 3'"
check "systemd accepts gpsd with our option" systemd-analyze verify --man=no /usr/lib/systemd/system/gpsd.service
as trackerd trackerd doctor --board bare | grep '^[a-zA-Z]* *clock'
check "the command ends this" trackerd-clock off
check "chrony no longer uses the receiver" not receiver_is_source
check "gpsd has its own options again" not test -e /etc/systemd/system/gpsd.service.d
trackerd-clock on >/dev/null

apt-get -q -y install sqlite3 >/tmp/sqlite 2>&1 || tail -n 5 /tmp/sqlite
queue() { sqlite3 "$database" 'SELECT count(*), max(rowid) FROM record'; }
before=$(queue 2>&1)
echo "        records (number, last): $before"
check "the queue has records" sh -c "echo '$before' | grep -q '^[1-9]'"
echo 'OPTIONS="--board bare"' >/etc/default/trackerd
check "apt upgrades the package" apt-get -q -y install /packages/second.deb
check "the upgrade is installed" sh -c 'dpkg-query -W -f "\${Version}" trackerd | grep -q "+next$"'
check "the upgrade keeps the queue" test "$(queue 2>&1)" = "$before"
check "the upgrade keeps the settings" grep -q -e '--board bare' /etc/default/trackerd
check "the upgrade keeps the rights" has_mode /etc/trackerd "700 trackerd root"

check "the upgrade keeps the receiver as a source of chrony" receiver_is_source

check "apt removes the package" apt-get -q -y remove trackerd
check "the program is gone" not test -e /usr/bin/trackerd
check "a removal leaves chrony and gpsd as they were" sh -c '! ls /etc/chrony/conf.d/trackerd.conf /etc/systemd/system/gpsd.service.d'
check "a removal keeps the queue" test "$(queue 2>&1)" = "$before"
check "a removal keeps the configuration" test -e /etc/trackerd/config.yaml
check "apt purges the package" apt-get -q -y purge trackerd
check "a purge deletes the records" not test -e /var/lib/trackerd
check "a purge deletes the configuration" not test -e /etc/trackerd
check "a purge deletes the settings" not test -e /etc/default/trackerd
check "apt installs the package again" apt-get -q -y install /packages/first.deb

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
