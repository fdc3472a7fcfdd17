import type { Argument } from '../parse/argument.js'
import { changesPrograms } from '../detection/variable-effects.js'
import { innerCommandOf, type InnerCommand, type WrapperShape } from '../grammars/find-inner-command.js'
import { wrapperShapes } from '../grammars/wrapper-shapes.js'

/** A command that runs another one and ends with its exit code. */
export interface PassOn {
  readonly find: (args: readonly Argument[], from: number) => InnerCommand
  /** It also uses this code for its own errors, with a message. */
  readonly ownCode?: number
  /** It may run a shell builtin. */
  readonly isShell?: true
}

const plain: WrapperShape = { flags: '', values: '' }

/** The codes for their own errors, 124 to 127, are failures behind any of them. */
export const passOn: ReadonlyMap<string, PassOn> = new Map<string, PassOn>([
  ['nice', { find: innerCommandOf(wrapperShapes.nice) }],
  ['time', { find: innerCommandOf(wrapperShapes.time) }],
  ['timeout', { find: innerCommandOf(wrapperShapes.timeout) }],
  ['stdbuf', { find: innerCommandOf(wrapperShapes.stdbuf) }],
  ['nohup', { find: innerCommandOf(plain) }],
  ['env', { find: innerOfEnv }],
  ['exec', { find: innerCommandOf({ flags: '-c -l', values: '-a' }) }],
  ['command', { find: innerCommandOf({ flags: '-p --', values: '' }), isShell: true }],
  ['builtin', { find: innerCommandOf({ flags: '--', values: '' }), isShell: true }],
  ['sudo', { find: innerCommandOf({ flags: '-A -E -H -k -n -P -S --', values: '-u -g' }), ownCode: 1 }],
])

const envOptions = innerCommandOf({
  flags: '-i --ignore-environment -0 --null -v --debug --',
  values: '-u --unset -C --chdir',
})

/** After its options come variables, before the command. */
function innerOfEnv(args: readonly Argument[], from: number): InnerCommand {
  const first = args[from]
  const start = typeof first === 'string' && first.startsWith('-') ? envOptions(args, from) : from
  if (typeof start === 'string') return start
  let at = start
  for (; at < args.length; at++) {
    const arg = args[at]!
    if (!/^[A-Za-z_]\w*=/.test(typeof arg === 'string' ? arg : arg.lead)) break
  }
  if (args.slice(from, at).some(namesProgramChange)) return 'env changes which program runs.'
  return at < args.length ? at : 'env is given no command to run.'
}

/** `NAME=value`, and also the name alone, which an option removes. */
function namesProgramChange(arg: Argument): boolean {
  const name = /^(?:-u|--unset=)?([A-Za-z_]\w*)(?:=|$)/.exec(typeof arg === 'string' ? arg : arg.lead)?.[1]
  return name !== undefined && changesPrograms(name)
}
