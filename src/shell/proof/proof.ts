export interface Proof {
  /** The whole command line is proven read-only. */
  readonly isReadOnly: boolean
  /** It is, and talks to other hosts. */
  readonly isOpenWorld: boolean
  /** It has a condition on a folder, whether the condition holds or not. */
  readonly dependsOnFolder: boolean
  /** The first unknown thing, in one sentence; empty if there is none. */
  readonly reason: string
  /**
   * The commands (nodes of the parse, or its words) that are proven each on its own. None if anything in the script can
   * change the meaning of another one: assignments, functions, options of the shell.
   */
  readonly proven: readonly object[]
}
