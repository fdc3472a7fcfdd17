import type { CommandFamily } from '../command-spec.js'

const isFree = true
const UNITS = `--user --system -a --all -l --full --no-pager -n= --lines= -o= --output= -t= --type= --state= -p=
  --property= -P= --failed -q --quiet --no-legend --legend= --plain --value -r --recursive --no-ask-password
  --show-types --reverse --after --before --with-dependencies`
const JOURNAL = `-# -a -b? -c= -e -f -F= -g= -h -i= -k -l -m -M= -n= -N -o= -p= -q -r -S= -t= -T= -u= -U= -x -D=
  --all --boot? --catalog --case-sensitive? --cursor= --after-cursor= --show-cursor --directory= --disk-usage
  --dmesg --facility= --field= --fields --file= --follow --full --grep= --header --identifier= --lines? --list-boots
  --list-catalog? --list-namespaces --local --merge --namespace= --no-full --no-hostname --no-pager --no-tail
  --output= --output-fields= --pager-end --priority= --quiet --reverse --root= --since= --system --truncate-newline
  --unit= --until= --user --user-unit= --utc --verify --invocation= --list-invocations`

/** Commands that tell about the machine, its processes and its services. */
export const system: CommandFamily = {
  // None of these can set, write or run anything, in any version.
  'id groups whoami logname users who w uptime tty nproc hostid getconf locale uname printenv': { isFree },
  'ps pgrep pidof pstree free vmstat iostat mpstat last lscpu lsblk lsmod lsusb lsns lsipc findmnt': {
    isFree,
  },

  // It may ask name servers for what it is given.
  getent: { isOpenWorld: true, options: '-s= -i --service= --no-idn' },
  // With a name it runs a program for another architecture.
  arch: { operands: 0 },
  // With a name it sets it.
  hostname: {
    options:
      '-a -A -d -f -i -I -s -y --alias --all-fqdns --domain --fqdn --long --ip-address --all-ip-addresses --short',
    operands: 0,
  },
  'domainname dnsdomainname': { operands: 0 },
  date: {
    // Not -s; a first word without a plus would be a time to set.
    options: `-d= -f= -I? -R -r= -u -v= -j --date= --iso-8601? --rfc-email --rfc-3339= --reference= --utc --universal
        --debug --resolution`,
    operand: (value) => value.startsWith('+'),
  },
  mount: { options: '-l -v -t= --show-labels', operands: 0 },
  swapon: {
    needs: '-s --show --summary',
    options: '-s --show? --summary --noheadings --raw --bytes --verbose',
    operands: 0,
  },
  fdisk: { needs: '-l', options: '-l -o= --bytes --color?' },
  lspci: { options: '-v -k -n -b -D -t -s= -d= -m -x -P -i=' },
  lsof: {
    // Not -D, which can write a cache.
    options:
      '-a -b -c= -d= -F? -g? -i? -k= -l -n -N -o -O -p= -P -R -s? -t -T? -u= -U -V -w -x? -X -r? -K? -h',
  },
  fuser: { options: '-v -a -n= -u -m -4 -6 --verbose --all --user --mount --ismountpoint' },
  sysctl: {
    options:
      '-a -A -b -d -e -h -N -n -o -q -t -x -X --all --binary --ignore --names --values --deprecated --pattern= -r=',
    // `name=value` sets.
    operand: (value) => !value.includes('='),
  },
  dmesg: {
    // Not -c, -C, -D, -E and -n, which clear the buffer or set the console.
    options: `-d -e -f= -F= -H -k -K= -l= -L? -p -P -r -s= -S -t -T -u -w -W -x -J --color? --decode --facility=
      --file= --follow --follow-new --human --kernel --level= --nopager --raw --reltime --ctime --notime
      --show-delta --since= --until= --userspace --time-format= --syslog --json --noescape --buffer-size=
      --force-prefix`,
  },
  journalctl: { options: JOURNAL },
  crontab: { needs: '-l', options: '-l -u=', operands: 0 },
  'nvidia-smi': {
    options: '-L -q -d= -i= --query-gpu= --query-compute-apps= --format= --list-gpus --query -l= --loop=',
  },
  top: { needs: '-b -l', options: '-b -n= -d= -p= -u= -o= -c -H -i -l= -s= -w?' },
  lastlog: { options: '-b= -t= -u= --before= --time= --user=' },
  sensors: { options: '-A -u -f -j' },
  ipcs: { options: '-a -q -m -s -t -p -c -l -u -i= -b -o --human' },

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
    options: '--static --transient --pretty --json= --no-ask-password',
    verbs: { status: {} },
  },
  timedatectl: {
    isBare: true,
    options: '--no-pager -a --all -p= --property= --value',
    isPersistent: true,
    verbs: { 'status show list-timezones timesync-status show-timesync': {} },
  },
  localectl: { isBare: true, options: '--no-pager', verbs: { 'status list-locales list-keymaps': {} } },
  loginctl: {
    isBare: true,
    options: '--no-pager -a --all -p= --property= --value --no-legend -l --full',
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
    options: '--no-pager --user --system',
    verbs: { 'time blame critical-chain unit-paths calendar timestamp timespan': {} },
  },
  'systemd-detect-virt': { options: '-c -v -q --container --vm --quiet --list', operands: 0 },
}
