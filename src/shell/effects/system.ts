import { valueOf } from '../detection/arg.js'
import type { Call } from '../detection/call.js'
import { literalInput } from '../detection/literal-output.js'
import type { Trace } from '../detection/trace.js'
import { tool } from './tool.js'
import { each, options, type EffectTable, type Usage } from './usage.js'

const stops = (reason: string): Usage => ({ rest: 'text', destroys: reason })

/** Commands that change the machine itself. */
export const system: EffectTable = {
  ...each('kill pkill killall xkill skill', {
    ...stops('It ends processes.'),
    when: { '-l': { destroys: undefined }, '-0': { destroys: undefined } },
  }),
  ...each('reboot shutdown halt poweroff init telinit', stops('It stops the machine.')),
  ...each(
    'mkfs mke2fs mkswap wipefs fdisk sfdisk gdisk sgdisk parted cfdisk blkdiscard format cryptsetup lvremove',
    {
      rest: 'delete',
    },
  ),
  ...each('vgremove pvremove zpool zfs mdadm hdparm badblocks', {
    rest: 'text',
    destroys: 'It changes disks.',
    isPartial: true,
  }),
  ...each('mount umount swapon swapoff losetup', { rest: 'maybe', isPartial: true }),
  ...each('useradd adduser groupadd usermod passwd chpasswd chsh chfn gpasswd visudo', {
    rest: 'text',
    isPartial: true,
  }),
  ...each('userdel deluser groupdel delgroup', {
    rest: 'text',
    isPartial: true,
    destroys: 'It deletes accounts.',
  }),
  ...each('systemctl service initctl rc-service supervisorctl launchctl pm2', tool({})),
  ...each('iptables ip6tables nft ufw firewall-cmd', tool({})),
  ...each('ip ifconfig route networksetup scutil nmcli iw iwconfig', tool({})),
  ...each('modprobe insmod rmmod', { rest: 'text', isPartial: true, destroys: 'It changes the kernel.' }),
  ...each('sysctl', { rest: 'text', isPartial: true }),
  crontab,
  ...each('setenforce apparmor_parser auditctl', {
    rest: 'text',
    isPartial: true,
    destroys: 'It changes what protects the machine.',
  }),
  ...each('http.server SimpleHTTPServer', { rest: 'text', isOpenWorld: true, isPartial: true }),
  ...each('logrotate', { rest: 'read', isPartial: true }),
  ...each(
    'diskutil dscl defaults security spctl csrutil tmutil pkgutil hdiutil profiles codesign xcode-select',
    tool({}),
  ),
  ...each('open xdg-open start gnome-open', { rest: 'read', isPartial: true }),
  ...each('tmux screen zellij', terminal),
  ...each('gpg gpg2 age', {
    rest: 'read',
    isPartial: true,
    takes: { '-o': 'replace', '--output': 'replace', '-r': 'text', '-u': 'text', '--import': 'read' },
    when: {
      '--delete-keys': { destroys: 'It deletes keys.' },
      '--delete-secret-keys': { destroys: 'It deletes keys.' },
    },
  }),
  'ssh-keygen': {
    rest: 'text',
    isPartial: true,
    takes: { '-f': 'edit', ...options('-t -b -C -N -P', 'text'), '-R': 'text' },
  },
  'ssh-add': { rest: 'read' },
  'ssh-copy-id': {
    rest: 'host',
    isOpenWorld: true,
    isPartial: true,
    takes: { '-i': 'read', '-p': 'text', '-o': 'text' },
  },
  'ssh-keyscan': { rest: 'host', isOpenWorld: true, takes: options('-p -t -T', 'text') },
}

/** `crontab file` and `crontab -` replace all of them, `-r` removes all. */
function crontab(call: Call, trace: Trace): void {
  const words = call.args.slice(call.from + 1).map(valueOf)
  if (words.includes('-l')) return
  trace.destructive(words.includes('-r') ? 'It deletes all timed commands.' : 'It replaces timed commands.')
  trace.incomplete('It makes commands run later.')
  for (const arg of call.args.slice(call.from + 1)) if (!valueOf(arg).startsWith('-')) trace.script(arg)
}

/** The last words of `tmux new -d 'command'` are a text for a shell. */
function terminal(call: Call, trace: Trace): void {
  trace.guess(valueOf(call.args[call.from]!))
  const texts = call.args.slice(call.from + 1).filter((arg) => /\s/.test(valueOf(arg)))
  for (const text of texts) trace.engine.runText(valueOf(text), call.index, trace)
  if (texts.length === 0 && literalInput(trace.input) !== undefined)
    trace.incomplete('It runs what it is given.')
}
