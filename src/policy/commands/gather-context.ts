import type { NameContext } from './gather-names.js'
import type { FolderFacts } from '../../shell/folder-facts.js'

export interface GatherContext extends NameContext {
  readonly workspace: string
  readonly home: string
  /** Reads the folders in which a command would run. */
  readonly folders?: FolderFacts | undefined
  /** Whether something exists there, also a dangling link. If absent, nothing is looked up. */
  exists?(path: string): boolean
  /** Whether the path is a protected path of Toolcrib or lies below one. */
  isOwn?(path: string): boolean
  /** Whether a protected path of Toolcrib has this name. */
  isOwnName?(name: string): boolean
  /** Whether a rule is about paths: then all paths in arguments are looked up. */
  readonly hasPathRules?: boolean | undefined
}
