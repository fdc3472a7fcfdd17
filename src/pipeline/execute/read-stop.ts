import { CANCEL_UNCONFIRMED } from '../../catalog/unconfirmed-cancel.js'
import { readMember } from '../failures/read-member.js'

/**
 * The meaning of an aborted executor's error. `stopped`: it ended because of the signal. `unconfirmed`: it no longer
 * waits for work that is done elsewhere. `failed`: anything else, possibly that stopping did not work.
 */
export type StopReading = 'stopped' | 'unconfirmed' | 'failed'

/** The names that Node, browsers and the common HTTP clients give to an abort. */
const ABORT_NAMES: ReadonlySet<unknown> = new Set([
  'AbortError',
  'CanceledError',
  'CancelError',
  'APIUserAbortError',
])
const ABORT_CODES: ReadonlySet<unknown> = new Set(['ABORT_ERR', 'ERR_CANCELED'])

/** Only the error itself counts, not its causes: an abort may be the cause of "the job could not be stopped". */
export function readStop(thrown: unknown, signal: AbortSignal): StopReading {
  if (thrown === signal.reason) return 'stopped'
  const code = readMember(thrown, 'code')
  if (code === CANCEL_UNCONFIRMED) return 'unconfirmed'
  return ABORT_NAMES.has(readMember(thrown, 'name')) || ABORT_CODES.has(code) ? 'stopped' : 'failed'
}
