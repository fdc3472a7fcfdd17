import { canonicalJson } from '../../../platform/json/canonical-json.js'
import { remember } from '../../../platform/json/remember.js'
import { sha256 } from '../../../platform/json/sha256.js'
import { acceptedDefinitions } from '../../changes/accepted-definitions.js'
import type { ToolDiff } from '../../changes/diff-tool.js'
import type { SourceChanges } from '../../changes/source-changes.js'
import type { SourceStorage } from '../../source.js'
import type { CompiledTool, ToolTransport } from '../compiled.js'

/** The last comparison of a folder. A write to it wakes those who wait for a person. */
export const STATE_KIND = 'tool_file_state'

/** What a tool file says about where its calls go, what runs, and which secret is sent. */
interface AcceptedTool {
  readonly name: string
  readonly type: CompiledTool['type']
  readonly transport?: ToolTransport | undefined
  readonly sql?: string | undefined
  readonly avro?: unknown
}

const accepting = acceptedDefinitions<AcceptedTool>({
  stateKind: STATE_KIND,
  acceptedKind: 'tool_file_accepted',
  member: 'tool',
  members: { type: 'type', transport: 'transport', sql: 'SQL', avro: 'Avro schema' },
  definitionOf: ({ type, transport, sql, avro }) => ({ type, transport, sql, avro }),
})

export const toolChanges: SourceChanges = accepting.changes

/** A tool that a person has to accept first. */
export interface DifferingTool {
  readonly diff: ToolDiff
  /** Nothing of that name was accepted before. */
  readonly isNew: boolean
}

/**
 * Compares the tools of a folder with what was accepted, and returns those that a person has to accept first, by id.
 * Everything else in a tool file takes effect at once: its texts, schemas and time limits send no secret elsewhere.
 * The tools of a folder that was never seen before are accepted as they are: trust has shown them. Later ones are too,
 * unless they go to another service or with another secret; also in a folder that was empty before.
 * Resolves once that is durable.
 */
export async function compareTools(
  storage: SourceStorage,
  { entry, tools }: { readonly entry: string; readonly tools: readonly CompiledTool[] },
): Promise<ReadonlyMap<string, DifferingTool>> {
  const items = tools.map(toItem)
  const digest = sha256(JSON.stringify(items))
  const state = await accepting.readState(storage, entry)
  if (state?.digest === digest && state.changed.length === 0) return new Map()
  const before = await accepting.read(storage, entry)
  const isSafe = state || before.size > 0 ? newcomerTest([...before.values()]) : () => true
  const fresh = items.filter((item) => !before.has(item.name) && isSafe(item))
  const accepted =
    fresh.length === 0 ? before : await accepting.accept(storage, entry, { items: fresh, replaces: false })
  const differing = items.filter((item) => !accepting.isSame(accepted.get(item.name), item))
  const changed = differing.map((item) => ({ item, toolName: item.name }))
  await accepting.writeState(storage, entry, { digest, changed })
  return new Map(
    differing.map((item) => {
      const known = accepted.get(item.name)
      return [item.name, { isNew: known === undefined, diff: accepting.diff(known, item) }]
    }),
  )
}

const toItem = remember(({ toolId, type, transport, sql, avro }: CompiledTool): AcceptedTool => {
  const { timeout_ms: _, ...stable } = transport ?? {}
  return {
    name: toolId,
    type,
    ...(transport && { transport: stable as ToolTransport }),
    ...(sql !== undefined && { sql }),
    ...(avro !== undefined && { avro }),
  }
})

/**
 * Whether a new tool may be accepted by itself: it goes where others go, with the same secret. Otherwise anyone who can
 * add a file could send a secret of this machine elsewhere, or reach other services of its network.
 */
function newcomerTest(accepted: readonly AcceptedTool[]): (tool: AcceptedTool) => boolean {
  const known = new Set(accepted.map(({ transport }) => targetOf(transport)))
  return ({ transport }) => !transport || known.has(targetOf(transport))
}

function targetOf(transport: ToolTransport | undefined): string {
  return transport ? canonicalJson([transport.type, serviceOf(transport), transport.credentials]) : ''
}

function serviceOf(transport: ToolTransport): unknown {
  switch (transport.type) {
    case 'rest-api':
      return originOf(transport.base_url)
    case 'mcp':
      return originOf(transport.url)
    case 'lambda':
      return [transport.provider, transport.function_id]
    case 'message-queue':
      return [transport.provider, transport.queue_url, transport.response_queue_url]
    case 'database':
      return transport.engine
  }
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url
}
