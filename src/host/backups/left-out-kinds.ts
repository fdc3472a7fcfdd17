import { VOLATILE_KINDS } from '../../crib/records/volatile-kinds.js'
import { BROWSER_SESSION_KIND } from '../identities/browser-sessions.js'

/** Documents that no backup has. A session is left out too: restored, it would be open again after its log-out. */
export const LEFT_OUT_KINDS: readonly string[] = [...VOLATILE_KINDS, BROWSER_SESSION_KIND]
