import type { ConfigFinding } from '../../platform/config/check-config.js'
import { checkRetries } from '../../catalog/check-retries.js'

/** What is wrong with retries whose parts are each as they should be. */
export function retryFindings(retries: unknown): ConfigFinding[] {
  try {
    checkRetries('', retries)
    return []
  } catch (error) {
    // Our own sentence; here it follows the name of a file.
    return [{ path: ['retries'], message: (error as Error).message.replace(/^: /, '').replace(/\.$/, '') }]
  }
}
