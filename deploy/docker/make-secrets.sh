#!/bin/sh
# Makes the secrets that compose.yaml names, each readable only by the account of the container that needs it. Run once, as
# root. Keeps a file that is there.
set -eu
cd "$(dirname "$0")"
umask 077
bridge=10001
database=999

make() { # NAME OWNER TEXT
  if [ -e "secrets/$1" ]; then echo "kept secrets/$1"; return; fi
  printf '%s' "$3" > "secrets/$1"
  chown "$2" "secrets/$1"
  echo "made secrets/$1"
}

random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }

is_there() { if [ -e "secrets/$1" ]; then echo yes; fi; }

if [ "$(is_there database-url)" != "$(is_there database-password)" ]; then
  echo 'secrets/database-url and secrets/database-password belong together, and only one of them is here.' >&2
  exit 1
fi
mkdir -p secrets
password=$(random)
make database-url "$bridge" "postgres://bridge:$password@database/bridge"
make database-password "$database" "$password"
make admin-token "$bridge" "$(random)"
make workforce-auth "$bridge" none
