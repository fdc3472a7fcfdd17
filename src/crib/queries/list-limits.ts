import type { LimitsControl } from '../../scheduling/limits/create-rate-limits.js'
import { standingOf, type LimitsState } from '../../scheduling/limits/limits-state.js'
import type { InvocationStatus } from '../../contract/unions.js'
import type { Journal } from '../../storage/journal/journal.js'
import type { CallRow, Store } from '../../storage/store.js'
import type { Catalog } from '../../catalog/catalog.js'

const RUNNING: readonly InvocationStatus[] = ['running', 'needs_input', 'partial_result']
const PAGE = 200

/** The limits and where each stands now, from what all processes that share the store have recorded. */
export async function listLimits(
  keeper: LimitsControl | undefined,
  { journal, catalog, now }: { journal: Journal; catalog: Catalog; now: () => number },
): Promise<LimitsState> {
  if (!keeper) return { limits: [] }
  await journal.flush()
  const hasPlaces = keeper.limits.some(({ concurrent }) => concurrent !== undefined)
  return standingOf(keeper, {
    counts: await keeper.counters.list(),
    running: hasPlaces ? await runningCalls(journal.store) : [],
    toolOf: catalog.get,
    now: now(),
  })
}

async function runningCalls(store: Store): Promise<CallRow[]> {
  const rows: CallRow[] = []
  let cursor: string | undefined
  do {
    const page = await store.listCalls({ status: RUNNING, open: true, limit: PAGE, cursor })
    rows.push(...page.rows)
    cursor = page.cursor
  } while (cursor !== undefined)
  return rows
}
