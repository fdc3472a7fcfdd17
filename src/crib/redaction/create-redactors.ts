import { DROPPED, dropLines } from '../../redaction/drop-lines.js'
import { joinLiveSecrets } from '../../redaction/join-live-secrets.js'
import { createLiveSecrets, type LiveSecrets } from '../../redaction/live-secrets.js'
import type { RedactionMode } from '../../platform/config/redaction-modes.js'
import { createRedactor, type Redactor } from '../../redaction/redactor.js'
import { secretsOfEnvironment } from '../../redaction/secrets-of-environment.js'
import type { SurfaceRequest } from '../../surfaces/surface-request.js'
import type { RedactionOptions } from './redaction-options.js'

export interface Redactors {
  /** With the options of the crib. */
  readonly usual: Redactor
  for(request: Pick<SurfaceRequest, 'redaction'>): Redactor
  /** Only known secrets: binary data contains much that looks like a key. */
  readonly exact: Redactor
  /** For values that must be equal for the same secret, such as the key of a lock. */
  readonly keyed: Redactor
  readonly way: RedactionMode
  readonly live: LiveSecrets
}

export function createRedactors(
  {
    way = 'mask',
    patterns = true,
    pii = [],
    secrets = [],
    live: others,
    environment = true,
  }: RedactionOptions,
  hide: (secret: string) => string,
): Redactors {
  const own = createLiveSecrets()
  for (const secret of secrets) own.add(secret)
  if (environment) for (const secret of secretsOfEnvironment(process.env)) own.add(secret)
  const live = others ? joinLiveSecrets(own, others) : own
  const made = new Map<RedactionMode, Redactor>()

  function redactorFor(asked: RedactionMode): Redactor {
    let redactor = made.get(asked)
    if (!redactor) {
      const replace = replacementOf(asked, hide)
      const plain = createRedactor({ patterns, pii, live, ...(replace && { replace }) })
      made.set(asked, (redactor = asked === 'drop' ? dropLines(plain) : plain))
    }
    return redactor
  }

  const usual = redactorFor(way)
  return {
    usual,
    for: ({ redaction }) => (redaction === undefined ? usual : redactorFor(redaction)),
    exact: createRedactor({ patterns: false, live }),
    keyed: redactorFor('hash'),
    way,
    live,
  }
}

function replacementOf(
  way: RedactionMode,
  hide: (secret: string) => string,
): ((secret: string) => string) | undefined {
  switch (way) {
    case 'mask':
    case 'protect':
      return undefined
    case 'drop':
      return () => DROPPED
    case 'hash':
      return (secret) =>
        `[redacted:${hide(secret)
          .replace(/^[^:]*:/, '')
          .slice(0, 16)}]`
  }
}
