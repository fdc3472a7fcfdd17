import { approvals } from './approvals.mjs'
import { background } from './background.mjs'
import { batches } from './batches.mjs'
import { failures } from './failures.mjs'
import { hooks } from './hooks.mjs'
import { large } from './large.mjs'
import { limits } from './limits.mjs'
import { manyAtOnce } from './many-at-once.mjs'
import { plain } from './plain.mjs'
import { redaction } from './redaction.mjs'
import { rules } from './rules.mjs'
import { streams } from './streams.mjs'
import { surfaces } from './surfaces.mjs'
import { tenants } from './tenants.mjs'

/** Each has a crib of its own: what one part sets up, such as hooks, does not change how calls of another run. */
export const parts = [
  plain,
  large,
  redaction,
  failures,
  rules,
  approvals,
  hooks,
  streams,
  background,
  batches,
  manyAtOnce,
  surfaces,
  limits,
  tenants,
]
