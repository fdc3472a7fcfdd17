import { describeProblem, shortPath } from '../../../platform/config/describe-problem.js'
import { sourceSections } from '../../../platform/config/source-sections.js'
import { ownCommand } from '../../../platform/text/own-command.js'
import { loadTools, type LoadedTools } from '../../../host/load-settings.js'
import { TRUSTED, whyUntrusted } from '../../../platform/trust/config-trust.js'
import { createCatalog } from '../../../catalog/catalog.js'
import type { GivenOptions } from '../program/command.js'
import { placeOf } from '../program/load-or-stop.js'
import type { Finding } from './finding.js'

type Settings = Extract<LoadedTools, { ok: true }>

/** Whether there is a config, its modules load and it is trusted. Without one, the other checks use the defaults. */
export async function checkConfig(
  options: GivenOptions,
): Promise<{ settings: Settings; findings: Finding[]; isRead: boolean }> {
  const loaded = await loadTools(placeOf(options))
  const none: Settings = {
    ok: true,
    configPath: undefined,
    trust: TRUSTED,
    config: {},
    hooks: [],
    drafts: [],
    catalog: createCatalog(),
  }
  if (!loaded.ok) {
    const message = loaded.problems.map((problem) => describeProblem(problem)).join('\n')
    return { settings: none, findings: [{ check: 'config', status: 'problem', message }], isRead: false }
  }
  const { configPath: path, trust, config, drafts } = loaded
  if (path === undefined) {
    const next = ownCommand('init')
    return {
      settings: loaded,
      findings: [{ check: 'config', status: 'problem', message: 'there is none here', next }],
      isRead: true,
    }
  }
  const counts = [
    ...(drafts.length > 0 ? [counted(drafts.length, 'tool')] : []),
    ...sourceSections().flatMap(({ key, noun, entries }) => {
      const count = entries(Reflect.get(config, key)).length
      return count > 0 ? [counted(count, noun)] : []
    }),
  ]
  const about = counts.length > 0 ? ` (${counts.join(', ')})` : ''
  const findings: Finding[] = [{ check: 'config', status: 'ok', message: `${shortPath(path)}${about}` }]
  findings.push(
    trust.isTrusted
      ? { check: 'trust', status: 'ok', message: 'it is trusted as it is' }
      : {
          check: 'trust',
          status: 'problem',
          message: `nothing of ${shortPath(path)} runs: ${whyUntrusted(path, trust)}`,
          next: ownCommand('trust'),
        },
  )
  return { settings: loaded, findings, isRead: true }
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}
