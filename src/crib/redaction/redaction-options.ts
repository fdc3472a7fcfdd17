import type { PiiClass } from '../../platform/config/pii-classes.js'
import type { LiveSecrets } from '../../redaction/live-secrets.js'
import type { RedactionMode } from '../../platform/config/redaction-modes.js'
import type { SurfaceRequest } from '../../surfaces/surface-request.js'

/** What is removed before anything is stored or shown, and what replaces it. */
export interface RedactionOptions {
  /** Default: `mask`. A surface may set another. */
  way?: RedactionMode
  /** Whether texts are searched for what looks like a key, token or password. Default: yes. */
  patterns?: boolean
  /** Which personal data is removed too. Default: none. */
  pii?: readonly PiiClass[]
  /** Secrets that this process uses; they are removed wherever they occur. */
  secrets?: readonly string[]
  /** Secrets that change while the crib is open, such as renewed tokens: see `createLiveSecrets`. */
  live?: LiveSecrets
  /** Whether environment variables whose names suggest a secret count as secrets. Default: yes. */
  environment?: boolean
  /** The actors that may open content that `protect` stores. */
  readers?: readonly string[]
}

/** Throws if a surface protects content and no actor is named who may open it. */
export function checkSurfaceRedaction(
  { redaction }: Pick<SurfaceRequest, 'redaction'>,
  { readers = [] }: RedactionOptions = {},
): void {
  if (redaction === 'protect' && readers.length === 0)
    throw new TypeError(
      'crib.surface: "redaction": "protect" needs actors that may open what is protected; name them in createCrib, { redaction: { readers: [...] } }.',
    )
}
