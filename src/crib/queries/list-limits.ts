import { compileSurfaceLimits } from '../../scheduling/limits/compile-limit.js'
import type { LimitsControl } from '../../scheduling/limits/create-rate-limits.js'
import { limitsStateOf, type LimitsState } from '../../scheduling/limits/limits-state.js'
import type { InvocationStatus } from '../../contract/unions.js'
import type { Journal } from '../../storage/journal/journal.js'
import type { CallRow, Store } from '../../storage/store.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { Agents } from '../catalog/agents.js'

const RUNNING: readonly InvocationStatus[] = ['running', 'needs_input', 'partial_result']
const PAGE = 200

/** The current state of the limits, from the records of all processes that share the store. */
export async function listLimits(
  keeper: LimitsControl,
  {
    journal,
    catalog,
    agents,
    now,
  }: { journal: Journal; catalog: Catalog; agents: Agents; now: () => number },
): Promise<LimitsState> {
  const ofAgents = agents
    .list()
    .map(({ name }) => agents.resolve({ scope: 'session', agent: name }))
    .flatMap((request) => compileSurfaceLimits(request, catalog.find))
  const limits = [...keeper.limits, ...ofAgents]
  if (limits.length === 0 && !keeper.circuits) return { limits: [] }
  await journal.flush()
  const hasSlots = keeper.limits.some(({ concurrent }) => concurrent !== undefined)
  return limitsStateOf(
    { limits, circuits: keeper.circuits },
    {
      counts: await keeper.counters.list(),
      running: hasSlots ? await runningCalls(journal.store) : [],
      toolOf: catalog.get,
      now: now(),
    },
  )
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
