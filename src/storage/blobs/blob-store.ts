export interface BlobStat {
  /** `sha256:` and 64 hexadecimal digits. */
  digest: string
  sizeBytes: number
  /** Milliseconds since 1970. Renewed when the same bytes are written again: a sweeper with a grace time spares them. */
  storedAt: number
}

/** What a commit tells. */
export interface CommittedBlob extends BlobStat {
  /**
   * These bytes were not there before, as far as the store can tell without doubt. Whoever stores them after this has a
   * later `storedAt`: a removal of what was stored up to this commit takes nothing of theirs.
   */
  isNew?: boolean
}

/** Takes one blob, chunk by chunk. Ends with `commit` or `abort`, or by itself when a write fails. */
export interface BlobWriter {
  /** Resolves when there is room for more: whoever waits for it never fills the memory. The chunk may be reused then. */
  write(chunk: Uint8Array): Promise<void>
  /** Resolves once the blob is durable and can be read. Bytes that are there already are no error. */
  commit(): Promise<CommittedBlob>
  /** Leaves nothing behind. May be called at any time; after `commit` it does nothing. */
  abort(): Promise<void>
}

export interface BlobReadOptions {
  /** The first byte; 0 unless told. */
  start?: number | undefined
  /** The byte after the last; the end of the blob unless told, or where it lies beyond. */
  end?: number | undefined
  /** Compares a whole read with the digest and fails at its end where they differ. Ignored when only a part is read. */
  verify?: boolean | undefined
}

export interface BlobRemoveOptions {
  /** Leaves what was stored, or stored again, at this time or later. */
  ifStoredBefore?: number | undefined
}

export interface BlobUsage {
  bytes: number
  count: number
}

/** What the other folders need to keep large things. Tenants are any text; each has a space of its own. */
export interface BlobStore {
  readonly name: string
  /** Where the blobs are, for people and problem reports. */
  readonly location: string
  /** Kept only for as long as this process lives. */
  readonly isEphemeral?: boolean
  /** Must be called once before anything else. Also clears what writers left that died; those of living ones stay. */
  open(): Promise<void>
  create(tenant: string): Promise<BlobWriter>
  stat(tenant: string, digest: string): Promise<BlobStat | undefined>
  /** Fails at the first chunk when there is no such blob. A blob that is removed meanwhile is still read to its end. */
  read(tenant: string, digest: string, options?: BlobReadOptions): AsyncIterable<Uint8Array>
  /**
   * A local file with exactly these bytes, for programs that want a path; nothing when there is no such blob. It is the
   * store's own file: to be read, not changed or kept.
   */
  localPath?(tenant: string, digest: string): Promise<string | undefined>
  /** Whether it was there. */
  remove(tenant: string, digest: string, options?: BlobRemoveOptions): Promise<boolean>
  /** In no particular order; what is written or removed meanwhile may be in it or not. */
  list(tenant?: string): AsyncIterable<BlobStat & { tenant: string }>
  /**
   * Counted once and then kept up to date by what this store object writes and removes; what other processes do is seen
   * within a minute (files) or five (S3), as soon as someone asks.
   */
  usage(tenant: string): Promise<BlobUsage>
  /** Aborts the writers that are still open. */
  close(): Promise<void>
}
