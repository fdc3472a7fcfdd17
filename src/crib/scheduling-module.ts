import { createRateLimits } from '../scheduling/limits/create-rate-limits.js'
import { forgetUnusedCounts } from '../scheduling/limits/store-counters.js'
import type { Scheduler } from '../scheduling/scheduler-api.js'
import { createScheduler } from '../scheduling/scheduler.js'
import { createSharedLocks } from '../scheduling/shared/create-shared-locks.js'
import { listLocks } from '../scheduling/shared/list-locks.js'
import type { CribModule } from './assemble.js'
import type { CatalogPort } from './catalog/catalog-module.js'
import type { Crib } from './crib.js'
import { listLimits } from './queries/list-limits.js'
import type { OptionsPort, RecordPort } from './record-module.js'
import type { OwnerPort } from './recovery/owner-module.js'

export interface SchedulingPort {
  readonly scheduler: Scheduler
}

/** Locks, limits and queues: which calls may run at the same time. */
export function openScheduling({
  options: { limits, breaker },
  tenant,
  store,
  journal,
  ownerId,
  isDead,
  catalog,
  agents,
  now,
}: OptionsPort & RecordPort & OwnerPort & CatalogPort): CribModule<
  SchedulingPort,
  Pick<Crib, 'limits' | 'locks'>
> {
  const sharedLocks = store.isEphemeral
    ? undefined
    : createSharedLocks({ store, ownerId, isDead, random: Math.random, now })
  const rateLimits = createRateLimits({ limits, breaker, store, now, find: catalog.find })
  return {
    port: { scheduler: createScheduler({ rateLimits, sharedLocks }) },
    api: {
      limits: () => listLimits(rateLimits, { journal, catalog, agents, now }),
      locks: ({ tenant: asked } = {}) => listLocks(store, { tenant: asked ?? tenant, isDead }),
    },
    async start() {
      if (!store.isEphemeral) await forgetUnusedCounts(store, now())
    },
    stop: () => sharedLocks?.close(),
  }
}
