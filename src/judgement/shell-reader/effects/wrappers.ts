import { isKnown, tailOf, valueOf, type Arg } from '../detection/arg.js'
import { assignFrom } from '../detection/assign-from.js'
import type { Call } from '../detection/call.js'
import { resolvePath } from '../detection/resolve-path.js'
import { restore, stateOf } from '../detection/state.js'
import type { Trace } from '../detection/trace.js'
import { isHarmlessVariable, noteVariable } from '../detection/variable-effects.js'
import { splitText } from './split-text.js'
import type { Act, EffectTable, Role } from './usage.js'

/** A command that runs another one, given as its last words. */
export interface Wrapper {
  /** Options with a value. */
  readonly takes?: string
  /** Options without one. Behind any other option the command may begin at two places. */
  readonly flags?: string
  /** Words before the command, and what they are. */
  readonly before?: readonly Role[]
  /** It adds nothing of its own. */
  readonly isTransparent?: boolean
  /** The command runs in a container or on another machine. */
  readonly isElsewhere?: boolean
  /** The words are put together and given to a shell. */
  readonly isText?: boolean
}

/** Commands that run another one. */
export const wrappers: EffectTable = {
  timeout: wrap({
    takes: '-k --kill-after -s --signal',
    flags: '-v --verbose --foreground --preserve-status -f -p',
    before: ['text'],
    isTransparent: true,
  }),
  nice: wrap({ takes: '-n --adjustment', isTransparent: true }),
  ionice: wrap({ takes: '-c -n -p --class --classdata', flags: '-t --ignore', isTransparent: true }),
  nohup: wrap({ isTransparent: true }),
  setsid: wrap({ flags: '-c -f -w --ctty --fork --wait', isTransparent: true }),
  stdbuf: wrap({ takes: '-i -o -e --input --output --error', isTransparent: true }),
  unbuffer: wrap({ flags: '-p', isTransparent: true }),
  time: wrap({
    takes: '-f --format',
    flags: '-p -v -a --portability --verbose --append -l',
    isTransparent: true,
  }),
  chrt: wrap({ takes: '-T -P -D', before: ['text'], isTransparent: true }),
  taskset: wrap({ flags: '-a -c', before: ['text'], isTransparent: true }),
  arch: wrap({ flags: '-x86_64 -arm64 -arm64e -i386 -32 -64', takes: '-d -e', isTransparent: true }),
  caffeinate: wrap({ takes: '-t -w', flags: '-d -i -m -s -u -di -dis -disu', isTransparent: true }),
  sudo,
  sudoedit: { rest: 'edit', takes: { '-u': 'text', '-g': 'text' } },
  doas: wrap({ takes: '-u -C', flags: '-L -n -s' }),
  run0: wrap({ takes: '-u --user -g --group -D --chdir', flags: '--no-ask-password' }),
  pkexec: wrap({ takes: '--user', flags: '--disable-internal-agent' }),
  runuser: wrap({ takes: '-u -g -G --user --group', flags: '-l -m -p -f --login' }),
  gosu: wrap({ before: ['text'] }),
  'su-exec': wrap({ before: ['text'] }),
  setpriv: wrap({ takes: '--reuid --regid --groups', flags: '--clear-groups --init-groups --no-new-privs' }),
  chroot: wrap({ takes: '--userspec --groups', flags: '--skip-chdir', before: ['read'] }),
  unshare: wrap({
    takes: '-R -w -S -G --root --wd',
    flags: '-m -u -i -n -p -U -C -r -f --fork --pid --net --user',
  }),
  nsenter: wrap({
    takes: '-t --target -S -G',
    flags: '-m -u -i -n -p -U -a --mount --uts --ipc --net --pid --all',
  }),
  fakeroot: wrap({ takes: '-s -i -l', flags: '-u --' }),
  bwrap: wrap({
    takes: '--dir --tmpfs --proc --dev --chdir --unsetenv --uid --gid --hostname --lock-file --perms',
    flags:
      '--unshare-all --unshare-net --unshare-pid --unshare-ipc --die-with-parent --new-session --clearenv',
  }),
  firejail: wrap({ flags: '--quiet --net=none --private' }),
  strace: wrap({
    takes: '-e -o -p -s -u -E -a -O -S -P -b -I --trace --output',
    flags: '-f -ff -c -C -t -tt -ttt -T -v -y -yy -q -i -x -k -D -n -r',
  }),
  ltrace: wrap({ takes: '-e -o -p -s -u -n -l -a', flags: '-f -c -C -S -t -tt -T -i -r' }),
  valgrind: wrap({}),
  perf: wrap({ before: ['text'], takes: '-e -o -F -p -r', flags: '-g -a -d' }),
  gdb: wrap({ takes: '-ex -x', flags: '--args -batch -q -nx --batch' }),
  flock,
  command: commandBuiltin,
  builtin: wrap({ isTransparent: true }),
  exec: wrap({ takes: '-a', flags: '-c -l' }),
  env,
  busybox: wrap({ isTransparent: true }),
  toybox: wrap({ isTransparent: true }),
  watch: wrap({
    takes: '-n --interval -q --equexit',
    flags: '-d -t -b -e -g -c -x -p -w -C --differences --no-title --beep --color --exec --chgexit --errexit',
    isText: true,
  }),
  hyperfine: wrap({
    takes: '-w -r -m -M -s -p -c -n -S -P -D --warmup --runs --prepare --cleanup',
    isText: true,
  }),
  script: wrap({ flags: '-q -a -e -f', takes: '-t', before: ['replace'] }),
  'systemd-run': wrap({
    takes: '-p --property --unit -u --slice --uid --gid -E --setenv --on-calendar --on-active -M -H',
    flags: '--user --scope --pty -t --wait --collect -q --quiet --no-block -P --pipe -G',
  }),
  'dbus-run-session': wrap({ takes: '--config-file', isTransparent: true }),
  'xvfb-run': wrap({
    takes: '-n -s -e -f -w -p --server-num --server-args',
    flags: '-a -l --auto-servernum',
  }),
  cgexec: wrap({ takes: '-g' }),
  direnv: wrap({ before: ['text', 'read'] }),
  asdf: wrap({ before: ['text'] }),
}

/** The effect of a command that runs the words behind its own options. */
export function wrap(wrapper: Wrapper): Act {
  const takes = new Set(wrapper.takes?.split(' '))
  const flags = new Set(wrapper.flags?.split(' '))
  return (call, trace) => {
    const command = trace.commands[call.index]
    if (command && wrapper.isTransparent) command.isTransparent = true
    const wasElsewhere = trace.isElsewhere
    for (const start of startsOf(call, { takes, flags, before: wrapper.before ?? [] }, trace)) {
      trace.isElsewhere = wasElsewhere || wrapper.isElsewhere === true
      if (wrapper.isText) runJoined(call.args.slice(start), call.index, trace)
      else trace.engine.run(call.args, { from: start, by: call.index }, trace)
    }
    trace.isElsewhere = wasElsewhere
  }
}

interface Options {
  readonly takes: ReadonlySet<string>
  readonly flags: ReadonlySet<string>
  readonly before: readonly Role[]
}

/** Where the inner command may begin: at more than one place where an option is not known. */
function startsOf({ args, from }: Call, { takes, flags, before }: Options, trace: Trace): number[] {
  const starts: number[] = []
  let place = 0
  let at = from + 1
  for (; at < args.length; at++) {
    const arg = args[at]!
    const value = valueOf(arg)
    if (value === '--') {
      at += 1 + Math.max(0, before.length - place)
      break
    }
    if (!value.startsWith('-') || value === '-') {
      if (place >= before.length) break
      noteBefore(before[place++]!, arg, trace)
    } else if (takes.has(value)) at++
    else if (!isFlag(value, { takes, flags })) starts.push(at + 2)
  }
  return [at, ...starts.filter((start) => start > at && start < args.length)]
}

function isFlag(
  value: string,
  { takes, flags }: { takes: ReadonlySet<string>; flags: ReadonlySet<string> },
): boolean {
  if (flags.has(value) || value.includes('=')) return true
  if (value.startsWith('--')) return false
  // `-n10` has its value with it; `-Hn` are two flags.
  if (takes.has(value.slice(0, 2)) && value.length > 2) return true
  return /^-\d+$/.test(value) || Array.from(value.slice(1)).every((letter) => flags.has(`-${letter}`))
}

function noteBefore(role: Role, arg: Arg, trace: Trace): void {
  if (role === 'read') trace.read(arg)
  else if (role === 'replace') trace.replace(arg)
  else if (role === 'host') trace.host(valueOf(arg))
  else if (!isKnown(arg)) trace.incomplete('Some of its words are known only when it runs.')
}

/** Only what stands behind `--` is a command. */
export function runBehindDashes({ args, from, index }: Call, trace: Trace): void {
  const dashes = args.findIndex((arg, at) => at > from && valueOf(arg) === '--')
  if (dashes !== -1) trace.engine.run(args, { from: dashes + 1, by: index }, trace)
}

/** Words that a shell gets as one text. */
export function runJoined(args: readonly Arg[], by: number, trace: Trace): void {
  if (args.length === 0) return
  if (!args.every(isKnown)) trace.strict('It runs a text that is known only when it runs.')
  trace.engine.runText(args.map(valueOf).join(' '), by, trace)
}

const sudoWrap = wrap({
  takes:
    '-u -g -h -p -C -r -t -T -U -D -R --user --group --host --prompt --chdir --chroot --role --type --close-from',
  flags:
    '-A -b -E -e -H -i -K -k -l -n -P -S -s -V -v --preserve-env --login --shell --non-interactive --stdin --edit',
})

/** `sudo -e file` opens an editor on a copy that is then put in place. */
function sudo(call: Call, trace: Trace): void {
  const first = valueOf(call.args[call.from + 1] ?? '')
  if (first !== '-e' && first !== '--edit') return sudoWrap(call, trace)
  for (const arg of call.args.slice(call.from + 2)) trace.replace(arg)
}

/** `command -v x` only looks. */
function commandBuiltin(call: Call, trace: Trace): void {
  const first = valueOf(call.args[call.from + 1] ?? '')
  const command = trace.commands[call.index]
  if (command) command.isTransparent = true
  if (/^-[vV]/.test(first)) return
  const from = first === '-p' || first === '--' ? 2 : 1
  trace.engine.run(call.args, { from: call.from + from, by: call.index }, trace)
}

/** `env -i A=1 -C dir cmd`, `env -S 'cmd a'` */
function env({ args, from, index }: Call, trace: Trace): void {
  const before = stateOf(trace)
  let at = from + 1
  for (; at < args.length; at++) {
    const arg = args[at]!
    const value = valueOf(arg)
    if (/^-S|^--split-string/.test(value)) return runSplit(args, at, { index, trace })
    if (/^(?:-C|--chdir)$/.test(value)) changeFolder(args[++at] ?? '', trace)
    else if (value.startsWith('--chdir=')) changeFolder(tailOf(arg, 8), trace)
    else if (/^(?:-u|--unset|-P)$/.test(value)) at++
    else if (value.startsWith('-')) continue
    else if (value.indexOf('=') > 0) setVariable(arg, { index, trace })
    else break
  }
  trace.engine.run(args, { from: at, by: index }, trace)
  restore(before, trace)
}

function setVariable(arg: Arg, { index, trace }: { index: number; trace: Trace }): void {
  const value = valueOf(arg)
  const name = value.slice(0, value.indexOf('='))
  assignFrom(arg, trace)
  if (!isHarmlessVariable(name)) noteVariable(name, tailOf(arg, name.length + 1), { trace, by: index })
}

function changeFolder(arg: Arg, trace: Trace): void {
  const path = typeof arg === 'string' ? arg : arg.path
  trace.moveTo(trace.folders.map((folder) => ({ cwd: resolvePath(path, folder), home: trace.home })))
}

/** The text behind `-S` is split like a simple shell would, and may hold more options and assignments. */
function runSplit(args: readonly Arg[], at: number, { index, trace }: { index: number; trace: Trace }): void {
  const value = valueOf(args[at]!)
  const attached = value.replace(/^(?:-S|--split-string=?)/, '')
  const text = attached === '' ? valueOf(args[at + 1] ?? '') : attached
  const rest = args.slice(attached === '' ? at + 2 : at + 1)
  const words = [...splitText(text), ...rest]
  env({ args: ['env', ...words], from: 0, index }, trace)
}

function flock(call: Call, trace: Trace): void {
  const { args, from, index } = call
  const shell = args.findIndex((arg, at) => at > from && /^(?:-c|--command)$/.test(valueOf(arg)))
  const takes = new Set('-w -E --timeout --wait --conflict-exit-code'.split(' '))
  const flags = new Set(
    '-s -x -e -u -n -o -F --shared --exclusive --unlock --nonblock --nb --close --no-fork -c'.split(' '),
  )
  const [start = args.length] = startsOf(call, { takes, flags, before: ['text'] }, trace)
  const lock = args[start - 1]
  if (lock !== undefined && start - 1 > from && !/^\d+$/.test(valueOf(lock))) trace.write(lock)
  if (shell === -1) trace.engine.run(args, { from: start, by: index }, trace)
  else runJoined(args.slice(shell + 1, shell + 2), index, trace)
}
