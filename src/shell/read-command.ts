import { detect } from './detect.js'
import type { Detection } from './detection/detection.js'
import { parseCommand } from './parse/parse-command.js'
import type { Proof } from './proof/proof.js'
import { prove } from './proof/prove.js'
import type { ShellContext, ShellReading, SubCommand } from './shell-reading.js'

/** What a command does, found without running it. If the two readers differ, the stricter one counts. */
export function readCommand(text: string, context: ShellContext): ShellReading {
  const parsed = parseCommand(text, context.shell)
  const detection = detect(parsed, context)
  const proof = withDoubts(prove(parsed, context), detection, context.doubted)
  const open = openGuesses(detection, proof)
  const writes = open.length === 0 ? detection.writes : withGuesses(detection.writes, open)
  const isContradicted = proof.isReadOnly && (writes.length > 0 || detection.isBlind)
  const isReadOnly = proof.isReadOnly && !isContradicted
  return {
    is_read_only: isReadOnly,
    is_destructive: !isReadOnly && detection.is_destructive,
    is_open_world: isReadOnly ? proof.isOpenWorld || detection.hosts.length > 0 : detection.is_open_world,
    is_concurrency_safe: isReadOnly,
    reads: detection.reads,
    writes,
    deletes: detection.deletes,
    redirects: detection.redirects,
    executes: detection.executes,
    hosts: detection.hosts,
    commands: markProven(detection, proof),
    given: detection.given,
    changesMeaning: detection.changesMeaning,
    isComplete: detection.isComplete && open.length === 0,
    hidesCode: detection.hidesCode,
    isBlind: detection.isBlind,
    hasLooseGap: detection.hasLooseGap,
    hidesTarget: detection.hidesTarget,
    isParsed: detection.isParsed,
    dependsOnFolder: proof.dependsOnFolder || undefined,
    reasons: isReadOnly ? gapsOf(detection) : reasonsOf(detection, proof, { open, isContradicted }),
  }
}

/** The proof without the programs that are doubted: neither they nor a line that runs one of them are proven. */
function withDoubts(proof: Proof, { commands, nodes }: Detection, doubted: ShellContext['doubted']): Proof {
  if (doubted === undefined || doubted.size === 0) return proof
  const isDoubted = commands.map(({ words }) => doubted.has((words[0] ?? '').split('/').at(-1)!))
  const first = commands[isDoubted.indexOf(true)]
  if (first === undefined) return proof
  const nodesInDoubt = nodes.filter((_, at) => isDoubted[at])
  return {
    ...proof,
    isReadOnly: false,
    reason: `${first.words[0]} did more than read when it ran before, and nobody has looked at that yet.`,
    proven: proof.proven.filter((node) => !nodesInDoubt.includes(node as never)),
  }
}

type Guesses = Detection['guesses']

const NO_GUESSES: Guesses = []
const NO_REASONS: readonly string[] = []

/** A proven command is known to the last flag: nothing is left to guess. */
function openGuesses({ guesses }: Detection, { isReadOnly, proven }: Proof): Guesses {
  if (isReadOnly || guesses.length === 0) return NO_GUESSES
  if (proven.length === 0) return guesses
  return guesses.filter(({ node }) => node === undefined || !proven.includes(node))
}

function withGuesses(writes: readonly string[], guesses: Guesses): readonly string[] {
  if (guesses.length === 1) {
    const guessed = guesses[0]!.writes
    if (guessed.length === 0) return writes
    if (writes.length === 0) return guessed
  }
  const guessed = guesses.flatMap((guess) => guess.writes)
  return guessed.length === 0 ? writes : [...new Set([...writes, ...guessed])]
}

/** A command that certainly writes is not read-only, whatever the proof says. */
function markProven(detection: Detection, { isReadOnly, proven }: Proof): readonly SubCommand[] {
  const { commands, nodes, writers, changesMeaning } = detection
  if (proven.length === 0 || (changesMeaning && !isReadOnly)) return commands
  for (let at = 0; at < commands.length; at++) {
    const node = nodes[at]
    if (node !== undefined && proven.includes(node) && !writers.includes(node))
      commands[at]!.isReadOnly = true
  }
  return commands
}

/** Nothing to explain, unless it reads more than is listed. */
function gapsOf(detection: Detection): readonly string[] {
  return detection.isComplete ? NO_REASONS : detection.gaps
}

interface Doubts {
  /** Guesses that the proof does not resolve. */
  readonly open: Detection['guesses']
  /** It is proven read-only, and yet something in it may write. */
  readonly isContradicted: boolean
}

/** Why a command is not read-only and what is unknown about it, the most important first. */
function reasonsOf(
  { reasons, writes }: Detection,
  proof: Proof,
  { open, isContradicted }: Doubts,
): readonly string[] {
  const first = isContradicted
    ? `It seems to read only, but it may write ${writes[0] ?? 'something that cannot be seen'}.`
    : proof.reason
  // Allocated with the right size: a growing array takes several times the space.
  // oxlint-disable-next-line no-new-array
  const said = new Array<string>(1 + reasons.length + open.length)
  let count = 0
  if (!reasons.includes(first)) said[count++] = first
  for (let at = 0; at < reasons.length; at++) said[count++] = reasons[at]!
  for (let at = 0; at < open.length; at++) {
    const unknown = `What ${open[at]!.program} does is not fully known.`
    if (!said.includes(unknown)) said[count++] = unknown
  }
  if (count < said.length) said.length = count
  return said
}
