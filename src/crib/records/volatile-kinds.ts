import { LOCK_QUEUE_KIND } from '../../scheduling/shared/lock-queues.js'
import { OWNER_KIND } from '../recovery/owner.js'
import { SWEEP_KIND } from '../results/create-sweep.js'
import { STATISTICS_KIND } from '../statistics/projection.js'

/** Documents about processes that are running: a backup does not contain them, for restored they would be wrong. */
export const VOLATILE_KINDS: readonly string[] = [OWNER_KIND, LOCK_QUEUE_KIND, SWEEP_KIND]

/** Documents that were computed from the positions of one log: another store computes its own. */
export const COMPUTED_KINDS: readonly string[] = [STATISTICS_KIND]
