import type { Crib } from '../../runtime/crib.js'
import { loadCrib, type LoadCribOptions } from '../../runtime/load-crib.js'
import type { LoadedTools } from '../../runtime/load-tools.js'
import { openServers, type OpenedServers, type OpenServersOptions } from '../../runtime/open-servers.js'
import type { GivenOptions } from './command.js'
import { loadLayersOrStop } from './load-layers-or-stop.js'
import { loadOutsideOrStop } from './load-or-stop.js'
import { sayRuleProblems } from './say-rule-problems.js'
import { sayServerProblems } from './say-server-problems.js'
import type { Terminal } from './terminal.js'

export interface AloudOptions extends Pick<LoadCribOptions, 'openReads' | 'followRules' | 'more'> {
  /** How its servers are opened. */
  servers: OpenServersOptions
  /** Looks at them before anything is said; what it throws ends it. */
  onServers?(servers: OpenedServers): void
}

/** The crib of a config with its rules, its servers and those who are asked. What is wrong with them is said. */
export async function loadCribAloud(
  {
    settings,
    options,
    terminal,
  }: {
    settings: Extract<LoadedTools, { ok: true }>
    options: GivenOptions
    terminal: Terminal
  },
  { servers: how, onServers, ...rest }: AloudOptions,
): Promise<{ crib: Crib; servers: OpenedServers }> {
  const layers = await loadLayersOrStop(settings, options)
  const outside = await loadOutsideOrStop(settings)
  sayRuleProblems(layers, terminal)
  const servers = await openServers(settings, how)
  onServers?.(servers)
  sayServerProblems(servers.problems, terminal)
  const tools = settings.drafts
  const crib = await loadCrib({ settings, tools, store: options.store, layers, outside, servers, ...rest })
  return { crib, servers }
}
