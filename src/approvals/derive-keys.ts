import { hkdfSync } from 'node:crypto'

/** One secret, and from it a key for each use: what signs must not be what seals. */
export interface ApprovalKeys {
  /** Tells keys apart without giving anything of them away. */
  readonly id: string
  readonly seal: Buffer
  readonly sign: Buffer
  readonly digest: Buffer
  /** Seals what only named actors may open. */
  readonly blobs: Buffer
  /** Seals what authorization servers gave to users. */
  readonly tokens: Buffer
}

export const SECRET_BYTES = 32

export function deriveKeys(secret: Uint8Array): ApprovalKeys {
  const derive = (use: string, bytes = SECRET_BYTES): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, '', `toolcrib approvals 1: ${use}`, bytes))
  return {
    id: derive('id', 8).toString('hex'),
    seal: derive('seal'),
    sign: derive('sign'),
    digest: derive('digest'),
    blobs: derive('blobs'),
    tokens: derive('tokens'),
  }
}
