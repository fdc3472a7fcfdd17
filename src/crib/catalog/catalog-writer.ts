import { createTurns } from '../../platform/async/create-turns.js'
import { nextTurn } from '../../platform/async/next-turn.js'
import type { Catalog, Added, CatalogProblem } from '../../catalog/catalog.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import type { ToolDraft } from '../../catalog/tool-draft.js'
import { countIfInUse } from '../../surfaces/tool-cost.js'
import { createReplacing } from './create-replacing.js'
import type { Publisher } from './publish-catalog.js'

/** Tools that were added together and can be removed together. */
export interface ToolRegistration {
  readonly tools: readonly CatalogTool[]
  /**
   * Replaces the tools; if one of the new tools is invalid, it throws and the old ones stay. A long list that still
   * waits when the next one comes is dropped.
   */
  replace(drafts: Iterable<ToolDraft>): Promise<void>
  dispose(): void
}

/** Adds tools to the catalog, and records the changes. */
export interface CatalogWriter {
  add(drafts: Iterable<ToolDraft>, source?: string): Promise<ToolRegistration>
  retire(name: string, at: number): Promise<boolean>
}

export function createCatalogWriter(catalog: Catalog, publisher: Publisher): CatalogWriter {
  async function announce(added: Added): Promise<void> {
    if (added.tools.length > FEW) await nextTurn()
    await countIfInUse(added.tools)
    await publisher.publish(added.tools)
    // Sort now, not in the first surface that needs it.
    catalog.list()
  }

  return {
    async add(drafts, source = 'function') {
      if (typeof drafts !== 'object' || drafts === null || !(Symbol.iterator in drafts))
        throw new TypeError('crib.add takes a list of tools: crib.add([tool]).')
      const added = catalog.add(source, drafts)
      if (added.problems.length > 0) {
        added.dispose()
        throw refusal(added.problems)
      }
      await announce(added)
      const swap = async (next: readonly ToolDraft[]): Promise<void> => {
        const { problems, removed } = added.replace(next)
        if (problems.length > 0) throw refusal(problems)
        await publisher.withdraw(removed)
        await announce(added)
      }
      const replace = createReplacing({
        isShort: (next: readonly ToolDraft[]) => Math.max(next.length, added.tools.length) <= FEW,
        prepare: (next) => prepare(next, (draft) => catalog.prepare(source, draft)),
        swap,
      })
      return {
        get tools() {
          return added.tools
        },
        replace: (next) => replace([...next]),
        dispose() {
          publisher.withdrawNow(added.dispose())
        },
      }
    },
    async retire(name, at) {
      const resolved = catalog.resolve(name)
      if (!resolved || !('found' in resolved)) return false
      const tombstone = catalog.retire(resolved.found.toolId, at)
      if (tombstone) await publisher.retire(tombstone)
      return tombstone !== undefined
    },
  }
}

/** How many are compared without a pause. */
const FEW = 50

/** Prepares each tool before all of them are added in one step. */
async function prepare(drafts: readonly ToolDraft[], work: (draft: ToolDraft) => void): Promise<void> {
  const turns = createTurns()
  for (const draft of drafts) {
    work(draft)
    const wait = turns.due()
    if (wait) await wait
  }
  await nextTurn()
}

function refusal(problems: readonly CatalogProblem[]): TypeError {
  return new TypeError(problems.map(({ message }) => message).join('\n'))
}
