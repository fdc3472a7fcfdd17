// The process of a background call: it receives one job from its parent, reports, and continues alone.
import type { Call } from '../../../crib/calls/call-handle.js'
import type { Crib } from '../../../crib/crib.js'
import { errorMessage } from '../../../platform/text/error-message.js'
import type { BackgroundJob, BackgroundReport } from './background-job.js'
import { openCallSurface } from './command-crib.js'
import { beginInBackground } from './begin-in-background.js'
import { loadToolsOrStop } from '../program/load-or-stop.js'
import { openCallCrib } from './open-call-crib.js'
import { createTerminal } from '../terminal/terminal.js'

let call: Call | undefined
let hasReported = false
let interrupts = 0

/** The first signal cancels what can be interrupted, the second everything; the third ends this process. */
function interrupt(): void {
  // Before the call exists, nothing is lost.
  if (!call || ++interrupts > 2) process.exit(1)
  call.interrupt()
}

function report(message: BackgroundReport): Promise<void> {
  hasReported = true
  return new Promise((resolve) => {
    // The parent may have ended by now.
    if (process.connected) process.send!(message, () => resolve())
    else resolve()
  })
}

async function work({ name, input, options }: BackgroundJob): Promise<void> {
  let crib: Crib | undefined
  try {
    const terminal = createTerminal(process)
    const settings = await loadToolsOrStop(options, { terminal, needsTools: true })
    crib = (await openCallCrib(settings, options, terminal, name)).crib
    const surface = await openCallSurface(crib, settings, options)
    call = crib.call(surface, { name, input, runInBackground: true })
    await report(await beginInBackground(crib, call))
    if (process.connected) process.disconnect()
    // The result is on record, where it is read.
    await crib.task(call.invocationId).result()
  } catch (error) {
    if (!hasReported) await report({ problem: errorMessage(error) })
  } finally {
    await crib?.close()
  }
}

process.on('SIGINT', interrupt)
process.on('SIGTERM', interrupt)
process.on('disconnect', () => {
  // The parent would never learn the id of the call.
  if (hasReported) return
  if (!call) process.exit(1)
  call.cancel('user_interruption')
})
process.once('message', (job) => {
  // A tool that ignored its cancellation may still keep the process alive.
  void work(job as BackgroundJob).finally(() => process.exit(0))
})
