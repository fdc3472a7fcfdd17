import { describeProblem, shortPath } from '../../../platform/config/describe-problem.js'
import { oneLine, printable } from '../../../platform/text/printable.js'
import type { ConfigChange } from '../../../host/follow-config.js'
import type { CribSettings } from '../../../host/crib-settings.js'
import { whyUntrusted } from '../../../platform/trust/config-trust.js'
import { configOption } from '../program/config-option.js'
import { saySourceProblems } from '../servers/say-source-problems.js'
import type { Terminal } from '../terminal/terminal.js'

/** What became of the config while it is served, in a line each. */
export function tellConfig(settings: CribSettings, terminal: Terminal): (news: ConfigChange) => void {
  const file = shortPath(settings.configPath ?? '')
  const { bad } = terminal.sayStyle
  return (news) => {
    switch (news.kind) {
      case 'sources': {
        const { added, edited, removed } = news.change
        const parts = [partOf('added', added), partOf('changed', edited), partOf('removed', removed)]
        const what = parts.filter((part) => part !== '').join('; ')
        if (what !== '') terminal.explain(`${file} has changed. Servers ${what}.`)
        saySourceProblems(news.problems, terminal)
        return
      }
      case 'restart':
        return terminal.explain(
          `${namesOf(news.keys)} in ${file} changed: restart serve for ${news.keys.length === 1 ? 'it' : 'them'} to count.`,
        )
      case 'untrusted': {
        const why = whyUntrusted(settings.configPath!, news.trust).replace(/^it /, `${file} `)
        return terminal.explain(
          `The servers stay as they are: ${why}. To use the file as it is now: toolcrib trust${configOption(settings)}`,
          bad,
        )
      }
      case 'unreadable':
        for (const problem of news.problems) terminal.explain(printable(describeProblem(problem)), bad)
        return terminal.explain(`The servers stay as they are until ${file} can be read.`, bad)
    }
  }
}

function namesOf(keys: readonly string[]): string {
  const names = keys.map((key) => `"${oneLine(key)}"`)
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

function partOf(what: string, names: readonly string[]): string {
  return names.length === 0 ? '' : `${what}: ${names.map(oneLine).join(', ')}`
}
