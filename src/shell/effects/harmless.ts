import { each, type EffectTable } from './usage.js'

/** They print something, wait or compute, and touch none of the files in their arguments. */
export const harmless: EffectTable = {
  ...each(
    'true false : sleep date cal whoami id groups logname uname hostname hostid nproc uptime free tty users who w ' +
      'last lastlog pwd seq yes expr bc dc factor basename dirname pathchk printenv locale getconf ps pgrep pidof pstree ' +
      'lsof vmstat iostat mpstat sar lscpu lsblk lsusb lspci lsmod lsns lsattr getent tput clear reset jobs times ' +
      'umask ulimit help hash dirs bg fg wait suspend logout break continue exit return shift getopts let ' +
      'which whereis type apropos whatis man info tldr tr figlet cowsay fortune dmidecode ' +
      'sw_vers system_profiler vm_stat netstat ss arp lsb_release getfacl sestatus locate ' +
      'mdfind uuidgen hwclock timedatectl localectl loginctl hostnamectl top htop btop',
    {},
  ),
  mktemp: {
    takes: { '-p': 'write', '--tmpdir': 'write' },
    first: ['maybe'],
    isPartial: true,
    when: { '-u': {} },
  },
  journalctl: {
    rest: 'text',
    takes: { '--file': 'read', '-D': 'read', '--directory': 'read', '--root': 'read' },
    when: {
      '--vacuum-size': { destroys: 'It deletes logs.' },
      '--vacuum-time': { destroys: 'It deletes logs.' },
      '--vacuum-files': { destroys: 'It deletes logs.' },
      '--rotate': { isPartial: true },
      '--flush': { isPartial: true },
      '--sync': { isPartial: true },
    },
  },
  dmesg: {
    rest: 'text',
    takes: { '-F': 'read', '--file': 'read', '-l': 'text', '-f': 'text', '-n': 'text' },
    when: { '-C': { destroys: 'It deletes logs.' }, '-c': { destroys: 'It deletes logs.' } },
  },
  man: { takes: { '-P': 'command', '--pager': 'command', '-M': 'read', '-C': 'read', '-l': 'read' } },
}
