export interface Proof {
  /** The whole command line is proven to only read. */
  readonly isReadOnly: boolean
  /** It is, and talks to other hosts. */
  readonly isOpenWorld: boolean
  /** It takes something for granted of a folder, whether that was found to hold or not. */
  readonly dependsOnFolder: boolean
  /** The first thing that was not understood, in one sentence; empty when all was. */
  readonly reason: string
  /**
   * The commands (nodes of the parse, or its words) that are proven each on its own. None are when anything in the script
   * can change what another one means: assignments, functions, options of the shell.
   */
  readonly proven: readonly object[]
}
