export interface BlobStat {
  /** `sha256:` and 64 hexadecimal digits. */
  digest: string
  sizeBytes: number
  /** Milliseconds since 1970. Renewed when the same bytes are written again: a sweeper with a grace time spares them. */
  storedAt: number
}

/** The result of a commit. */
export interface CommittedBlob extends BlobStat {
  /**
   * These bytes were certainly not stored before. A later commit of the same bytes has a later `storedAt`: a removal of
   * what was stored up to this commit does not affect it.
   */
  isNew?: boolean
}

/** Writes one blob, chunk by chunk. Ends with `commit` or `abort`, or by itself when a write fails. */
export interface BlobWriter {
  /**
   * Resolves when the next chunk is accepted: a caller that waits for it never fills the memory. The chunk may be
   * reused then.
   */
  write(chunk: Uint8Array): Promise<void>
  /** Resolves once the blob is durable and can be read. Bytes that are stored already are no error. */
  commit(): Promise<CommittedBlob>
  /** Leaves nothing behind. May be called at any time; after `commit` it does nothing. */
  abort(): Promise<void>
}

export interface BlobReadOptions {
  /** The first byte; 0 by default. */
  start?: number | undefined
  /** The byte after the last; by default, and where it is beyond the end, the end of the blob. */
  end?: number | undefined
  /** Compares a whole read with the digest and fails at its end where they differ. Ignored when only a part is read. */
  verify?: boolean | undefined
}

export interface BlobRemoveOptions {
  /** Spares blobs that were stored, or stored again, at this time or later. */
  ifStoredBefore?: number | undefined
}

export interface BlobUsage {
  bytes: number
  count: number
}

/** The store for large data. Tenants are any text; each has its own space. */
export interface BlobStore {
  readonly name: string
  /** Where the blobs are, for people and problem reports. */
  readonly location: string
  /** Stored only for as long as this process lives. */
  readonly isEphemeral?: boolean
  /** Must be called once before anything else. Also removes files of dead writers; those of living ones stay. */
  open(): Promise<void>
  create(tenant: string): Promise<BlobWriter>
  stat(tenant: string, digest: string): Promise<BlobStat | undefined>
  /** Fails at the first chunk when there is no such blob. A blob that is removed meanwhile is still read to its end. */
  read(tenant: string, digest: string, options?: BlobReadOptions): AsyncIterable<Uint8Array>
  /**
   * A local file with exactly these bytes, for programs that need a path; undefined when there is no such blob. It is
   * the store's own file: callers only read it, and do not move it.
   */
  localPath?(tenant: string, digest: string): Promise<string | undefined>
  /** Whether it existed. */
  remove(tenant: string, digest: string, options?: BlobRemoveOptions): Promise<boolean>
  /** In no particular order; blobs that are written or removed meanwhile may be included or not. */
  list(tenant?: string): AsyncIterable<BlobStat & { tenant: string }>
  /**
   * Counted once and then updated by what this store object writes and removes; changes of other processes are seen
   * within a minute (files) or five (S3), at the next call.
   */
  usage(tenant: string): Promise<BlobUsage>
  /** Aborts the writers that are still open. */
  close(): Promise<void>
}
