// The process that a call in the background lives in: it takes one job from its parent, reports, and goes on alone.
import type { Call } from '../../../crib/calls/call-handle.js'
import type { Crib } from '../../../crib/crib.js'
import { callRequestOf } from '../../../host/load-settings.js'
import type { BackgroundJob, BackgroundReport } from './background-job.js'
import { beginInBackground } from './begin-in-background.js'
import { loadToolsOrStop } from '../program/load-or-stop.js'
import { openCallCrib } from './open-call-crib.js'
import { createTerminal } from '../terminal/terminal.js'

let call: Call | undefined
let hasReported = false
let interrupts = 0

/** Once stops what can be interrupted, twice what runs on; after that somebody means this process. */
function interrupt(): void {
  // Before there is a call nothing is lost.
  if (!call || ++interrupts > 2) process.exit(1)
  call.interrupt()
}

function report(said: BackgroundReport): Promise<void> {
  hasReported = true
  return new Promise((resolve) => {
    // Whoever started it may be gone by now.
    if (process.connected) process.send!(said, () => resolve())
    else resolve()
  })
}

async function work({ name, input, options }: BackgroundJob): Promise<void> {
  let crib: Crib | undefined
  try {
    const terminal = createTerminal(process)
    const settings = await loadToolsOrStop(options, { terminal, needsTools: true })
    crib = (await openCallCrib(settings, options, terminal, name)).crib
    const surface = await crib.surface(callRequestOf(settings))
    call = crib.call(surface, { name, input, runInBackground: true })
    await report(await beginInBackground(crib, call))
    if (process.connected) process.disconnect()
    // Its result is on record: that is where anybody will ask for it.
    await crib.task(call.invocationId).result()
  } catch (error) {
    if (!hasReported) await report({ problem: error instanceof Error ? error.message : String(error) })
  } finally {
    await crib?.close()
  }
}

process.on('SIGINT', interrupt)
process.on('SIGTERM', interrupt)
process.on('disconnect', () => {
  // Nobody would learn the id of the call.
  if (hasReported) return
  if (!call) process.exit(1)
  call.cancel('user_interruption')
})
process.once('message', (job) => {
  // A tool that was given up may still hold the process.
  void work(job as BackgroundJob).finally(() => process.exit(0))
})
