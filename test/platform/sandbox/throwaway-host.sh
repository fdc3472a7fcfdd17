# Makes a throwaway host and runs a program in it: own mounts, processes and network, a root in memory, and the programs of
# this machine read-only. With the rights of root it goes on as an unprivileged user.
# Arguments: the folder of the repository, the path of node, the program for node, its argument.
set -eu
repository=$1 node=$2 program=$3 argument=$4
root=/mnt
mount --make-rprivate /
mount -t tmpfs -o mode=755 tmpfs "$root"
for folder in usr bin sbin lib lib64 etc opt; do
  [ -e "/$folder" ] || continue
  if [ -L "/$folder" ]; then cp -P "/$folder" "$root/$folder"; else
    mkdir -p "$root/$folder"
    mount --rbind -o ro "/$folder" "$root/$folder"
  fi
done
mkdir -p "$root/proc" "$root/dev" "$root/sys" "$root/tmp" "$root/run" "$root/home/user" "$root/repository" "$root/node" "$root/old"
chmod 1777 "$root/tmp"
chmod 777 "$root/home/user" "$root/run"
mount --rbind "$repository" "$root/repository"
mount --rbind "$(dirname "$node")" "$root/node"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
cd "$root"
pivot_root . old
umount -l /old
rmdir /old
ip link set lo up 2>/dev/null || true
cd /home/user
export HOME=/home/user PATH=/node:/usr/bin:/bin:/usr/sbin:/sbin TMPDIR=/tmp XDG_CONFIG_HOME=/home/user/.config
if [ "${AS_USER-}" != "" ]; then
  exec setpriv --reuid="$AS_USER" --regid="$AS_USER" --clear-groups "/node/$(basename "$node")" "/repository/$program" "$argument"
fi
exec "/node/$(basename "$node")" "/repository/$program" "$argument"
