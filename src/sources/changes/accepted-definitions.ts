import { canonicalJson } from '../../platform/json/canonical-json.js'
import { isObject } from '../../platform/json/is-object.js'
import type { SourceStorage } from '../source.js'
import { diffTool, type MemberNames, type ToolDiff } from './diff-tool.js'
import { asShown, digestChange, type PendingChange, type SourceChanges } from './source-changes.js'

/** What is stored of one tool when a person accepts it. */
export interface AcceptedItem {
  readonly name: string
}

/** What the tools of an entry were compared with, and what differed. */
export interface ComparedState<Item> {
  /** Of everything that was compared. */
  readonly digest: string
  readonly changed: readonly { readonly item: Item; readonly toolName: string }[]
}

export interface AcceptedDefinitionsOptions<Item> {
  /** The kind of document with the last comparison of an entry. Small: read on each start. */
  readonly stateKind: string
  /** The kind of document with the accepted tools of an entry. Read only where something has changed. */
  readonly acceptedKind: string
  /** What a tool is called in stored documents: `operation`. */
  readonly member: string
  /** What is covered when a person accepts a tool. */
  definitionOf(item: Item): Record<string, unknown>
  readonly members: MemberNames
  /** An item as an earlier version may have written it. */
  restore?(item: Item): Item
}

/** The accepted tools of the entries of one kind. */
export interface AcceptedDefinitions<Item, State> {
  readState(storage: SourceStorage, entry: string): Promise<State | undefined>
  writeState(storage: SourceStorage, entry: string, state: State): Promise<void>
  /** By name. */
  read(storage: SourceStorage, entry: string): Promise<ReadonlyMap<string, Item>>
  /** `replaces`: also those that were accepted before under the same name. Resolves once that is durable. */
  accept(
    storage: SourceStorage,
    entry: string,
    options: { readonly items: readonly Item[]; readonly replaces: boolean },
  ): Promise<ReadonlyMap<string, Item>>
  isSame(accepted: Item | undefined, item: Item): boolean
  diff(accepted: Item | undefined, item: Item): ToolDiff
  /** For people: what changed, and accepting it. */
  readonly changes: SourceChanges
}

export function acceptedDefinitions<
  Item extends AcceptedItem,
  State extends ComparedState<Item> = ComparedState<Item>,
>(options: AcceptedDefinitionsOptions<Item>): AcceptedDefinitions<Item, State> {
  const { stateKind, acceptedKind, member, definitionOf, members, restore = (item) => item } = options
  const list = `${member}s`
  type Pending = PendingChange & { readonly item: Item }

  function parse(value: unknown): Map<string, Item> {
    const stored = isObject(value) && Array.isArray(value[list]) ? (value[list] as Item[]) : []
    const items = stored.filter((each) => isObject(each) && typeof each.name === 'string')
    return new Map(items.map((each) => [each.name, restore(each)]))
  }

  const accepted: AcceptedDefinitions<Item, State> = {
    async readState(storage, entry) {
      const value = (await storage.read(stateKind, entry))?.value
      if (!isObject(value) || typeof value['digest'] !== 'string' || !Array.isArray(value['changed']))
        return undefined
      const changed = (value['changed'] as Record<string, unknown>[]).map(({ toolName, [member]: item }) => ({
        item,
        toolName,
      }))
      return { ...value, changed } as unknown as State
    },
    async writeState(storage, entry, state) {
      const changed = state.changed.map(({ item, toolName }) => ({ [member]: item, toolName }))
      const value = { ...state, changed }
      await storage.update(stateKind, entry, async (found) => ({
        // A write wakes those who wait for an answer of a person.
        ...(canonicalJson(found?.value) !== canonicalJson(value) && { value }),
        result: undefined,
      }))
    },
    read: async (storage, entry) => parse((await storage.read(acceptedKind, entry))?.value),
    accept: (storage, entry, { items, replaces }) =>
      storage.update<ReadonlyMap<string, Item>>(acceptedKind, entry, async (found) => {
        const known = parse(found?.value)
        for (const item of items) if (replaces || !known.has(item.name)) known.set(item.name, item)
        return { value: { [list]: [...known.values()] }, result: known }
      }),
    isSame: (before, item) =>
      // The same object was accepted just now, or the same text is stored.
      before === item ||
      JSON.stringify(before) === JSON.stringify(item) ||
      (before !== undefined && canonicalJson(definitionOf(before)) === canonicalJson(definitionOf(item))),
    diff: (before, item) => diffTool(before ? definitionOf(before) : {}, definitionOf(item), { members }),
    changes: {
      async list(storage, entry) {
        const state = await accepted.readState(storage, entry)
        return state ? pendingIn(storage, entry, state) : []
      },
      async accept(storage, entry, shown) {
        const state = await accepted.readState(storage, entry)
        const chosen = asShown(state ? await pendingIn(storage, entry, state) : [], shown)
        if (!state || !chosen || chosen.length === 0) return chosen && []
        await accepted.accept(storage, entry, { items: chosen.map(({ item }) => item), replaces: true })
        const names = chosen.map(({ name }) => name)
        const left = state.changed.filter(({ toolName }) => !names.includes(toolName))
        await accepted.writeState(storage, entry, { ...state, changed: left })
        return names
      },
    },
  }

  async function pendingIn(storage: SourceStorage, entry: string, { changed }: State): Promise<Pending[]> {
    if (changed.length === 0) return []
    const known = await accepted.read(storage, entry)
    return changed.map(({ item, toolName: name }) => {
      const before = known.get(item.name)
      const digest = digestChange(before && definitionOf(before), definitionOf(item))
      return { name, item, digest, diff: accepted.diff(before, item) }
    })
  }

  return accepted
}
