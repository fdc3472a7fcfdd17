import type { Crib } from '../../../crib/crib.js'
import { loadCrib, type LoadCribOptions } from '../../../host/load-crib.js'
import type { LoadedTools } from '../../../host/load-settings.js'
import {
  openServers,
  type OpenedServers,
  type OpenServersOptions,
} from '../../../host/servers/open-servers.js'
import type { GivenOptions } from '../program/command.js'
import { loadLayersOrStop } from '../rules/load-layers-or-stop.js'
import { loadOutsideOrStop } from '../program/load-or-stop.js'
import { sayRuleProblems } from '../rules/say-rule-problems.js'
import { sayServerProblems } from '../servers/say-server-problems.js'
import type { Terminal } from '../terminal/terminal.js'

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
