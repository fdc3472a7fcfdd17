import { isJsonObject, type JsonObject } from '../protocol/json-rpc.js'
import type { SourceStorage } from '../../source.js'
import { remember } from '../../../platform/json/remember.js'
import { nextTurn } from '../../../platform/async/next-turn.js'
import { diffTool, type ToolDiff } from './diff-tool.js'
import { measure } from './measure.js'
import { isSamePin, parseTool, toPin, type ToolDefinition } from './tool-definition.js'

/** What the crib keeps of a server: what it last listed, and what of that was accepted. */
export interface KeptTools {
  readonly list: readonly JsonObject[]
  readonly protocolVersion: string | undefined
  /** What it says to whoever connects, for those who come before it is there again. */
  readonly instructions: string | undefined
  /** By name. */
  readonly accepted: ReadonlyMap<string, JsonObject>
  /** What was there could not be read: then nothing counts as accepted until somebody accepts it. */
  readonly isUnreadable: boolean
}

export interface ChangedTool {
  readonly name: string
  readonly diff: ToolDiff
}

export const KEPT_KIND = 'mcp_tools'
export const NOTHING_KEPT: KeptTools = {
  list: [],
  protocolVersion: undefined,
  instructions: undefined,
  accepted: new Map(),
  isUnreadable: false,
}
/** What a server that lists ever new names may have kept of it. */
const MAX_PINS = 20_000
const MAX_PIN_BYTES = 64 * 1024 * 1024
/** Fewer than this cannot be too much, as each is bounded. */
const FEW_PINS = 200

export function parseKept(value: unknown): KeptTools {
  if (!isJsonObject(value) || !Array.isArray(value['list']) || !Array.isArray(value['accepted']))
    return { ...NOTHING_KEPT, isUnreadable: true }
  const { protocolVersion, instructions } = value
  const pins = value['accepted'].flatMap((pin) => parseTool(pin) ?? [])
  return {
    list: value['list'].filter(isJsonObject),
    protocolVersion: typeof protocolVersion === 'string' ? protocolVersion : undefined,
    instructions: typeof instructions === 'string' ? instructions : undefined,
    accepted: new Map(pins.map((pin) => [pin.name, toPin(pin)])),
    isUnreadable: value['isUnreadable'] === true,
  }
}

/** Tools that were never seen before are accepted as they are, as long as there is room. */
export function acceptNew(kept: KeptTools, tools: readonly ToolDefinition[]): KeptTools {
  if (kept.isUnreadable) return kept
  const fresh = tools.filter(({ name }) => !kept.accepted.has(name))
  if (fresh.length === 0) return kept
  const accepted = new Map(kept.accepted)
  let bytes = fresh.length + accepted.size > FEW_PINS ? bytesOf(accepted.values()) : 0
  for (const tool of fresh) {
    const pin = toPin(tool)
    bytes += bytesOf([pin])
    // Nothing old is dropped for it: a server could get rid of a pin by listing new names. A person may still accept.
    if (accepted.size >= MAX_PINS || bytes > MAX_PIN_BYTES) break
    accepted.set(tool.name, pin)
  }
  return { ...kept, accepted }
}

function bytesOf(pins: Iterable<JsonObject>): number {
  let bytes = 0
  for (const pin of pins) bytes += pinBytes(pin)
  return bytes
}

/** About how many bytes it takes. */
export const pinBytes = remember((pin: JsonObject): number => {
  const size = measure(pin, { maxDepth: Infinity, maxBytes: Infinity })
  return typeof size === 'number' ? size : 0
})

/** How a tool differs from what was accepted under its name; nothing where it does not. */
export function changeOf(kept: KeptTools, tool: ToolDefinition): ToolDiff | undefined {
  const pin = kept.accepted.get(tool.name)
  const now = toPin(tool)
  if (pin && isSamePin(pin, now)) return undefined
  return diffTool(pin ?? {}, now)
}

/** The tool as it was accepted: what changed since is not shown to any model. */
export function asAccepted({ accepted }: KeptTools, tool: ToolDefinition): ToolDefinition {
  const pin = accepted.get(tool.name)
  return (
    (pin && parseTool(pin)) ?? { ...tool, title: undefined, description: undefined, raw: { name: tool.name } }
  )
}

/** Tools of a server that wait for somebody to accept what became of them. */
export async function changedTools(storage: SourceStorage, server: string): Promise<ChangedTool[]> {
  return changedIn(await readKept(storage, server))
}

export function changedIn(kept: KeptTools): ChangedTool[] {
  return definitionsOf(kept).flatMap((tool) => {
    const diff = changeOf(kept, tool)
    return diff ? [{ name: tool.name, diff }] : []
  })
}

/**
 * Takes what the server last listed as accepted: one tool by its native name, or all of them. Resolves with the names of
 * those that had changed, once that is durable.
 */
export async function acceptTool(storage: SourceStorage, server: string, name?: string): Promise<string[]> {
  let names: string[] = []
  await changeKept(storage, server, (kept) => {
    const chosen = definitionsOf(kept).filter((tool) => name === undefined || tool.name === name)
    names = chosen.filter((tool) => changeOf(kept, tool)).map((tool) => tool.name)
    const pins = chosen.map((tool) => [tool.name, toPin(tool)] as const)
    const accepted = new Map([...kept.accepted, ...pins])
    return { ...kept, accepted, isUnreadable: kept.isUnreadable && name !== undefined }
  })
  return names
}

export async function readKept(storage: SourceStorage, server: string): Promise<KeptTools> {
  const found = await storage.read(KEPT_KIND, server)
  return found ? parseKept(found.value) : NOTHING_KEPT
}

/** Reads, changes and writes, and again where somebody else wrote meanwhile. */
export async function changeKept(
  storage: SourceStorage,
  server: string,
  change: (kept: KeptTools) => KeptTools | Promise<KeptTools>,
): Promise<KeptTools> {
  return storage.update<KeptTools>(KEPT_KIND, server, async (found) => {
    if (found) await nextTurn()
    const kept = found ? parseKept(found.value) : NOTHING_KEPT
    const next = await change(kept)
    if (next === kept) return { result: kept }
    if (next.list.length > FEW_PINS) await nextTurn()
    return { value: toValue(next), result: next }
  })
}

function toValue({ list, protocolVersion, instructions, accepted, isUnreadable }: KeptTools): JsonObject {
  return {
    version: 1,
    list,
    accepted: [...accepted.values()],
    ...(protocolVersion !== undefined && { protocolVersion }),
    ...(instructions !== undefined && { instructions }),
    ...(isUnreadable && { isUnreadable }),
  }
}

/** Of two tools of one name the first counts, as it does for those who call it. */
export function definitionsOf({ list }: Pick<KeptTools, 'list'>): ToolDefinition[] {
  const tools = new Map<string, ToolDefinition>()
  for (const raw of list) {
    const tool = parseTool(raw)
    if (tool && !tools.has(tool.name)) tools.set(tool.name, tool)
  }
  return [...tools.values()]
}
