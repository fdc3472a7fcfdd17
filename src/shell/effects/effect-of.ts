import { archives } from './archives.js'
import { builtins } from './builtins.js'
import { databases } from './databases.js'
import { git } from './git.js'
import type { Grammar } from './grammar.js'
import { harmless } from './harmless.js'
import { interpreters } from './interpreters.js'
import { network } from './network.js'
import { packages } from './packages.js'
import { reading } from './reading.js'
import { ReadyEffects } from './ready-effects.js'
import { remoteTools } from './remote-tools.js'
import { searching } from './searching.js'
import { shells } from './shells.js'
import { system } from './system.js'
import { textPrograms } from './text-programs.js'
import type { Act } from './usage.js'
import { wrappers } from './wrappers.js'
import { writing } from './writing.js'

/** Later tables win if a name is in two. */
const effects = new ReadyEffects(
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

/** What is known about a program by its name: `python3.12` is `python3`, `mkfs.ext4` is `mkfs`. */
export function effectOf(program: string): Grammar | Act | undefined {
  return effects.get(program) ?? versionedEffect(program)
}

const DIGIT_0 = 48
const DIGIT_9 = 57

function versionedEffect(program: string): Grammar | Act | undefined {
  const known = withoutVersion(program)
  return known === '' ? undefined : effects.get(known)
}

function withoutVersion(program: string): string {
  const last = program.charCodeAt(program.length - 1)
  if ((last < DIGIT_0 || last > DIGIT_9) && !program.includes('.')) return ''
  return program.replace(/(?:[-.]?\d[\d.]*|\.(?:ext\d|xfs|btrfs|vfat|exe))+$/, '')
}
