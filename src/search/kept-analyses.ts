/** Where analyses of tools are kept between two starts, in groups that are read and written as one. */
export interface KeptAnalyses {
  /** All groups by their id, as they were written; what is in them is checked by who asked. */
  readAll(): Promise<ReadonlyMap<string, unknown>>
  read(groupId: string): Promise<unknown>
  /** `undefined` removes it. */
  write(groupId: string, group: unknown): Promise<void>
  /** Whether what these texts say may be kept at all. */
  mayKeep(texts: readonly string[]): boolean
}
