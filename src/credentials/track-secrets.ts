import type { LiveSecrets } from '../redaction/live-secrets.js'

/**
 * Tells redaction which secrets are in use. Those before stay known until the next change: answers to what was sent with them are
 * still on their way.
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
