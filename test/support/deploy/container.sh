# Runs a command as in a container: ROOT APP NODE ACCOUNT COMMAND… It is the first process of its own; its files are this
# machine's programs, read-only, with APP as /app, its data writable, and Node as the image has it. ACCOUNT is USER:GROUP; as
# the builder of an image, 0:0 may write /app.
set -eu
root=$1 app=$2 node=$3 account=$4
shift 4
mount -t tmpfs -o mode=755 tmpfs "$root"
for name in usr bin lib lib64 sbin etc; do
  if [ -L "/$name" ]; then
    cp -P "/$name" "$root/$name"
  elif [ -d "/$name" ]; then
    mkdir "$root/$name"
    mount --bind "/$name" "$root/$name"
    mount -o remount,ro,bind "$root/$name"
  fi
done
mkdir -p "$root/app" "$root/tmp" "$root/proc" "$root/dev" "$root/node"
mount --bind "$(dirname "$node")" "$root/node"
mount --bind "$app" "$root/app"
if [ -z "${BUILDS-}" ]; then
  mount -o remount,ro,bind "$root/app"
  mount -t tmpfs -o "uid=${account%:*},gid=${account#*:},mode=700" tmpfs "$root/app/data"
else
  mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
fi
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -o remount,ro "$root"
exec chroot "$root" setpriv --reuid "${account%:*}" --regid "${account#*:}" --clear-groups --no-new-privs \
  env --chdir=/app "$@"
