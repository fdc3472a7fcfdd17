import type { PiiClass } from '../../platform/config/pii-classes.js'
import type { LiveSecrets } from '../../redaction/live-secrets.js'
import type { RedactionWay } from '../../platform/config/redaction-modes.js'
import type { SurfaceRequest } from '../../surfaces/surface-request.js'

/** What is taken out before anything is stored, shown or told, and what stands in its place. */
export interface RedactionOptions {
  /** `mask`, unless said. A surface may say another. */
  way?: RedactionWay
  /** Whether texts are searched for what looks like a key, token or password. Yes, unless said. */
  patterns?: boolean
  /** What of persons is taken out too. Nothing, unless said. */
  pii?: readonly PiiClass[]
  /** Secrets that this process uses; they are taken out wherever they turn up. */
  secrets?: readonly string[]
  /** Secrets that come and go while the crib is open, such as tokens that are renewed: see `createLiveSecrets`. */
  live?: LiveSecrets
  /** Whether variables of the environment whose names say so count as secrets. Yes, unless said. */
  environment?: boolean
  /** The actors that may open what `protect` keeps. */
  readers?: readonly string[]
}

/** Throws where a surface wants something protected and nobody is named who may open it. */
export function checkSurfaceRedaction(
  { redaction }: Pick<SurfaceRequest, 'redaction'>,
  { readers = [] }: RedactionOptions = {},
): void {
  if (redaction === 'protect' && readers.length === 0)
    throw new TypeError(
      'crib.surface: "redaction": "protect" needs actors that may open what is protected; name them in createCrib, { redaction: { readers: [...] } }.',
    )
}
