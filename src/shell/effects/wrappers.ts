import { tailOf, valueOf, type Arg } from '../detection/arg.js'
import type { Call } from '../detection/call.js'
import { restore, stateOf } from '../detection/state.js'
import type { Trace } from '../detection/trace.js'
import { splitText } from './split-text.js'
import type { EffectTable } from './usage.js'
import { changeFolder, runJoined, setVariable, wrap } from './wrap.js'

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
    writes: '-o --output',
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
  run0: wrap({ takes: '-u --user -g --group', folders: '-D --chdir', flags: '--no-ask-password' }),
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
    takes:
      '--dir --tmpfs --proc --dev --unsetenv --uid --gid --hostname --lock-file --perms --remount-ro --size',
    takesTwo:
      '--bind --ro-bind --dev-bind --bind-try --ro-bind-try --dev-bind-try --symlink --setenv --file --bind-data',
    folders: '--chdir',
    flags:
      '--unshare-all --unshare-net --unshare-pid --unshare-ipc --die-with-parent --new-session --clearenv',
  }),
  firejail: wrap({ flags: '--quiet --net=none --private' }),
  strace: wrap({
    takes: '-e -p -s -u -E -a -O -S -P -b -I --trace',
    writes: '-o --output',
    flags: '-f -ff -c -C -t -tt -ttt -T -v -y -yy -q -i -x -k -D -n -r',
  }),
  ltrace: wrap({ takes: '-e -p -s -u -n -l -a', writes: '-o', flags: '-f -c -C -S -t -tt -T -i -r' }),
  valgrind: wrap({ writes: '--log-file --xml-file --massif-out-file --callgrind-out-file' }),
  perf: wrap({ before: ['text'], takes: '-e -F -p -r', writes: '-o --output', flags: '-g -a -d' }),
  gdb: wrap({ takes: '-ex -x', flags: '--args -batch -q -nx --batch' }),
  flock,
  command: commandBuiltin,
  builtin: commandBuiltin,
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
  script,
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

const scriptWrap = wrap({
  flags: '-q -a -e -f -r --quiet --append --return --flush --force',
  takes: '-t -E -m -o -I -B -O -T -F --echo --logging-format --output-limit',
  before: ['replace'],
})

/** `script file command`, `script -c text`; without either an interactive shell. */
function script(call: Call, trace: Trace): void {
  const { args, from, index } = call
  const at = args.findIndex((arg, place) => place > from && /^(?:-\w*c|--command)$/.test(valueOf(arg)))
  if (at === -1) {
    const count = trace.commands.length
    scriptWrap(call, trace)
    if (trace.commands.length === count) trace.strict('It runs commands that are known only when it runs.')
    return
  }
  scriptWrap({ ...call, args: [...args.slice(0, at), ...args.slice(at + 2)] }, trace)
  runJoined(args.slice(at + 1, at + 2), index, trace)
}

const sudoWrap = wrap({
  takes: '-u -g -h -p -C -r -t -T -U -R --user --group --host --prompt --chroot --role --type --close-from',
  folders: '-D --chdir',
  flags:
    '-A -b -E -e -H -i -K -k -l -n -P -S -s -V -v --preserve-env --login --shell --non-interactive --stdin --edit',
})

/** `sudo -e file` opens an editor on a copy that then replaces the file. */
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

/** The text behind `-S` is split like a simple shell would, and may hold more options and assignments. */
function runSplit(args: readonly Arg[], at: number, { index, trace }: { index: number; trace: Trace }): void {
  const value = valueOf(args[at]!)
  const attached = value.replace(/^(?:-S|--split-string=?)/, '')
  const text = attached === '' ? valueOf(args[at + 1] ?? '') : attached
  const rest = args.slice(attached === '' ? at + 2 : at + 1)
  const words = [...splitText(text), ...rest]
  env({ args: ['env', ...words], from: 0, index }, trace)
}

const flockWrap = wrap({
  takes: '-w -E --timeout --wait --conflict-exit-code',
  flags: '-s -x -e -u -n -o -F --shared --exclusive --unlock --nonblock --nb --close --no-fork -c --command',
  before: ['write'],
})

/** `flock file command`, `flock file -c text` */
function flock(call: Call, trace: Trace): void {
  const { args, from, index } = call
  const shell = args.findIndex((arg, at) => at > from && /^(?:-c|--command)$/.test(valueOf(arg)))
  const own = shell === -1 ? call : { ...call, args: args.slice(0, shell) }
  flockWrap(own, trace)
  if (shell !== -1) runJoined(args.slice(shell + 1, shell + 2), index, trace)
}
