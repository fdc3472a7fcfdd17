import type { NameContext } from './gather-names.js'
import type { FolderFacts } from '../../shell/folder-facts.js'

export interface GatherContext extends NameContext {
  readonly workspace: string
  readonly home: string
  /** Who looks at the folders in which a command would run. */
  readonly folders?: FolderFacts | undefined
  /** Whether something lies there, also a link that leads nowhere. Absent: nobody looks. */
  exists?(path: string): boolean
  /** Whether it is a place of ours, or lies in one. */
  isOwn?(path: string): boolean
  /** Whether a place of ours is called so. */
  isOwnName?(name: string): boolean
  /** Whether a rule speaks of paths: then all that arguments name is looked up. */
  readonly hasPathRules?: boolean | undefined
}
