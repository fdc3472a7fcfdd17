import { ownCommand } from '../../../../foundation/text/own-command.js'
import type { JsonObject } from '../../../../foundation/mcp/json-rpc.js'
import { createTurns } from '../../../../foundation/turns/create-turns.js'
import { nextTurn } from '../../../../foundation/turns/next-turn.js'
import { atOnce, inTurns, type Steps } from '../../../../foundation/turns/steps.js'
import type { ToolDraft } from '../../../catalog/tool-draft.js'
import type { SourceHouse } from '../../source.js'
import { isSameKept, keptText } from './kept-text.js'
import { learnList, type LearntList } from './learn-list.js'
import { listNotes, type ServerNote } from './list-notes.js'
import type { LeftOut, Listed } from './list-pages.js'
import {
  asAccepted,
  changeKept,
  changeOf,
  definitionsOf,
  NOTHING_KEPT,
  readKept,
  type ChangedTool,
  type KeptTools,
} from './pins.js'
import { safeServerName, safeToolName } from './safe-name.js'
import { prepareList } from './prepare-list.js'
import type { ToolDefinition } from './tool-definition.js'
import { toDraft, type DraftOrigin } from './to-draft.js'

export interface ToolShelfOptions extends Pick<
  DraftOrigin,
  'server' | 'isTrusted' | 'reach' | 'timeoutMs' | 'call'
> {
  /** Whether the server is connected to for the first time in this run. */
  isPending(): boolean
  onProblem(message: string): void
}

/** The tools of one server: what it listed, what of that was accepted, and the drafts made of both. */
export interface ToolShelf {
  /** Whether a list is known, from this run or an earlier one. */
  readonly isStocked: boolean
  open(house: SourceHouse): Promise<void>
  /** Makes the drafts of a long list ahead, with turns for others in between. */
  prepare(entries: readonly JsonObject[], protocolVersion: string): Promise<void>
  /** Throws where no tools can be made of it; then nothing has changed. */
  learn(listed: Pick<Listed, 'entries' | 'leftOut'>, protocolVersion: string): void
  drafts(): readonly ToolDraft[]
  changed(): readonly ChangedTool[]
  /** Why a tool that is listed like this may not be called; nothing where it is what was accepted. */
  whyBlocked(tool: ToolDefinition): string | undefined
  notes(): readonly ServerNote[]
  /** Looks again whether the drafts have become others. */
  refresh(): void
  watch(listener: () => void): () => void
  close(): Promise<void>
}

/** Stores tell of every write of anybody: reading again for each would be much work for nothing. */
const LOOK_AGAIN_MS = 200
/** Lists of more than this are taken over in a turn of their own. */
const MANY = 200
/** How long what is being written is waited for at the end. */
const WRITE_MS = 5_000

/** What is kept, as others see it. */
interface ShownTools {
  readonly kept: KeptTools
  readonly pending: boolean
  readonly text: string
  readonly drafts: readonly ToolDraft[]
  readonly changed: readonly ChangedTool[]
}

export function createToolShelf(options: ToolShelfOptions): ToolShelf {
  const { server, isTrusted, reach, timeoutMs, call, isPending, onProblem } = options
  const listeners = new Set<() => void>()
  let house: SourceHouse | undefined
  let kept: KeptTools = NOTHING_KEPT
  let isListed = false
  let unshown: readonly LeftOut[] = []
  let shown: ShownTools | undefined
  /** Made ahead: whoever shows it finds it done. */
  let ready: ShownTools | undefined
  let learning: LearntList | undefined
  let writing: Promise<void> = Promise.resolve()
  let stopWatching: (() => void) | undefined
  let lookTimer: NodeJS.Timeout | undefined
  let isClosed = false
  const judged = new WeakMap<ToolDefinition, { accepted: KeptTools['accepted']; why: string | undefined }>()

  const plain = new WeakMap<
    JsonObject,
    { protocolVersion: string | undefined; pending: boolean; draft: ToolDraft }
  >()

  /** What cannot be made into tools is not remembered either. */
  function rebuild(next = kept): void {
    const pending = isPending()
    if (isOf(shown, next, pending)) return
    const made = isOf(ready, next, pending) ? ready! : atOnce(shownOf(next, pending))
    const isNews = made.text !== shown?.text
    ready = undefined
    shown = isNews ? made : { ...shown!, kept: next, pending }
    kept = next
    if (!isNews) return
    watchIfBlocked()
    for (const listener of listeners) listener()
  }

  /** The same with turns for others, where it is much work. `choose` is asked again where others changed it meanwhile. */
  async function rebuildInTurns(choose: () => KeptTools): Promise<void> {
    const before = kept
    const next = choose()
    if (next.list.length <= MANY) return rebuild(next)
    ready = await inTurns(shownOf(next, isPending()))
    rebuild(kept === before ? next : choose())
  }

  function* shownOf(from: KeptTools, pending: boolean): Steps<ShownTools> {
    const text = `${yield* keptText(from)} ${pending}`
    if (text === shown?.text) return { ...shown, kept: from, pending }
    const drafts = new Map<string, ToolDraft>()
    const changed: ChangedTool[] = []
    for (const tool of definitionsOf(from)) {
      yield
      const diff = changeOf(from, tool)
      if (diff) changed.push({ name: tool.name, diff })
      const draft = diff
        ? draftOf(asAccepted(from, tool), from.protocolVersion, {
            pending,
            changed: sayChange(diff.changed, toolIdOf(server, tool.name)),
          })
        : plainDraft(tool, from.protocolVersion, pending)
      if (!drafts.has(draft.name)) drafts.set(draft.name, draft)
    }
    return { kept: from, pending, text, drafts: [...drafts.values()], changed }
  }

  function draftOf(
    tool: ToolDefinition,
    protocolVersion: string | undefined,
    { pending, changed }: { pending: boolean; changed: string | undefined },
  ): ToolDraft {
    const pendingProvider = pending ? () => (isPending() ? server : undefined) : undefined
    const about = { server, isTrusted, reach, timeoutMs, call }
    return toDraft(tool, { ...about, protocolVersion, changed, pendingProvider })
  }

  /** Of a tool that is what was accepted; the same one as long as it is the same entry of the list. */
  function plainDraft(
    tool: ToolDefinition,
    protocolVersion: string | undefined,
    pending: boolean,
  ): ToolDraft {
    const before = plain.get(tool.raw)
    if (before && before.protocolVersion === protocolVersion && before.pending === pending)
      return before.draft
    const draft = draftOf(tool, protocolVersion, { pending, changed: undefined })
    plain.set(tool.raw, { protocolVersion, pending, draft })
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
        const mine = kept
        const { list, protocolVersion, accepted } = mine
        if (list.length > MANY) await nextTurn()
        const written = await changeKept(into, server, async (stored) => {
          await prepareList([...stored.list, ...stored.accepted.values()])
          const joined = new Map([...(stored.isUnreadable ? [] : accepted), ...stored.accepted])
          const next = { ...stored, list, protocolVersion, accepted: joined }
          return (await inTurns(isSameKept(stored, next))) ? stored : next
        })
        // Another list may have been learnt meanwhile: what was accepted counts for it too.
        await rebuildInTurns(() => (kept === mine ? written : withAccepted(kept, written)))
      })
      .catch((error: unknown) =>
        onProblem(`What the server "${server}" lists could not be kept: ${String(error)}`),
      )
  }

  /** Only who waits to be accepted has to hear of what is written. */
  function watchIfBlocked(): void {
    if (shown && shown.changed.length > 0 && house && !isClosed) stopWatching ??= house.watch(lookAgain)
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
      readKept(from, server)
        .then(({ accepted, isUnreadable }) => rebuildInTurns(() => ({ ...kept, accepted, isUnreadable })))
        .catch(() => {})
    }, LOOK_AGAIN_MS)
    lookTimer.unref()
  }

  return {
    get isStocked() {
      return isListed || kept.list.length > 0
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
      const made = await inTurns(learnList(kept, entries, protocolVersion), turns)
      learning = made
      ready = await inTurns(shownOf(made.next, isPending()), turns)
    },
    learn({ entries, leftOut }, protocolVersion) {
      const isReady =
        learning?.entries === entries &&
        learning.protocolVersion === protocolVersion &&
        learning.base === kept
      const made = isReady ? learning! : atOnce(learnList(kept, entries, protocolVersion))
      learning = undefined
      rebuild(made.next)
      unshown = [...leftOut, ...made.leftOut]
      isListed = true
      keep()
    },
    drafts: () => shown?.drafts ?? [],
    changed: () => shown?.changed ?? [],
    whyBlocked,
    notes: () => listNotes(kept.list, server, unshown),
    refresh() {
      // Drafts that were made while it was connecting ask each time whether it still is.
      rebuildInTurns(() => kept).catch((error: unknown) =>
        onProblem(`The tools of the server "${server}" could not be made: ${String(error)}`),
      )
    },
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

function isOf(made: ShownTools | undefined, kept: KeptTools, pending: boolean): boolean {
  return made?.kept === kept && made.pending === pending
}

function withAccepted(kept: KeptTools, { accepted, isUnreadable }: KeptTools): KeptTools {
  return { ...kept, accepted: new Map([...kept.accepted, ...accepted]), isUnreadable }
}

export function toolIdOf(server: string, tool: string): string {
  return `mcp.${safeServerName(server)}.${safeToolName(tool)}`
}

function sayChange(changed: readonly string[], toolId: string): string {
  const what = changed.length > 0 ? `changed the ${changed.join(', ')} of` : 'changed'
  return `The server ${what} this tool since it was accepted; look first: "${ownCommand(`tools diff ${toolId}`)}", then accept it: "${ownCommand(`tools accept ${toolId}`)}".`
}
