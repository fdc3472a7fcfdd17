import type { AnyRoute } from './route.js'
import { aboutRoutes } from './routes/about.js'
import { approvalCountRoutes } from './routes/approval-count.js'
import { approvalRoutes } from './routes/approvals.js'
import { callRoutes } from './routes/calls.js'
import { configRoutes } from './routes/config.js'
import { contentRoutes } from './routes/content.js'
import { deletionRoutes } from './routes/deletion.js'
import { eventRoutes } from './routes/events.js'
import { hookRoutes } from './routes/hooks.js'
import { invocationRoutes } from './routes/invocations.js'
import { sessionRoutes } from './routes/session.js'
import { sourceRoutes } from './routes/sources.js'
import { statisticsRoutes } from './routes/statistics.js'
import { ruleRoutes } from './routes/rules.js'
import { surfaceRoutes } from './routes/surfaces.js'
import { toolRoutes } from './routes/tools.js'
import { tokenRoutes } from './routes/tokens.js'

/** Every route, in the order of the documentation. */
export const routes: readonly AnyRoute[] = [
  ...aboutRoutes(() => routes),
  ...sessionRoutes,
  ...toolRoutes,
  ...surfaceRoutes,
  ...callRoutes,
  ...invocationRoutes,
  ...deletionRoutes,
  ...approvalRoutes,
  ...approvalCountRoutes,
  ...ruleRoutes,
  ...hookRoutes,
  ...configRoutes,
  ...eventRoutes,
  ...contentRoutes,
  ...sourceRoutes,
  ...statisticsRoutes,
  ...tokenRoutes,
]
