import type { JsonObject } from '../protocol/json-rpc.js'
import type { ServerFacts } from '../connection/connection.js'
import type { ListedTools, McpServer, ServerHealth } from '../mcp-server.js'
import type { McpServerSettings } from '../server-settings.js'
import type { Source } from '../../source.js'
import type { ServerNote } from '../tools/list-notes.js'
import type { ChangedTool } from '../../changes/source-changes.js'
import { serverReach } from './server-reach.js'
import { ServerUnavailable } from './server-unavailable.js'
import { createToolList } from '../tools/tool-list.js'

/** The state of a server in another process, as JSON. */
export interface ServerSnapshot {
  readonly name: string
  readonly health: ServerHealth
  readonly facts?: ServerFacts | undefined
  readonly listed: ListedTools
  readonly changed: readonly ChangedTool[]
  readonly notes: readonly ServerNote[]
  readonly stderr: readonly string[]
  /** Present where they were requested; absent for a server that does not answer. */
  readonly prompts?: readonly JsonObject[] | undefined
  readonly resources?: readonly JsonObject[] | undefined
}

/** `withTexts`: also includes its instructions, prompts and resources. */
export async function snapshotOf(server: McpServer, { withTexts = false } = {}): Promise<ServerSnapshot> {
  const { capabilities } = server.facts() ?? {}
  const ask = async (
    kind: 'prompts' | 'resources',
    list: () => Promise<readonly JsonObject[]>,
  ): Promise<readonly JsonObject[] | undefined> =>
    withTexts && capabilities?.[kind] !== undefined ? list().catch(() => undefined) : undefined
  const [prompts, resources] = await Promise.all([
    ask('prompts', () => server.prompts()),
    ask('resources', () => server.resources()),
  ])
  return {
    prompts,
    resources,
    name: server.name,
    health: server.health(),
    facts: server.facts(),
    listed: server.listed(),
    changed: server.changed(),
    notes: server.notes(),
    stderr: server.stderr(),
  }
}

/** The parts of a server that can be inspected. */
export type SeenServer = Pick<
  McpServer,
  'name' | 'settings' | 'health' | 'facts' | 'changed' | 'notes' | 'stderr' | 'prompts' | 'resources'
> & { readonly source: Source }

/** A server that another process is connected to, for inspection here. Its tools are made from the list there. */
export function serverFromSnapshot(snapshot: ServerSnapshot, settings: McpServerSettings): SeenServer {
  const { name, health, listed } = snapshot
  const isPending = (): boolean => health.state === 'connecting'
  const toolList = createToolList({
    server: name,
    isTrusted: settings.trusted === true,
    reach: serverReach(settings),
    timeoutMs: settings.timeoutMs,
    onProblem() {},
    call: () => Promise.reject(new ServerUnavailable(name, 'it is only looked at here')),
  })
  return {
    name,
    settings,
    source: {
      name: `mcp:${name}`,
      entry: name,
      async open(storage) {
        await toolList.open(storage)
        const { entries, protocolVersion } = listed
        if (protocolVersion === undefined) return
        const said = { protocolVersion, instructions: snapshot.facts?.instructions }
        await toolList.prepare(entries, said)
        toolList.learn({ entries, leftOut: [] }, said)
      },
      list: async () => (health.state === 'disabled' ? [] : toolList.drafts()),
      pending: () => (isPending() ? [name] : []),
      close: () => toolList.close(),
    },
    health: () => health,
    facts: () => snapshot.facts,
    changed: () => snapshot.changed,
    notes: () => snapshot.notes,
    stderr: () => snapshot.stderr,
    prompts: async () => snapshot.prompts ?? [],
    resources: async () => snapshot.resources ?? [],
  }
}
