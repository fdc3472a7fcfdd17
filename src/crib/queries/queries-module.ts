import type { ClosingPort, CribModule } from '../assemble.js'
import type { QuestionsPort } from '../approvals/questions-module.js'
import type { CatalogPort } from '../catalog/catalog-module.js'
import type { PolicyPort } from '../policy/policy-module.js'
import type { OptionsPort, RecordPort } from '../record-module.js'
import { createQueries, type Queries } from './queries.js'

export interface QueriesPort {
  readonly queries: Queries
}

/** The queries of a crib. */
export function openQueries(
  ports: OptionsPort & ClosingPort & RecordPort & CatalogPort & PolicyPort & QuestionsPort,
): CribModule<QueriesPort, Queries> {
  const queries = createQueries({ ...ports, approval: ports.questions.queries.get })
  return { port: { queries }, api: queries }
}
