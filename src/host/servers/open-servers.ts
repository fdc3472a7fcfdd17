import { ownCommand } from '../../platform/text/own-command.js'
import { createLiveSecrets, type LiveSecrets } from '../../redaction/live-secrets.js'
import { createRedactor } from '../../redaction/redactor.js'
import type { McpServers, ServersChange } from '../../sources/mcp/mcp-server.js'
import type { ServerMask } from '../../sources/mcp/guard-credentials.js'
import { serverSettingsOf, type LoadedServers } from './load-servers.js'
import type { CribSettings } from '../crib-settings.js'
import { createTrustGuard, type TrustGuard } from '../../platform/trust/trust-guard.js'

export interface OpenServersOptions {
  /** Only these; absent: all of the config. */
  only?: readonly string[] | undefined
  env?: NodeJS.ProcessEnv
  clientInfo?: { readonly name: string; readonly version: string } | undefined
  /** Whether servers may come later, so that there is something to put them into. No, unless said. */
  mayChange?: boolean | undefined
  /** Told of what goes wrong where nobody waits for an answer. */
  onProblem?: ((message: string) => void) | undefined
}

export interface OpenedServers extends LoadedServers {
  /** Absent where there is none to connect to. Whoever opened them closes them. */
  mcp: McpServers | undefined
  /** The tokens in use, which must not show either. */
  live: LiveSecrets
  /** Puts the servers of a config that was changed in place of those that it has, and says what is wrong with others. */
  renew(settings: CribSettings): RenewedServers
}

export interface RenewedServers extends Pick<LoadedServers, 'problems'> {
  change: ServersChange
}

/** The servers of a config. Nothing is connected to before a crib opens their sources, or somebody waits for them. */
export async function openServers(
  settings: CribSettings,
  { only, env = process.env, clientInfo, mayChange, onProblem }: OpenServersOptions = {},
): Promise<OpenedServers> {
  const loaded = serverSettingsOf(settings, env)
  const wanted = Object.entries(loaded.servers).filter(([name]) => !only || only.includes(name))
  const problems = loaded.problems.filter(({ server }) => !only || only.includes(server))
  const live = createLiveSecrets()
  const opened = { ...loaded, problems, mcp: undefined, live, renew: () => NOTHING_CHANGED }
  if (wanted.length === 0 && mayChange !== true) return opened
  // Who has no server pays for none.
  const { createMcpServers } = await import('../../sources/mcp/create-mcp-servers.js')
  const { serverCredentials } = await import('./server-credentials.js')
  const { WrongSettings } = await import('../../sources/mcp/wrong-settings.js')
  let guard = oncePerTurn(createTrustGuard(settings.configPath, settings.config))
  const mcp = createMcpServers(Object.fromEntries(wanted), {
    // Each time anew: what is started may be another program than the one that was trusted.
    async connect(given) {
      const why = guard()
      if (why !== undefined) throw new WrongSettings(`It is not started, for ${why}: ${ownCommand('trust')}`)
      return (await import('../../sources/mcp/connect.js')).connect(given)
    },
    credentialsFor: serverCredentials({ env, secrets: opened.live }),
    mask: serverMask(opened),
    ...(clientInfo && { clientInfo }),
    ...(onProblem && { onProblem }),
  })

  function renew(next: CribSettings): RenewedServers {
    const found = serverSettingsOf(next, env)
    guard = oncePerTurn(createTrustGuard(next.configPath, next.config))
    for (const secret of found.secrets.filter((each) => !opened.secrets.includes(each))) {
      opened.secrets.push(secret)
      // The redactors of the crib were made before.
      live.add(secret)
    }
    return { problems: found.problems, change: mcp.replace(found.servers) }
  }

  return { ...opened, mcp, renew }
}

/** For servers that are started together: a process takes longer to start than the look at the files lasts. */
function oncePerTurn(guard: TrustGuard): TrustGuard {
  let answer: { readonly why: string | undefined } | undefined
  return () => {
    if (!answer) {
      answer = { why: guard() }
      setImmediate(() => (answer = undefined))
    }
    return answer.why
  }
}

const NOTHING_CHANGED: RenewedServers = { problems: [], change: { added: [], edited: [], removed: [] } }

/** Tokens go out of everything; what a config calls secret, which may be a common word, only out of what is said about a server. */
function serverMask({ secrets, live }: Pick<OpenedServers, 'secrets' | 'live'>): ServerMask {
  const tokens = createRedactor({ patterns: false, live })
  return {
    text: (text) => tokens.text(text, secrets),
    value: (value) => tokens.value(value),
  }
}

/** Whether a config names servers at all. */
export function hasServers({ config }: Pick<CribSettings, 'config'>): boolean {
  return Object.keys(config.mcpServers ?? {}).length > 0
}
