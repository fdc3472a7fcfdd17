import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { BackgroundJob, BackgroundReport, Begun } from './background-job.js'
import { usageProblem } from '../program/usage-problem.js'

const MAIN = fileURLToPath(new URL('./background-main.js', import.meta.url))

/** Makes the call in a process of its own that outlives this one. Returns when that process has recorded the call. */
export async function startInBackground(job: BackgroundJob): Promise<Begun> {
  // A session of its own: neither Ctrl-C nor the end of the terminal reaches it.
  const child = fork(MAIN, [], { detached: true, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  const report = await new Promise<BackgroundReport>((resolve) => {
    child.once('message', (message) => resolve(message as BackgroundReport))
    child.once('error', ({ message }) =>
      resolve({ problem: `The call cannot be put into the background: ${message}` }),
    )
    child.once('exit', (code, signal) =>
      resolve({ problem: `The process for the call ended (${code ?? signal}) before the call began.` }),
    )
    child.send(job, (error) => {
      if (error) resolve({ problem: `The call cannot be put into the background: ${error.message}` })
    })
  })
  if (child.connected) child.disconnect()
  child.unref()
  if ('problem' in report) throw usageProblem(report.problem)
  return report
}
