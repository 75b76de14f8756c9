#!/usr/bin/env bash
# A private CUPS scheduler for measuring: its own configuration, spool and port; the system's is not
# touched. Becomes the scheduler.
#   scheduler.sh FOLDER PORT
set -euo pipefail
root=$1 port=$2
mkdir -p "$root"/{etc/ssl,etc/ppd,spool/tmp,cache,log,run}
chown -R root:lp "$root"/{spool,cache,run}
chmod 710 "$root/spool"
chmod 1770 "$root/spool/tmp"
# Its filters run as another user, who must get through to the spool.
chmod 755 "$root" "$root/run"
cp /usr/share/cups/mime/mime.* "$root/etc/"

cat >"$root/etc/cups-files.conf" <<EOF
SystemGroup lpadmin root
ServerRoot $root/etc
RequestRoot $root/spool
CacheDir $root/cache
StateDir $root/run
TempDir $root/spool/tmp
AccessLog $root/log/access_log
ErrorLog $root/log/error_log
PageLog $root/log/page_log
ServerKeychain $root/etc/ssl
Sandboxing relaxed
EOF

cat >"$root/etc/cupsd.conf" <<EOF
LogLevel warn
Listen 127.0.0.1:$port
Browsing Off
WebInterface No
DefaultAuthType None
<Location />
  Order allow,deny
  Allow all
</Location>
<Location /admin>
  Order allow,deny
  Allow all
</Location>
<Policy default>
  <Limit All>
    Order allow,deny
    Allow all
  </Limit>
</Policy>
EOF

exec /usr/sbin/cupsd -f -c "$root/etc/cupsd.conf" -s "$root/etc/cups-files.conf" >"$root/log/stdout" 2>&1
