import { createHash } from 'node:crypto'
import { withTimeLimit } from '../../../platform/async/with-time-limit.js'
import type { JsonObject } from '../protocol/json-rpc.js'
import { createTurns } from '../../../platform/async/create-turns.js'
import { nextTurn } from '../../../platform/async/next-turn.js'
import { atOnce, inTurns, type Steps } from '../../../platform/async/steps.js'
import type { ToolDraft } from '../../../catalog/tool-draft.js'
import { changeSentence } from '../../changes/tool-changed.js'
import type { ChangedTool } from '../../changes/source-changes.js'
import type { SourceStorage } from '../../source.js'
import type { ListedTools } from '../mcp-server.js'
import { learnList, type UpdatedList, type HandshakeFacts } from './learn-list.js'
import { listNotes, type ServerNote } from './list-notes.js'
import type { LeftOut, Listed } from './list-pages.js'
import {
  asAccepted,
  changeKept,
  changeOf,
  definitionsOf,
  KEPT_KIND,
  NOTHING_KEPT,
  readKept,
  type KeptTools,
} from './pins.js'
import { safeToolName, serverNamespace } from './safe-name.js'
import { prepareList } from './prepare-list.js'
import { type ToolDefinition, digestOf } from './tool-definition.js'
import { toDraft, type DraftOrigin } from './to-draft.js'

export interface ToolListOptions extends Pick<
  DraftOrigin,
  'server' | 'isTrusted' | 'reach' | 'timeoutMs' | 'call'
> {
  onProblem(message: string): void
}

/** The tools of one server: its last list, the accepted definitions, and the drafts made from both. */
export interface ToolList {
  /** Whether a list is known, from this run or an earlier one. */
  readonly isFilled: boolean
  /** The server's instructions, from this run or an earlier one. */
  readonly instructions: string | undefined
  open(storage: SourceStorage): Promise<void>
  /** Makes the drafts of a long list in advance, and yields in between. */
  prepare(entries: readonly JsonObject[], facts: HandshakeFacts): Promise<void>
  /** Throws where no tools can be made from it; then nothing has changed. */
  learn(listed: Pick<Listed, 'entries' | 'leftOut'>, facts: HandshakeFacts): void
  drafts(): readonly ToolDraft[]
  listed(): ListedTools
  changed(): readonly ChangedTool[]
  /** Why a tool with this listed definition may not be called; undefined where it is the accepted one. */
  whyBlocked(tool: ToolDefinition): string | undefined
  notes(): readonly ServerNote[]
  watch(listener: () => void): () => void
  close(): Promise<void>
}

/** Stores notify of every write by any process: reading again for each would be wasteful. */
const LOOK_AGAIN_MS = 200
/** Longer lists are taken over in steps, with yields in between. */
const MANY = 200
/** How long pending writes are awaited on close. */
const WRITE_MS = 5_000

/** What is kept, in the form that is shown. */
interface ShownTools {
  readonly kept: KeptTools
  readonly text: string
  readonly drafts: readonly ToolDraft[]
  readonly changed: readonly ChangedTool[]
}

export function createToolList(options: ToolListOptions): ToolList {
  const { server, isTrusted, reach, timeoutMs, call, onProblem } = options
  const listeners = new Set<() => void>()
  let storage: SourceStorage | undefined
  let kept: KeptTools = NOTHING_KEPT
  let isListed = false
  let unshown: readonly LeftOut[] = []
  let shown: ShownTools | undefined
  /** Made in advance. */
  let ready: ShownTools | undefined
  let learning: UpdatedList | undefined
  let writing: Promise<void> = Promise.resolve()
  let stopWatching: (() => void) | undefined
  let lookTimer: NodeJS.Timeout | undefined
  let isClosed = false
  const judged = new WeakMap<ToolDefinition, { accepted: KeptTools['accepted']; why: string | undefined }>()

  const plain = new WeakMap<JsonObject, { protocolVersion: string | undefined; draft: ToolDraft }>()

  /** A list that cannot be made into tools is not stored either. */
  function rebuild(next: KeptTools): void {
    if (shown?.kept === next) return
    const made = ready?.kept === next ? ready : atOnce(shownOf(next))
    const isChanged = made.text !== shown?.text
    ready = undefined
    shown = isChanged ? made : { ...shown!, kept: next }
    kept = next
    if (!isChanged) return
    watchIfBlocked()
    for (const listener of listeners) listener()
  }

  /** The same with yields, for long lists. `choose` is called again if the tools were changed meanwhile. */
  async function rebuildInTurns(choose: () => KeptTools): Promise<void> {
    const before = kept
    const next = choose()
    if (next.list.length <= MANY) return rebuild(next)
    ready = await inTurns(shownOf(next))
    rebuild(kept === before ? next : choose())
  }

  function* shownOf(from: KeptTools): Steps<ShownTools> {
    const text = yield* keptText(from)
    if (text === shown?.text) return { ...shown, kept: from }
    const drafts = new Map<string, ToolDraft>()
    const changed: ChangedTool[] = []
    for (const tool of definitionsOf(from)) {
      yield
      const diff = changeOf(from, tool)
      if (diff) changed.push({ name: tool.name, diff })
      const draft = diff
        ? draftOf(asAccepted(from, tool), from.protocolVersion, whyChanged(diff.changed, tool))
        : plainDraft(tool, from.protocolVersion)
      if (!drafts.has(draft.name)) drafts.set(draft.name, draft)
    }
    return { kept: from, text, drafts: [...drafts.values()], changed }
  }

  function whyChanged(changed: readonly string[], { name }: ToolDefinition): string {
    return changeSentence({ noun: 'server', changed, toolId: toolIdOf(server, name) })
  }

  function draftOf(tool: ToolDefinition, protocolVersion: string | undefined, changed?: string): ToolDraft {
    return toDraft(tool, { server, isTrusted, reach, timeoutMs, call, protocolVersion, changed })
  }

  /** The draft of an accepted tool; the same object for the same entry of the list. */
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
    const why = change && whyChanged(change.changed, tool)
    judged.set(tool, { accepted: kept.accepted, why })
    return why
  }

  /** Definitions that other processes accepted meanwhile count; new tools are accepted as they are. */
  function keep(): void {
    if (!storage) return
    const into = storage
    writing = writing
      .then(async () => {
        const mine = kept
        const { list, protocolVersion, instructions, accepted } = mine
        if (list.length > MANY) await nextTurn()
        const written = await changeKept(into, server, async (stored) => {
          await prepareList([...stored.list, ...stored.accepted.values()])
          const joined = new Map([...(stored.isUnreadable ? [] : accepted), ...stored.accepted])
          const next = { ...stored, list, protocolVersion, instructions, accepted: joined }
          return (await inTurns(isSameKept(stored, next))) ? stored : next
        })
        // Another list may have been loaded meanwhile: the accepted definitions count for it too.
        await rebuildInTurns(() => (kept === mine ? written : withAccepted(kept, written)))
      })
      .catch((error: unknown) =>
        onProblem(`What the server "${server}" lists could not be kept: ${String(error)}`),
      )
  }

  /** The store is watched only while changed tools wait to be accepted. */
  function watchIfBlocked(): void {
    if (shown && shown.changed.length > 0 && storage && !isClosed)
      stopWatching ??= storage.watch(KEPT_KIND, lookAgain)
    else stopLooking()
  }

  function stopLooking(): void {
    stopWatching?.()
    stopWatching = undefined
    clearTimeout(lookTimer)
    lookTimer = undefined
  }

  function lookAgain(): void {
    if (lookTimer || !storage) return
    const from = storage
    lookTimer = setTimeout(() => {
      lookTimer = undefined
      readKept(from, server)
        .then(({ accepted, isUnreadable }) => rebuildInTurns(() => ({ ...kept, accepted, isUnreadable })))
        .catch(() => {})
    }, LOOK_AGAIN_MS)
    lookTimer.unref()
  }

  return {
    get isFilled() {
      return isListed || kept.list.length > 0
    },
    get instructions() {
      return kept.instructions
    },
    async open(opened) {
      const found = await readKept(opened, server)
      storage = opened
      if (isListed) {
        watchIfBlocked()
        return keep()
      }
      if (found.isUnreadable) onProblem(`What was accepted of the server "${server}" cannot be read.`)
      rebuild(found)
    },
    async prepare(entries, facts) {
      if (entries.length <= MANY) return
      const turns = createTurns()
      const made = await inTurns(learnList(kept, entries, facts), turns)
      learning = made
      ready = await inTurns(shownOf(made.next), turns)
    },
    learn({ entries, leftOut }, facts) {
      const isReady = learning?.entries === entries && learning.facts === facts && learning.base === kept
      const made = isReady ? learning! : atOnce(learnList(kept, entries, facts))
      learning = undefined
      rebuild(made.next)
      unshown = [...leftOut, ...made.leftOut]
      isListed = true
      keep()
    },
    drafts: () => shown?.drafts ?? [],
    listed: () => ({ entries: kept.list, protocolVersion: kept.protocolVersion }),
    changed: () => shown?.changed ?? [],
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
      await withTimeLimit(writing, WRITE_MS)
    },
  }
}

function withAccepted(kept: KeptTools, { accepted, isUnreadable }: KeptTools): KeptTools {
  return { ...kept, accepted: new Map([...kept.accepted, ...accepted]), isUnreadable }
}

export function toolIdOf(server: string, tool: string): string {
  return `${serverNamespace(server)}.${safeToolName(tool)}`
}

/** A short digest, equal for equal content. */
function* keptText({ list, protocolVersion, accepted }: KeptTools): Steps<string> {
  const hash = createHash('sha256')
  for (const entries of [list, accepted.values()])
    for (const entry of entries) {
      hash.update(digestOf(entry))
      yield
    }
  return `${list.length} ${protocolVersion} ${hash.digest('hex')}`
}

function* isSameKept(a: KeptTools, b: KeptTools): Steps<boolean> {
  return a.instructions === b.instructions && (yield* keptText(a)) === (yield* keptText(b))
}
