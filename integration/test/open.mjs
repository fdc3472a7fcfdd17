import { openCredential } from '../build/credentials/open-credential.js'
import { parseCredentialSettings } from '../build/credentials/parse-credential-settings.js'
import { createLiveSecrets } from '../build/redaction/live-secrets.js'
import { createRedactor } from '../build/redaction/redactor.js'

export const clock = { nowMs: 1_700_000_000_000 }

export const owner = { entry: 'petstore', name: 'ApiKeyAuth' }

/** A credential as a source opens it, from settings as they are in a config. */
export function open(settings, more = {}) {
  const parsed = parseCredentialSettings(settings, 'credentials.ApiKeyAuth')
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'))
  const live = createLiveSecrets()
  const credential = openCredential(parsed.settings, {
    origin: 'https://api.example',
    sentAs: { in: 'header', name: 'X-Key' },
    env: process.env,
    live,
    now: () => clock.nowMs,
    owner,
    ...more,
  })
  const { text } = createRedactor({ patterns: false, live })
  return { credential, isMasked: (secret) => text(`was ${secret}!`) === 'was [redacted]!' }
}

/** The message and code of a failure. */
export async function failureOf(promise) {
  try {
    await promise
  } catch ({ message, code }) {
    return { message, code }
  }
  throw new Error('it worked')
}
