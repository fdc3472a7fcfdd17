import { tailOf, valueOf, type Arg } from '../detection/arg.js'
import type { Call } from '../detection/call.js'
import type { Trace } from '../detection/trace.js'
import { applyGrammar } from './apply-usage.js'
import { guessProgram } from './guess-program.js'
import { looksLikePath } from './looks-like-path.js'
import { ReadyEffects } from './ready-effects.js'
import type { Act, Effect, Role } from './usage.js'

/** A program with verbs: `docker rm`, `npm run`, `aws ec2 describe-instances`. */
export interface Tool {
  /** Options with a value that may precede the verb. */
  readonly takes?: string
  /** Effects by verb; a pair of words goes before a single one. */
  readonly verbs?: Readonly<Record<string, Effect>>
  /** Options of any verb whose values matter. */
  readonly values?: Readonly<Record<string, Role>>
  readonly isOpenWorld?: boolean
}

/** The effects that a verb's name suggests. */
const VERBS = new Map<string, 'destroys' | 'looks'>([
  ...verbsThat(
    'looks',
    'list ls get describe show view status info search version help logs log top diff history inspect images ps ' +
      'events stats port explain whoami check lookup print outdated why tree doctor query find completion ' +
      'completions validate lint verify cat tail head read graph ping root prefix bin fund docs home deps uses desc ' +
      'leaves metadata',
  ),
  ...verbsThat(
    'destroys',
    'delete destroy remove rm rmi del drop purge prune terminate uninstall unlink erase wipe clear reset revoke ' +
      'deregister disable disassociate detach kill stop shutdown reboot restart deallocate truncate flush rollback ' +
      'abort cancel discard clean nuke empty unpublish yank archive evict drain cordon undeploy forget down expire ' +
      'undo',
  ),
])

function verbsThat(kind: 'destroys' | 'looks', words: string): [string, 'destroys' | 'looks'][] {
  return words.split(' ').map((word) => [word, kind])
}

/** How many words may be verbs: `gcloud compute instances delete`. */
const MAX_VERBS = 6

type Taking = ReadonlyMap<string, Role>

const DASH = 45
const AT = 64
const TILDE = 126
// A letter or a digit at the start, and no slash: a name, not a path.
const LAST_SIGN = 47

/** The effect of a program with verbs. */
export function tool({ takes = '', verbs = {}, values, isOpenWorld }: Tool): Act {
  const taking = new Map(takes.split(' ').map((option): [string, Role] => [option, 'maybe']))
  for (const [option, role] of Object.entries(values ?? {})) taking.set(option, role)
  const byVerb = new ReadyEffects(Object.entries(verbs))
  const pairs = new Set(
    Object.keys(verbs).flatMap((verb) => (verb.includes(' ') ? [verb.split(' ')[0]!] : [])),
  )
  return (call, trace) => {
    if (isOpenWorld) trace.openWorld('It talks to other machines.')
    if (byVerb.size === 0) return judgeVerbs(call, taking, trace)
    const first = nextWord(call, call.from + 1, taking)
    if (first === -1) return
    const verb = valueOf(call.args[first]!)
    const second = pairs.has(verb) ? nextWord(call, first + 1, taking) : -1
    const pair = second === -1 ? undefined : byVerb.get(`${verb} ${valueOf(call.args[second]!)}`)
    const effect = pair ?? byVerb.get(verb)
    if (effect === undefined) return judgeVerbs(call, taking, trace)
    const inner = { args: call.args, from: pair ? second : first, index: call.index }
    if (typeof effect === 'function') effect(inner, trace)
    else applyGrammar(effect, inner, trace)
  }
}

/** The index of the next word that is not an option, or -1. */
function nextWord({ args }: Call, start: number, taking: Taking): number {
  for (let at = start; at < args.length; at++) {
    const value = valueOf(args[at]!)
    if (value.charCodeAt(0) !== DASH) return at
    if (value === '--') return -1
    if (taking.has(value)) at++
  }
  return -1
}

/** A verb outside the table is judged by its name, and so are its possible arguments. */
function judgeVerbs(call: Call, taking: Taking, trace: Trace): void {
  const { args } = call
  let isLooking = false
  let isDestroying = false
  let place = 0
  for (let at = call.from + 1; at < args.length; at++) {
    const arg = args[at]!
    const value = typeof arg === 'string' ? arg : arg.value
    readLoosely(arg, value, trace)
    if (value.charCodeAt(0) === DASH) {
      const role = taking.get(value)
      if (role === undefined) continue
      const given = args[++at]
      if (given !== undefined) noteValue(role, given, trace)
    } else if (place++ < MAX_VERBS) {
      const kind = kindOf(value)
      if (kind === 'looks') isLooking = true
      else if (kind === 'destroys') isDestroying = true
    }
  }
  if (isDestroying) trace.destructive('It deletes or stops something.')
  if (isDestroying || (!isLooking && place > 0)) guessProgram(undefined, call, trace)
}

/** `delete-object` deletes, and so does `batch-delete`. */
function kindOf(verb: string): 'destroys' | 'looks' | undefined {
  let first = -1
  let last = -1
  for (let at = 0; at < verb.length; at++) {
    if (verb.charCodeAt(at) !== DASH) continue
    if (first === -1) first = at
    last = at
  }
  if (first === -1) return VERBS.get(verb)
  const kind = VERBS.get(verb.slice(0, first))
  if (kind !== undefined) return kind
  return VERBS.get(verb.slice(last + 1)) === 'destroys' ? 'destroys' : undefined
}

function noteValue(role: Role, arg: Arg, trace: Trace): void {
  if (role === 'write') trace.write(arg)
  else if (role === 'read') trace.read(arg)
  else readLoosely(arg, valueOf(arg), trace)
}

/** `file://x`, `@x` and words that look like a path. */
function readLoosely(arg: Arg, value: string, trace: Trace): void {
  if (typeof arg !== 'string' && !arg.isKnown)
    return trace.incomplete('Some of its words are known only when it runs.')
  let start = 0
  if (value.charCodeAt(0) === DASH) {
    start = value.indexOf('=') + 1
    if (start === 0) return
  }
  const first = value.charCodeAt(start)
  if (first > LAST_SIGN && first !== TILDE && first !== AT && !value.includes('/')) return
  if (first === AT) trace.read(tailOf(arg, start + 1))
  else if (value.startsWith('file', start) && value.includes('://'))
    trace.read(tailOf(arg, value.indexOf('://') + '://'.length))
  else if (start === 0 ? looksLikePath(value) : looksLikePath(value.slice(start)))
    trace.read(tailOf(arg, start))
}
