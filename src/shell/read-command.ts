import { detect } from './detect.js'
import type { Detection } from './detection/detection.js'
import { parseCommand } from './parse/parse-command.js'
import type { Proof } from './proof/proof.js'
import { prove } from './proof/prove.js'
import { reasonsOf } from './reasons-of.js'
import type { ShellContext, ShellReading, SubCommand } from './shell-reading.js'

/** What a command does, found out without running it. Where the two readers differ, the stricter one is right. */
export function readCommand(text: string, place: ShellContext): ShellReading {
  const parsed = parseCommand(text, place.shell)
  const proof = prove(parsed, place)
  const detection = detect(parsed, place)
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

type Guesses = Detection['guesses']

const NO_GUESSES: Guesses = []
const NO_REASONS: readonly string[] = []

/** What is proven is known to the last flag: there is nothing left to guess. */
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

/** A command that writes for sure is not read-only, whatever the proof says of it. */
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
