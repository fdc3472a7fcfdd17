export interface ResourceLock {
  readonly key: string
  readonly mode: 'shared' | 'exclusive'
}
