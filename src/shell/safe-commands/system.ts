import type { CommandFamily, CommandSpec } from '../command-spec.js'

const HELP = '--help --version'
const LINUX_HELP = '-h --help -V --version'

/** None of its options writes, runs a program or uses the network, in any version: unknown words may be added. */
const reads = (options: string): CommandSpec => ({ takesUnknown: true, options })

/** Sockets in the form of `lsof -i`, by protocol and port. A host would be looked up. */
const isSocket = (value: string) => /^[46]?(?:tcp|udp)?(?::[\w,-]+)?$/i.test(value)

const isService = (value: string) => /^\w+(?::\w+)?$/.test(value)

const PS = `-a -A -c -C -d -e -E -f -F -g= -G= -h -H -j -J= -k= -l -L -m -M -n= -N -o= -O= -p= -P -q= -r -s= -S -t= -T -u= -U= -v
  -V -w -x -X -y -Z --all --columns= --cols= --context --cumulative --deselect --forest --format= --Group= --group=
  --headers --header --html --info --lines= --no-headers --no-heading --noheaders --noheading --pid= --ppid=
  --quick-pid= --rows= --sid= --signames --sort= --tty= --user= --User= --width= --help? --version`
const UNITS = `-h --help --version --user --system -a --all -l --full --no-pager -n= --lines= -o= --output= -t= --type= --state= -p=
  --property= -P= --failed -q --quiet --no-legend --legend= --plain --value -r --recursive --no-ask-password
  --show-types --reverse --after --before --with-dependencies`
const JOURNAL = `-# -a -b? -c= -e -f -F= -g= -h -i= -k -l -m -M= -n= -N -o= -p= -q -r -S= -t= -T= -u= -U= -x -D=
  --all --boot? --catalog --case-sensitive? --cursor= --after-cursor= --show-cursor --directory= --disk-usage
  --dmesg --facility= --field= --fields --file= --follow --full --grep= --header --identifier= --lines? --list-boots
  --list-catalog? --list-namespaces --local --merge --namespace= --no-full --no-hostname --no-pager --no-tail
  --output= --output-fields= --pager-end --priority= --quiet --reverse --root= --since= --system --truncate-newline
  --unit= --until= --user --user-unit= --utc --verify --invocation= --list-invocations`

/** Commands that print facts about the machine, its processes and its services. */
export const system: CommandFamily = {
  id: reads(`-a -A -c -d -F -g -G -M -n -p -P -r -s -u -z -Z --context --group --groups --name --real --user --zero
    ${HELP}`),
  'groups whoami logname users': reads(HELP),
  uptime: reads(`-p -s -r --pretty --since --raw --container -c ${LINUX_HELP}`),
  tty: reads(`-s --silent --quiet ${HELP}`),
  nproc: reads(`--all --ignore= ${HELP}`),
  locale: reads(
    `-a -c -k -m -v -V --all-locales --charmaps --category-name --keyword-name --verbose --usage ${HELP}`,
  ),
  uname:
    reads(`-a -b -i -K -m -n -o -p -r -s -U -v --all --kernel-name --nodename --kernel-release --kernel-version
    --machine --processor --hardware-platform --operating-system ${HELP}`),
  printenv: reads(`-0 --null ${HELP}`),
  ps: reads(PS),
  pgrep:
    reads(`-a -A -c -d= -f -F= -g= -G= -H -i -I -j= -l -L -M= -n -N= -o -O= -P= -q -r= -s= -S -t= -T= -u= -U= -v -w -x
    --delimiter= --list-name --list-full --inverse --lightweight --count --full --pgroup= --group= --ignore-case
    --newest --oldest --older= --parent= --session= --terminal= --euid= --uid= --exact --pidfile= --logpidfile
    --runstates= --ignore-ancestors --cgroup= --env= --ns= --nslist= --quick --shell-quote ${LINUX_HELP}`),
  pidof: reads('-c -d= -h -n -o= -q -s -S= -t -V -w -x -z'),
  pstree:
    reads(`-a -A -c -C= -d -f= -g -G -h -H= -l -n -N= -p -s -S -t -T -u -U -w -Z --arguments --ascii --compact-not
    --color= --show-pgids --vt100 --highlight-all --highlight-pid= --long --numeric-sort --ns-sort= --show-pids
    --show-parents --ns-changes --thread-names --hide-threads --uid-changes --unicode --security-context -V
    --version`),
  free: reads(`-b -c= -g -h -k -l -L -m -s= -t -v -V -w --bytes --kilo --mega --giga --tera --peta --kibi --mebi --gibi
    --tebi --pebi --human --si --lohi --line --total --committed --seconds= --count= --wide ${HELP}`),
  vmstat:
    reads(`-a -d -D -f -m -n -p= -s -S= -t -w -y --active --forks --slabs --one-header --stats --disk --disk-sum
    --partition= --unit= --wide --timestamp --no-first ${LINUX_HELP}`),
  iostat:
    reads(`-c -C -d -f= -g= -h -H -I -j= -k -K -m -N -n= -o= -p -s -t -T -V -w= -x -y -z --compact --dec= --human
    --pretty ${HELP}`),
  mpstat: reads(`-A -H -I= -n -N= -o= -P= -T -u -V --dec= ${HELP}`),
  lscpu:
    reads(`-a -b -B -c -C? -e? -H= -J -p? -r -s= -x -y --all --online --offline --bytes --caches? --extended?
    --hierarchic? --json --parse? --raw --sysroot= --hex --physical --output-all ${LINUX_HELP}`),
  lsblk:
    reads(`-a -A -b -d -D -e= -E= -f -H -i -I= -J -l -m -M -n -N -o= -O -p -P -Q= -r -s -S -t -T? -v -w= -x= -y -z
    --all --noempty --bytes --nodeps --discard --exclude= --dedup= --fs --ascii --include= --json --list --perms
    --merge --noheadings --nvme --output= --output-all --paths --pairs --filter= --raw --inverse --scsi --topology
    --tree? --virtio --width= --sort= --shell --zoned --sysroot= --ct= --highlight= --list-columns --properties-by=
    ${LINUX_HELP}`),
  lsmod: reads('-s -v -V -h --syslog --verbose --help --version'),
  lsusb: reads('-d= -D= -h -s= -t -v -V --tree --verbose --help --version'),
  lsns: reads(`-J -l -n -o= -p= -P -r -t= -T? -u -W --json --list --noheadings --output= --output-all --task= --persistent
    --raw --type= --tree? --notruncate --nowrap ${LINUX_HELP}`),
  lsipc:
    reads(`-b -c -e -g -i= -J -l -m -n -N= -o= -P -q -Q -r -s -S -t -y --bytes --creator --export --global --id= --json
    --list --newline --noheadings --notruncate --numeric-perms --output? --queues --raw --semaphores --shell
    --shmems --time --time-format= ${LINUX_HELP}`),
  findmnt:
    reads(`-a -A -b -c -C -d= -D -e -f -F= -H -i -I -J -k -l -m -M= -n -N= -o= -O= -p? -P -Q= -r -R -s -S= -t= -T= -u
    -U -v -w= -x -y --all --ascii --bytes --canonicalize --nocanonicalize --deleted --df --direction= --evaluate
    --filter= --first-only --tab-file= --invert --json --kernel --list --list-columns --mtab --mountpoint=
    --noheadings --task= --options= --output= --output-all --poll? --pairs --pseudo --raw --real --shadowed
    --submounts --fstab --source= --types= --target= --tree --notruncate --uniq --nofsroot --timeout= --verify
    --verbose --vfs-all --shell --id= --uniq-id= ${LINUX_HELP}`),

  who: {
    options: `-a -A -b -d -H -l -m -p -q -r -s -t -T -u -w --all --boot --dead --heading --ips --login --lookup
      --process --count --runlevel --short --time --users --mesg --message --writable ${HELP}`,
    reachesOutWith: '--lookup',
  },
  // Some versions look up the host names of remote logins.
  w: {
    options: `-d -f -h -i -n -o -s -u -V --no-header --no-current --short --from --old-style --ip-addr --pids ${HELP}`,
    reachesOutWithout: '-n -h --help -V --version',
  },
  last: {
    options: `-# -a -d -f= -F -h -i -n= -p= -R -s= -t= -T -V -w -x --hostlast --dns --file= --fulltimes --ip --limit=
      --nohostname --since= --until= --present= --fullnames --system --time-format= --tab-separated ${HELP}`,
    reachesOutWith: '-d --dns',
  },
  // It may look up the address of this machine.
  hostid: { isOpenWorld: true, operands: 0 },
  // Not -v, which runs a program of the given name.
  getconf: { options: '-a' },
  // It may send its arguments to name servers.
  getent: {
    isOpenWorld: true,
    options: '-s= -i --service= --no-idn',
    // It loads a library by this name; with a slash, one of the working folder.
    values: { '-s': isService, '--service': isService },
  },
  // With a name it runs a program for another architecture.
  arch: { operands: 0 },
  // With a name it sets it.
  hostname: {
    options:
      '-h -V -a -A -d -f -i -I -s -y --alias --all-fqdns --domain --fqdn --long --ip-address --all-ip-addresses --short',
    operands: 0,
    reachesOutWith: '-a -A -d -f -i --alias --all-fqdns --domain --fqdn --long --ip-address',
  },
  domainname: { operands: 0 },
  dnsdomainname: { isOpenWorld: true, operands: 0 },
  date: {
    // Not -s; a first word without a plus would be a time to set.
    options: `-d= -f= -I? -R -r= -u -v= -j --date= --iso-8601? --rfc-email --rfc-3339= --reference= --utc --universal
        --debug --resolution`,
    operand: (value) => value.startsWith('+'),
    // Some versions read another one as a time to set.
    operands: 1,
  },
  mount: { options: '-h -V -l -v -t= --show-labels', operands: 0 },
  swapon: {
    needs: '-s --show --summary -h -V',
    options: '-h -V -s --show? --summary --noheadings --raw --bytes --verbose',
    operands: 0,
  },
  fdisk: { needs: '-l -h -V', options: '-h -V -l -o= --bytes --color?' },
  lspci: { options: '-v -k -n -b -D -t -s= -d= -m -x -P -i=' },
  lsof: {
    // Not -D, which can write a cache. If a value is optional, a word that does not look like one is read as more
    // options.
    options: `-a -b -c= -d= -F? -g? -i? -l -n -N -o -O -p= -P -R -s? -t -T? -u= -U -V -w -x? -X -r? -K? -h -v -E -Q`,
    values: {
      '-F': (value) => /^[A-Za-z0-9]+$/.test(value),
      '-g': (value) => /^[0-9^][0-9,^]*$/.test(value),
      '-i': isSocket,
      '-s': (value) => /^(?:TCP|UDP):[\w^,]+$/i.test(value),
      '-T': (value) => /^[fqs]+$/.test(value),
      '-x': (value) => /^[fl]+$/.test(value),
      '-r': (value) => /^[0-9]+$/.test(value),
      '-K': (value) => value === 'i',
    },
    // `@` names a host; +M queries another service.
    operand: (value) => !/@|^\+m/i.test(value),
    reachesOutWithout: '-n -h -v',
  },
  fuser: {
    options: `-a -c -f -I -l -m -M -n= -s -u -v -V -4 -6 --all --inode --list-signals --mount --ismountpoint
      --namespace= --silent --user --verbose --version --ipv4 --ipv6`,
    // A comma precedes a host.
    operand: (value) => !value.includes(','),
  },
  sysctl: {
    options:
      '-a -A -b -d -e -h -N -n -o -q -t -x -X --all --binary --ignore --names --values --deprecated --pattern= -r=',
    // `name=value` sets.
    operand: (value) => !value.includes('='),
  },
  dmesg: {
    // Not -c, -C, -D, -E and -n, which clear the buffer or set the console.
    options: `-h -V -d -e -f= -F= -H -k -K= -l= -L? -p -P -r -s= -S -t -T -u -w -W -x -J --color? --decode --facility=
      --file= --follow --follow-new --human --kernel --level= --nopager --raw --reltime --ctime --notime
      --show-delta --since= --until= --userspace --time-format= --syslog --json --noescape --buffer-size=
      --force-prefix`,
  },
  journalctl: { options: JOURNAL },
  crontab: { needs: '-l', options: '-l -u=', operands: 0 },
  top: { needs: '-b -l -h -v', options: '-h -v -b -n= -d= -p= -u= -o= -c -H -i -l= -s= -w?' },
  lastlog: { options: '-h -b= -t= -u= --before= --time= --user=' },
  sensors: { options: '-h -v -A -u -f -j' },
  ipcs: { options: '-h -V -a -q -m -s -t -p -c -l -u -i= -b -o --human' },

  systemctl: {
    options: UNITS,
    isPersistent: true,
    isBare: true,
    verbs: {
      'status show cat list-units list-unit-files list-timers list-sockets list-paths list-jobs list-dependencies':
        {},
      'list-automounts list-machines is-active is-enabled is-failed is-system-running get-default show-environment':
        {},
    },
  },
  hostnamectl: {
    isBare: true,
    options: '-h --help --version --static --transient --pretty --json= --no-ask-password',
    verbs: { status: {} },
  },
  timedatectl: {
    isBare: true,
    options: '-h --help --version --no-pager -a --all -p= --property= --value',
    isPersistent: true,
    verbs: { 'status show list-timezones timesync-status show-timesync': {} },
  },
  localectl: {
    isBare: true,
    options: '-h --help --version --no-pager',
    verbs: { 'status list-locales list-keymaps': {} },
  },
  loginctl: {
    isBare: true,
    options: '-h --help --version --no-pager -a --all -p= --property= --value --no-legend -l --full',
    isPersistent: true,
    verbs: {
      'list-sessions list-users list-seats session-status user-status seat-status show-session show-user show-seat':
        {},
    },
  },
  coredumpctl: {
    options: '--no-pager -1 -n= -r -q --no-legend --since= --until= -S= -U=',
    isPersistent: true,
    verbs: { 'list info': {} },
  },
  'systemd-analyze': {
    isBare: true,
    options: '-h --help --version --no-pager --user --system',
    verbs: { 'time blame critical-chain unit-paths calendar timestamp timespan': {} },
  },
  'systemd-detect-virt': { options: '-c -v -q --container --vm --quiet --list', operands: 0 },
}
