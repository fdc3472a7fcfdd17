import { createHash } from 'node:crypto'
import { mcpSection } from '../../platform/config/source-sections.js'
import { ownCommand } from '../../platform/text/own-command.js'
import { createRedactor } from '../../redaction/redactor.js'
import type { LiveSecrets } from '../../redaction/live-secrets.js'
import type { KindEnvironment, OpenedKind, SourceKind } from '../kind.js'
import type { SourceStatus } from '../source.js'
import type { ServerMask } from './guard-credentials.js'
import type { McpServer, McpServers } from './mcp-server.js'
import type { McpServerSettings } from './server-settings.js'
import type { SeenServer, ServerSnapshot } from './servers/server-snapshot.js'
import { serverSettingsOf, type LoadedServers } from './settings/read-servers.js'
import { tokenFolder } from '../../credentials/oauth/token-folder.js'
import { safeToolName, serverNamespace } from './tools/safe-name.js'

export interface OpenedMcp extends OpenedKind {
  /** Absent where there is no server and none can be added. */
  readonly mcp: McpServers | undefined
  /** The current servers of the config, with resolved settings. */
  readonly servers: Readonly<Record<string, McpServerSettings>>
  /** The servers, for inspection. */
  readonly seen: readonly SeenServer[]
}

const START_TIMEOUT_MS = 30_000

/** Servers under `mcpServers`, the settings block that MCP clients share. */
export const mcpKind: SourceKind<OpenedMcp> = {
  ...mcpSection,
  isKeptOpen: true,
  check: (file, env) => serverSettingsOf(file, env).problems,
  namespaceOf: serverNamespace,
  secretPaths: () => [tokenFolder()],
  changes: {
    list: async (storage, entry) => (await import('./tools/pins.js')).changedTools(storage, entry),
    accept: async (storage, entry, shown) =>
      (await import('./tools/pins.js')).acceptTools(storage, entry, shown),
    safeName: safeToolName,
  },
  async open(settings, environment) {
    const read = readServers(settings, environment)
    // Without servers nothing is loaded.
    if (Object.keys(read.servers).length === 0 && !environment.mayChange)
      return { ...read, mcp: undefined, sources: [], seen: [] }
    let { servers } = read
    let { whyUntrusted } = environment
    const secrets = [...read.secrets]
    const { createMcpServers } = await import('./create-mcp-servers.js')
    const { serverCredentials } = await import('./settings/server-credentials.js')
    const { WrongSettings } = await import('./wrong-settings.js')
    const { live, env, clientInfo, onProblem } = environment
    const mcp = createMcpServers(servers, {
      // Checked on each start: the program may have changed since it was trusted.
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
      get seen() {
        return mcp.servers
      },
      get sources() {
        return mcp.sources
      },
      problems: read.problems,
      secrets,
      status: () => mcp.servers.map(statusOf),
      fromSnapshots: (snapshots: readonly ServerSnapshot[]) =>
        openSnapshots(
          snapshots.filter(({ name }) => mcp.get(name)),
          { servers, problems: read.problems, secrets },
        ),
      startDigests: () =>
        Object.fromEntries(Object.entries(servers).map(([name, each]) => [name, startDigest(each)])),
      firstLists: () => firstLists(mcp.servers),
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
  // Absent where the config is not trusted or has no servers yet.
  if (settings === undefined) return { servers: {}, problems: [], secrets: [] }
  const { servers, problems, secrets } = serverSettingsOf(file, env)
  if (!only) return { servers, problems, secrets }
  return {
    servers: Object.fromEntries(Object.entries(servers).filter(([name]) => only.includes(name))),
    problems: problems.filter(({ entry }) => only.includes(entry)),
    secrets,
  }
}

function statusOf({ source, health }: SeenServer): SourceStatus {
  const now = health()
  const about = { name: source.name, tools: now.tools, restarts: now.restarts }
  switch (now.state) {
    case 'connecting':
      return { ...about, state: 'connecting', said: now.said }
    case 'failed':
      return {
        ...about,
        state: 'failed',
        problem: now.reason,
        nextRetryAt: now.nextRetryAt,
        said: now.said,
      }
    case 'disabled':
      return { ...about, state: 'disabled' }
    // Its tools can be called.
    case 'ready':
    case 'idle':
    case 'degraded':
      return { ...about, state: 'ready' }
  }
}

/** Servers that another process is connected to. */
async function openSnapshots(
  snapshots: readonly ServerSnapshot[],
  known: Pick<OpenedMcp, 'servers' | 'problems' | 'secrets'>,
): Promise<OpenedMcp> {
  const { serverFromSnapshot } = await import('./servers/server-snapshot.js')
  const seen = snapshots.map((snapshot) => serverFromSnapshot(snapshot, known.servers[snapshot.name]!))
  return {
    ...known,
    mcp: undefined,
    seen,
    sources: seen.map(({ source }) => source),
    status: () => seen.map(statusOf),
  }
}

/** Leaves out variables and headers: they may be secrets. */
function startDigest({ command, args, cwd, url, type }: McpServerSettings): string {
  const parts = JSON.stringify([command, args, cwd, url, type])
  return createHash('sha256').update(parts).digest('hex')
}

/** A server whose list is known from an earlier run is not awaited. */
export function firstLists(
  servers: readonly Pick<McpServer, 'health' | 'knowsTools' | 'settled'>[],
): Promise<void> | undefined {
  const coming = servers.filter((server) => server.health().state === 'connecting' && !server.knowsTools())
  if (coming.length === 0) return undefined
  return Promise.all(coming.map((server) => server.settled())).then(() => {})
}

function longestStart({ servers }: McpServers): number {
  const waits = servers
    .filter(({ settings }) => settings.disabled !== true)
    .map(({ settings }) => settings.startTimeoutMs ?? START_TIMEOUT_MS)
  return Math.max(0, ...waits)
}

/**
 * Tokens are masked everywhere. Secrets of the config may be common words: they are masked only in messages about a
 * server.
 */
function serverMask(secrets: readonly string[], live: LiveSecrets): ServerMask {
  const tokens = createRedactor({ patterns: false, live })
  return {
    text: (text) => tokens.text(text, secrets),
    value: (value) => tokens.value(value),
  }
}
