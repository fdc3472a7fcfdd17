import type { LiveSecrets } from '../redaction/live-secrets.js'

/**
 * Adds the secrets in use to redaction. The previous ones stay known until the next change: responses to requests that
 * were sent with them may still arrive.
 */
export function trackSecrets(live: LiveSecrets): (inUse: readonly string[]) => void {
  let current: readonly string[] = []
  let forgetCurrent: readonly (() => void)[] = []
  let forgetBefore: readonly (() => void)[] = []
  return (inUse) => {
    if (inUse.length === current.length && inUse.every((each) => current.includes(each))) return
    for (const forget of forgetBefore) forget()
    forgetBefore = forgetCurrent
    current = inUse
    forgetCurrent = inUse.map((secret) => live.add(secret))
  }
}
