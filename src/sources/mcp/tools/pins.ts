import { isObject } from '../../../platform/json/is-object.js'
import type { JsonObject } from '../protocol/json-rpc.js'
import type { SourceStorage } from '../../source.js'
import { remember } from '../../../platform/json/remember.js'
import { nextTurn } from '../../../platform/async/next-turn.js'
import { diffTool, type ToolDiff } from '../../changes/diff-tool.js'
import { measure } from '../../changes/measure.js'
import { asShown, digestChange, type PendingChange, type ShownChange } from '../../changes/source-changes.js'
import { isSamePin, parseTool, pinnedMembers, toPin, type ToolDefinition } from './tool-definition.js'

/** What the crib stores for a server: its last list, and the accepted definitions. */
export interface KeptTools {
  readonly list: readonly JsonObject[]
  readonly protocolVersion: string | undefined
  /** The server's instructions, for clients that come before it is connected again. */
  readonly instructions: string | undefined
  /** By name. */
  readonly accepted: ReadonlyMap<string, JsonObject>
  /** The stored record could not be read: no tool counts as accepted until a person accepts it. */
  readonly isUnreadable: boolean
}

export const KEPT_KIND = 'mcp_tools'
export const NOTHING_KEPT: KeptTools = {
  list: [],
  protocolVersion: undefined,
  instructions: undefined,
  accepted: new Map(),
  isUnreadable: false,
}
/** The most accepted definitions that are stored for one server. */
const MAX_PINS = 20_000
const MAX_PIN_BYTES = 64 * 1024 * 1024
/** Up to this many, the total size need not be checked, because each is bounded. */
const FEW_PINS = 200

export function parseKept(value: unknown): KeptTools {
  if (!isObject(value) || !Array.isArray(value['list']) || !Array.isArray(value['accepted']))
    return { ...NOTHING_KEPT, isUnreadable: true }
  const { protocolVersion, instructions } = value
  const pins = value['accepted'].flatMap((pin) => parseTool(pin) ?? [])
  return {
    list: value['list'].filter(isObject),
    protocolVersion: typeof protocolVersion === 'string' ? protocolVersion : undefined,
    instructions: typeof instructions === 'string' ? instructions : undefined,
    accepted: new Map(pins.map((pin) => [pin.name, toPin(pin)])),
    isUnreadable: value['isUnreadable'] === true,
  }
}

/** Tools that were never seen before are accepted as they are, as long as there is space. */
export function acceptNew(kept: KeptTools, tools: readonly ToolDefinition[]): KeptTools {
  if (kept.isUnreadable) return kept
  const fresh = tools.filter(({ name }) => !kept.accepted.has(name))
  if (fresh.length === 0) return kept
  const accepted = new Map(kept.accepted)
  let bytes = fresh.length + accepted.size > FEW_PINS ? bytesOf(accepted.values()) : 0
  for (const tool of fresh) {
    const pin = toPin(tool)
    bytes += bytesOf([pin])
    // No old pin is dropped for a new one: a server could remove a pin by listing new names. A person may still accept.
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

/** Approximate size in bytes. */
export const pinBytes = remember((pin: JsonObject): number => {
  const size = measure(pin, { maxDepth: Infinity, maxBytes: Infinity })
  return typeof size === 'number' ? size : 0
})

/** How a tool differs from its accepted definition; undefined where it does not. */
export function changeOf(kept: KeptTools, tool: ToolDefinition): ToolDiff | undefined {
  const pin = kept.accepted.get(tool.name)
  const now = toPin(tool)
  if (pin && isSamePin(pin, now)) return undefined
  return diffTool(pin ?? {}, now, { members: pinnedMembers })
}

/** The accepted definition of the tool: changes since are not shown to any model. */
export function asAccepted({ accepted }: KeptTools, tool: ToolDefinition): ToolDefinition {
  const pin = accepted.get(tool.name)
  return (
    (pin && parseTool(pin)) ?? { ...tool, title: undefined, description: undefined, raw: { name: tool.name } }
  )
}

/** Tools of a server whose changes need to be accepted. */
export async function changedTools(storage: SourceStorage, server: string): Promise<PendingChange[]> {
  return pendingIn(await readKept(storage, server))
}

type Pending = PendingChange & { readonly tool: ToolDefinition }

function pendingIn(kept: KeptTools): Pending[] {
  return definitionsOf(kept).flatMap((tool) => {
    const diff = changeOf(kept, tool)
    const { name } = tool
    return diff ? [{ name, diff, digest: digestChange(kept.accepted.get(name), toPin(tool)), tool }] : []
  })
}

/**
 * Accepts exactly the changes that were shown, in what the server last listed. If one of them is another by now, nothing
 * is accepted and the answer is undefined. Otherwise resolves with the names of the tools, once that is durable.
 */
export async function acceptTools(
  storage: SourceStorage,
  server: string,
  shown: readonly ShownChange[],
): Promise<readonly string[] | undefined> {
  let names: string[] | undefined
  await changeKept(storage, server, (kept) => {
    const pending = pendingIn(kept)
    const chosen = asShown(pending, shown)
    names = chosen?.map(({ name }) => name)
    if (!chosen || chosen.length === 0) return kept
    const pins = chosen.map(({ name, tool }) => [name, toPin(tool)] as const)
    const accepted = new Map([...kept.accepted, ...pins])
    return { ...kept, accepted, isUnreadable: kept.isUnreadable && chosen.length < pending.length }
  })
  return names
}

export async function readKept(storage: SourceStorage, server: string): Promise<KeptTools> {
  const found = await storage.read(KEPT_KIND, server)
  return found ? parseKept(found.value) : NOTHING_KEPT
}

/** Reads, changes and writes; repeats it where another process wrote in between. */
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

/** Of two tools with one name the first counts, as for calls. */
export function definitionsOf({ list }: Pick<KeptTools, 'list'>): ToolDefinition[] {
  const tools = new Map<string, ToolDefinition>()
  for (const raw of list) {
    const tool = parseTool(raw)
    if (tool && !tools.has(tool.name)) tools.set(tool.name, tool)
  }
  return [...tools.values()]
}
