import { archives } from './archives.js'
import { builtins } from './builtins.js'
import { databases } from './databases.js'
import { git } from './git.js'
import { grammarOf, type Grammar } from './grammar.js'
import { harmless } from './harmless.js'
import { interpreters } from './interpreters.js'
import { network } from './network.js'
import { packages } from './packages.js'
import { reading } from './reading.js'
import { remoteTools } from './remote-tools.js'
import { searching } from './searching.js'
import { shells } from './shells.js'
import { system } from './system.js'
import { textPrograms } from './text-programs.js'
import type { Act, Effect } from './usage.js'
import { wrappers } from './wrappers.js'
import { writing } from './writing.js'

/** Later tables win where a name is in two. */
const effects = new Map<string, Effect>(
  [
    harmless,
    reading,
    writing,
    archives,
    searching,
    textPrograms,
    network,
    remoteTools,
    packages,
    databases,
    system,
    git,
    interpreters,
    shells,
    wrappers,
    builtins,
  ].flatMap((table) => Object.entries(table)),
)

/** What is known of a program by its name: `python3.12` is `python3`, `mkfs.ext4` is `mkfs`. */
export function effectOf(program: string): Grammar | Act | undefined {
  return ready.get(program) ?? prepare(program)
}

/** Most commands are never asked for: what is known of one is put in order when it is. */
const ready = new Map<string, Grammar | Act>()

const DIGIT_0 = 48
const DIGIT_9 = 57

function prepare(program: string): Grammar | Act | undefined {
  const known = effects.has(program) ? program : withoutVersion(program)
  const effect = known === '' ? undefined : effects.get(known)
  if (effect === undefined) return undefined
  const prepared = typeof effect === 'function' ? effect : grammarOf(effect)
  if (known === program) ready.set(program, prepared)
  return prepared
}

function withoutVersion(program: string): string {
  const last = program.charCodeAt(program.length - 1)
  if ((last < DIGIT_0 || last > DIGIT_9) && !program.includes('.')) return ''
  return program.replace(/(?:[-.]?\d[\d.]*|\.(?:ext\d|xfs|btrfs|vfat|exe))+$/, '')
}
