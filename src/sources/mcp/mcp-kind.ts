import { mcpSection } from '../../platform/config/source-sections.js'
import { ownCommand } from '../../platform/text/own-command.js'
import { createRedactor } from '../../redaction/redactor.js'
import type { LiveSecrets } from '../../redaction/live-secrets.js'
import type { KindEnvironment, OpenedKind, SourceKind } from '../kind.js'
import type { ServerMask } from './guard-credentials.js'
import type { McpServers } from './mcp-server.js'
import type { McpServerSettings } from './server-settings.js'
import { serverSettingsOf, type LoadedServers } from './settings/read-servers.js'
import { serverNamespace } from './tools/safe-name.js'

export interface OpenedMcp extends OpenedKind {
  /** Absent where there is none to connect to, and none may come. */
  readonly mcp: McpServers | undefined
  /** As the config has them now, ready to be connected to. */
  readonly servers: Readonly<Record<string, McpServerSettings>>
}

const START_TIMEOUT_MS = 30_000

/** The servers that MCP clients share a block of settings for. */
export const mcpKind: SourceKind<OpenedMcp> = {
  ...mcpSection,
  isKeptOpen: true,
  check: (file, env) => serverSettingsOf(file, env).problems,
  namespaceOf: serverNamespace,
  async open(settings, environment) {
    const read = readServers(settings, environment)
    // Who has no server pays for none.
    if (Object.keys(read.servers).length === 0 && !environment.mayChange)
      return { ...read, mcp: undefined, sources: [] }
    let { servers } = read
    let { whyUntrusted } = environment
    const secrets = [...read.secrets]
    const { createMcpServers } = await import('./create-mcp-servers.js')
    const { serverCredentials } = await import('./settings/server-credentials.js')
    const { WrongSettings } = await import('./wrong-settings.js')
    const { live, env, clientInfo, onProblem } = environment
    const mcp = createMcpServers(servers, {
      // Each time anew: what is started may be another program than the one that was trusted.
      async connect(given) {
        const why = whyUntrusted()
        if (why !== undefined)
          throw new WrongSettings(`It is not started, for ${why}: ${ownCommand('trust')}`)
        return (await import('./connection/connect.js')).connect(given)
      },
      credentialsFor: serverCredentials({ env, secrets: live }),
      mask: serverMask(secrets, live),
      ...(clientInfo && { clientInfo }),
      onProblem,
    })
    return {
      mcp,
      get servers() {
        return servers
      },
      get sources() {
        return mcp.sources
      },
      problems: read.problems,
      secrets,
      renew(next, now) {
        const found = readServers(next, now)
        ;({ whyUntrusted } = now)
        servers = found.servers
        secrets.push(...found.secrets.filter((secret) => !secrets.includes(secret)))
        return { problems: found.problems, secrets: found.secrets, change: mcp.replace(found.servers) }
      },
      settled: (timeoutMs) => mcp.settled(timeoutMs ?? longestStart(mcp)),
      close: () => mcp.close(),
    }
  },
}

function readServers(settings: unknown, { file, env, only }: KindEnvironment): LoadedServers {
  // Absent where the config is not trusted, or names none yet.
  if (settings === undefined) return { servers: {}, problems: [], secrets: [] }
  const { servers, problems, secrets } = serverSettingsOf(file, env)
  if (!only) return { servers, problems, secrets }
  return {
    servers: Object.fromEntries(Object.entries(servers).filter(([name]) => only.includes(name))),
    problems: problems.filter(({ entry }) => only.includes(entry)),
    secrets,
  }
}

function longestStart({ servers }: McpServers): number {
  const waits = servers
    .filter(({ settings }) => settings.disabled !== true)
    .map(({ settings }) => settings.startTimeoutMs ?? START_TIMEOUT_MS)
  return Math.max(0, ...waits)
}

/** Tokens go out of everything; what a config calls secret, which may be a common word, only out of what is said about a server. */
function serverMask(secrets: readonly string[], live: LiveSecrets): ServerMask {
  const tokens = createRedactor({ patterns: false, live })
  return {
    text: (text) => tokens.text(text, secrets),
    value: (value) => tokens.value(value),
  }
}
