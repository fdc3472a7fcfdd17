import { hkdfSync } from 'node:crypto'

/** One secret, and from it a separate key for each use: the signing key must not be the sealing key. */
export interface SealKeys {
  /** Identifies a key without revealing anything about it. */
  readonly id: string
  readonly seal: Buffer
  readonly sign: Buffer
  readonly digest: Buffer
  /** Seals data that only named actors may open. */
  readonly blobs: Buffer
  /** Seals tokens that authorization servers issued to users. */
  readonly tokens: Buffer
  /** Seals the user's own secrets. */
  readonly secrets: Buffer
}

export const SECRET_BYTES = 32

export function deriveKeys(secret: Uint8Array): SealKeys {
  const derive = (use: string, bytes = SECRET_BYTES): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, '', `toolcrib approvals 1: ${use}`, bytes))
  return {
    id: derive('id', 8).toString('hex'),
    seal: derive('seal'),
    sign: derive('sign'),
    digest: derive('digest'),
    blobs: derive('blobs'),
    tokens: derive('tokens'),
    secrets: derive('secrets'),
  }
}
