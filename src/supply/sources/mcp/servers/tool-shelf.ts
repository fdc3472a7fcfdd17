import { createHash } from 'node:crypto'
import type { JsonObject } from '../../../../foundation/mcp/json-rpc.js'
import { createTurns } from '../../../../foundation/turns/create-turns.js'
import { nextTurn } from '../../../../foundation/turns/next-turn.js'
import type { ToolDraft } from '../../../catalog/tool-draft.js'
import type { ServerFacts } from '../connection.js'
import type { SourceHouse } from '../../source.js'
import { listNotes, type ServerNote } from './list-notes.js'
import type { LeftOut, Listed } from './list-pages.js'
import {
  acceptNew,
  asAccepted,
  changedIn,
  changeKept,
  changeOf,
  definitionsOf,
  NOTHING_KEPT,
  readKept,
  type ChangedTool,
  type KeptTools,
} from './pins.js'
import { safeServerName, safeToolName } from './safe-name.js'
import { withoutBadHeaders } from './without-bad-headers.js'
import { whyWild, withoutWildSchemas } from './without-wild-schemas.js'
import { prepareList } from './prepare-list.js'
import { canonicalOf, parseTool, type ToolDefinition } from './tool-definition.js'
import { toDraft, type DraftOrigin } from './to-draft.js'

export interface ToolShelfOptions extends Pick<
  DraftOrigin,
  'server' | 'isTrusted' | 'reach' | 'timeoutMs' | 'call'
> {
  onProblem(message: string): void
}

/** The tools of one server: what it listed, what of that was accepted, and the drafts made of both. */
export interface ToolShelf {
  /** Whether a list is known, from this run or an earlier one. */
  readonly isStocked: boolean
  /** What the server said to whoever connects, in this run or an earlier one. */
  readonly instructions: string | undefined
  open(house: SourceHouse): Promise<void>
  /** Makes the drafts of a long list ahead, with turns for others in between. */
  prepare(entries: readonly JsonObject[], protocolVersion: string): Promise<void>
  /** Throws where no tools can be made of it; then nothing has changed. */
  learn(
    listed: Pick<Listed, 'entries' | 'leftOut'>,
    facts: Pick<ServerFacts, 'protocolVersion' | 'instructions'>,
  ): void
  drafts(): readonly ToolDraft[]
  changed(): readonly ChangedTool[]
  /** Why a tool that is listed like this may not be called; nothing where it is what was accepted. */
  whyBlocked(tool: ToolDefinition): string | undefined
  notes(): readonly ServerNote[]
  watch(listener: () => void): () => void
  close(): Promise<void>
}

/** Stores tell of every write of anybody: reading again for each would be much work for nothing. */
const LOOK_AGAIN_MS = 200
/** Lists of more than this are taken over in a turn of their own. */
const MANY = 200
/** How long what is being written is waited for at the end. */
const WRITE_MS = 5_000
/** More of it is shown to nobody. */
const MAX_INSTRUCTIONS_CHARS = 2_000

export function createToolShelf(options: ToolShelfOptions): ToolShelf {
  const { server, isTrusted, reach, timeoutMs, call, onProblem } = options
  const listeners = new Set<() => void>()
  let house: SourceHouse | undefined
  let kept: KeptTools = NOTHING_KEPT
  let isListed = false
  let unshown: readonly LeftOut[] = []
  let drafts: readonly ToolDraft[] = []
  let shown: { kept: KeptTools; text: string } | undefined
  let changed: readonly ChangedTool[] = []
  let writing: Promise<void> = Promise.resolve()
  let stopWatching: (() => void) | undefined
  let lookTimer: NodeJS.Timeout | undefined
  let isClosed = false
  const judged = new WeakMap<ToolDefinition, { accepted: KeptTools['accepted']; why: string | undefined }>()

  const plain = new WeakMap<JsonObject, { protocolVersion: string | undefined; draft: ToolDraft }>()

  /** What cannot be made into tools is not remembered either. */
  function rebuild(next: KeptTools): void {
    if (shown?.kept === next) return
    const text = textOf(next)
    const isNews = text !== shown?.text
    if (isNews) {
      drafts = draftsOf(next)
      changed = changedIn(next)
    }
    shown = { kept: next, text }
    kept = next
    if (!isNews) return
    watchIfBlocked()
    for (const listener of listeners) listener()
  }

  function draftsOf(from: KeptTools): readonly ToolDraft[] {
    const made = new Map<string, ToolDraft>()
    for (const tool of definitionsOf(from)) {
      const change = changeOf(from, tool)
      const draft = change
        ? draftOf(
            asAccepted(from, tool),
            from.protocolVersion,
            sayChange(change.changed, toolIdOf(server, tool.name)),
          )
        : plainDraft(tool, from.protocolVersion)
      if (!made.has(draft.name)) made.set(draft.name, draft)
    }
    return [...made.values()]
  }

  function draftOf(tool: ToolDefinition, protocolVersion: string | undefined, changed?: string): ToolDraft {
    return toDraft(tool, { server, isTrusted, reach, timeoutMs, call, protocolVersion, changed })
  }

  /** Of a tool that is what was accepted; the same one as long as it is the same entry of the list. */
  function plainDraft(tool: ToolDefinition, protocolVersion: string | undefined): ToolDraft {
    const before = plain.get(tool.raw)
    if (before && before.protocolVersion === protocolVersion) return before.draft
    const draft = draftOf(tool, protocolVersion)
    plain.set(tool.raw, { protocolVersion, draft })
    return draft
  }

  function whyBlocked(tool: ToolDefinition): string | undefined {
    const before = judged.get(tool)
    if (before?.accepted === kept.accepted) return before.why
    const change = changeOf(kept, tool)
    const why = change && sayChange(change.changed, toolIdOf(server, tool.name))
    judged.set(tool, { accepted: kept.accepted, why })
    return why
  }

  /** What others accepted meanwhile counts; what is new is accepted as it is. */
  function keep(): void {
    if (!house) return
    const into = house
    writing = writing
      .then(async () => {
        const { list, protocolVersion, instructions, accepted } = kept
        const written = await changeKept(into, server, async (stored) => {
          await prepareList([...stored.list, ...stored.accepted.values()])
          const joined = new Map([...(stored.isUnreadable ? [] : accepted), ...stored.accepted])
          const next = { ...stored, list, protocolVersion, instructions, accepted: joined }
          return isSameKept(stored, next) ? stored : next
        })
        if (written.list.length > MANY) await nextTurn()
        rebuild(written)
      })
      .catch((error: unknown) =>
        onProblem(`What the server "${server}" lists could not be kept: ${String(error)}`),
      )
  }

  /** Only who waits to be accepted has to hear of what is written. */
  function watchIfBlocked(): void {
    if (changed.length > 0 && house && !isClosed) stopWatching ??= house.watch(lookAgain)
    else stopLooking()
  }

  function stopLooking(): void {
    stopWatching?.()
    stopWatching = undefined
    clearTimeout(lookTimer)
    lookTimer = undefined
  }

  function lookAgain(): void {
    if (lookTimer || !house) return
    const from = house
    lookTimer = setTimeout(() => {
      lookTimer = undefined
      readKept(from, server).then(
        ({ accepted, isUnreadable }) => {
          rebuild({ ...kept, accepted, isUnreadable })
        },
        () => {},
      )
    }, LOOK_AGAIN_MS)
    lookTimer.unref()
  }

  return {
    get isStocked() {
      return isListed || kept.list.length > 0
    },
    get instructions() {
      return kept.instructions
    },
    async open(opened) {
      const found = await readKept(opened, server)
      house = opened
      if (isListed) {
        watchIfBlocked()
        return keep()
      }
      if (found.isUnreadable) onProblem(`What was accepted of the server "${server}" cannot be read.`)
      rebuild(found)
    },
    async prepare(entries, protocolVersion) {
      if (entries.length <= MANY) return
      const turns = createTurns()
      for (const entry of entries) {
        const tool = whyWild(entry) === undefined ? parseTool(entry) : undefined
        if (tool) plainDraft(tool, protocolVersion)
        await turns.due()
      }
    },
    learn({ entries, leftOut }, { protocolVersion, instructions: said }) {
      const bounded = withoutWildSchemas(entries)
      const usable = withoutBadHeaders(bounded.entries, protocolVersion)
      const list = usable.entries
      const instructions = said?.slice(0, MAX_INSTRUCTIONS_CHARS)
      rebuild(acceptNew({ ...kept, list, protocolVersion, instructions }, definitionsOf({ list })))
      unshown = [...leftOut, ...bounded.leftOut, ...usable.leftOut]
      isListed = true
      keep()
    },
    drafts: () => drafts,
    changed: () => changed,
    whyBlocked,
    notes: () => listNotes(kept.list, server, unshown),
    watch(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      isClosed = true
      stopLooking()
      listeners.clear()
      let timer: NodeJS.Timeout | undefined
      const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, WRITE_MS)))
      await Promise.race([writing, patience])
      clearTimeout(timer)
    },
  }
}

function isSameKept(a: KeptTools, b: KeptTools): boolean {
  return a.instructions === b.instructions && textOf(a) === textOf(b)
}

/** A list that says the same has the same text. */
function textOf({ list, protocolVersion, accepted }: KeptTools): string {
  const entries = [...list, ...accepted.values()].map(canonicalOf)
  return `${list.length} ${protocolVersion} ${createHash('sha256').update(entries.join('\n')).digest('hex')}`
}

export function toolIdOf(server: string, tool: string): string {
  return `mcp.${safeServerName(server)}.${safeToolName(tool)}`
}

function sayChange(changed: readonly string[], toolId: string): string {
  const what = changed.length > 0 ? `changed the ${changed.join(', ')} of` : 'changed'
  return `The server ${what} this tool since it was accepted; look first: "toolcrib tools diff ${toolId}", then accept it: "toolcrib tools accept ${toolId}".`
}
