import type { PersistenceStrategy } from '../contract/unions.js'
import type { Retries } from './retries.js'

/** The crib's defaults for what tools do not state. Profiles record the effective values, so they need them. */
export interface ToolDefaults {
  readonly retries?: Retries | undefined
  readonly persistence?: PersistenceStrategy | undefined
}
