/** Positions of characters in a file, from 0. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A value of the front matter and where it is. */
export interface FileNode extends Span {
  /** As plain JSON. */
  readonly value: unknown
  /** Of an object. */
  readonly members?: ReadonlyMap<string, FileMember> | undefined
  /** Of a list. */
  readonly items?: readonly FileNode[] | undefined
  /** `flow`: written with brackets. */
  readonly style: 'plain' | 'quoted' | 'block' | 'flow'
  /** How many nodes it contains, itself included; the target of an alias counts each time. */
  readonly size: number
}

export interface FileMember {
  readonly key: Span
  readonly node: FileNode
}
