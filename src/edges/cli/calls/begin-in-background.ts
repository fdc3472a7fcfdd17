import type { Call } from '../../../crib/calls/call-handle.js'
import type { Crib } from '../../../crib/crib.js'
import type { Begun } from './background-job.js'

/** How long the command waits to learn whether the call is denied, needs approval or runs. */
const BEGINNING_MS = 1_000

/** How a background call began. */
export async function beginInBackground(
  crib: Crib,
  started: Call,
  { tenant }: { tenant?: string | undefined } = {},
): Promise<Begun> {
  const receipt = await started
  const id = started.invocationId
  const signal = AbortSignal.timeout(BEGINNING_MS)
  const of = tenant === undefined ? {} : { tenant }
  for await (const { status } of crib.progress(id, { ...of, follow: true, signal })) {
    if (status === 'waiting_for_permission') {
      const pending = await started.pending()
      if (pending) return { first: receipt, pending }
    } else if (status !== 'backgrounded' && status !== 'running') {
      // Not before: a hook may report progress before it is decided whether the tool runs.
      break
    }
  }
  return { first: (await crib.result(id, of)) ?? receipt }
}
