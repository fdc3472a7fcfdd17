import { checkOptions, type OptionKind } from '../../platform/validation/check-options.js'
import type { ClosingPort, CribModule } from '../assemble.js'
import type { CatalogPort } from '../catalog/catalog-module.js'
import type { Crib } from '../crib.js'
import type { OptionsPort, RecordPort } from '../record-module.js'
import { timeOf } from '../queries/queries.js'
import { DAY_MS } from './counted-log.js'
import type { Projection } from './projection.js'
import type { StatisticsQuery } from './statistics-query.js'

const QUERY = {
  since: 'any',
  until: 'any',
  stepMs: 'positive',
  waitMs: 'notNegative',
  tenant: 'text',
} as const satisfies Record<keyof StatisticsQuery, OptionKind>

const WAIT_MS = 500

/** Numbers about calls over time. Without a question nothing is read, counted or loaded. */
export function openStatistics({
  tenant: home,
  journal,
  catalog,
  now,
  checkOpen,
}: OptionsPort & ClosingPort & RecordPort & CatalogPort): CribModule<object, Pick<Crib, 'statistics'>> {
  const { store } = journal
  const projections = new Map<string, Projection>()
  return {
    api: {
      async statistics(query = {}) {
        checkOpen()
        checkOptions('crib.statistics', query, QUERY)
        const { tenant = home, stepMs, waitMs = WAIT_MS } = query
        const { createProjection } = await import('./projection.js')
        const { answerStatistics, rangeOf } = await import('./answer-statistics.js')
        // A call that ends at this moment is included.
        const until = timeOf('until', query.until) ?? now() + 1
        const since = timeOf('since', query.since) ?? until - DAY_MS
        const range = rangeOf({ since, until, stepMs }, now())
        await journal.flush()
        const last = await store.lastPosition()
        const projection = projections.get(tenant) ?? createProjection(store, { tenant, now })
        projections.set(tenant, projection)
        await projection.reach(last, waitMs)
        const { counted } = projection
        return {
          ...answerStatistics(counted, range, (toolId) => catalog.get(toolId)),
          is_complete: counted.position >= last,
        }
      },
    },
    async stop() {
      await Promise.all([...projections.values()].map((projection) => projection.stop()))
    },
  }
}
