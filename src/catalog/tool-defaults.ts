import type { PersistenceStrategy } from '../contract/unions.js'
import type { Retries } from './retries.js'

/** What a crib says for tools that say nothing of it. Profiles state what really happens, so they need it. */
export interface ToolDefaults {
  readonly retries?: Retries | undefined
  readonly persistence?: PersistenceStrategy | undefined
}
