import { describeProblem, shortPath } from '../../../platform/config/describe-problem.js'
import { oneLine, printable } from '../../../platform/text/printable.js'
import type { ConfigChange } from '../../../host/follow-config.js'
import type { CribSettings } from '../../../host/crib-settings.js'
import { whyUntrusted } from '../../../platform/trust/config-trust.js'
import { entriesNoun } from '../../../host/sources/config-entries.js'
import { nounOf } from '../../../sources/noun-of.js'
import { configOption } from '../../../host/config-option.js'
import { printSourceProblems } from '../servers/print-source-problems.js'
import type { Terminal } from '../terminal/terminal.js'

/** Prints one line for each change of the config while it is served. */
export function logConfigChanges(settings: CribSettings, terminal: Terminal): (change: ConfigChange) => void {
  const file = shortPath(settings.configPath ?? '')
  const { bad } = terminal.sayStyle
  return (change) => {
    switch (change.kind) {
      case 'sources': {
        const { added, edited, removed } = change.change
        const parts = [partOf('added', added), partOf('changed', edited), partOf('removed', removed)]
        const what = parts.filter((part) => part !== '').join('; ')
        if (what !== '') terminal.explain(`${file} has changed. ${capital(nounOf(change.kinds))}s ${what}.`)
        printSourceProblems(change.problems, terminal)
        return
      }
      case 'restart':
        return terminal.explain(
          `${namesOf(change.keys)} in ${file} changed: restart serve for ${change.keys.length === 1 ? 'it' : 'them'} to count.`,
        )
      case 'untrusted': {
        const why = whyUntrusted(settings.configPath!, change.trust).replace(/^it /, `${file} `)
        return terminal.explain(
          `The ${entriesNoun(settings)} stay as they are: ${why}. To use the file as it is now: toolcrib trust${configOption(settings)}`,
          bad,
        )
      }
      case 'unreadable':
        for (const problem of change.problems) terminal.explain(printable(describeProblem(problem)), bad)
        return terminal.explain(
          `The ${entriesNoun(settings)} stay as they are until ${file} can be read.`,
          bad,
        )
    }
  }
}

function capital(word: string): string {
  return `${word[0]!.toUpperCase()}${word.slice(1)}`
}

function namesOf(keys: readonly string[]): string {
  const names = keys.map((key) => `"${oneLine(key)}"`)
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

function partOf(what: string, names: readonly string[]): string {
  return names.length === 0 ? '' : `${what}: ${names.map(oneLine).join(', ')}`
}
