/** Stores analyses of tools between runs, in groups that are read and written as one. */
export interface KeptAnalyses {
  /** All groups by id, as they were written; the caller validates them. */
  readAll(): Promise<ReadonlyMap<string, unknown>>
  read(groupId: string): Promise<unknown>
  /** `undefined` removes it. */
  write(groupId: string, group: unknown): Promise<void>
  /** Whether an analysis of these texts may be stored at all. */
  mayKeep(texts: readonly string[]): boolean
}
