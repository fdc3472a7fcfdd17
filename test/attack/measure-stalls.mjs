/**
 * Loaded into a process before its own code (`node --import`): measures how long its event loop was held up. On SIGUSR2
 * the longest time since the last signal, in ms, and the memory in bytes go to the file that STALLS_FILE names.
 */
import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const file = process.env['STALLS_FILE']
if (file !== undefined) {
  const resolution = 5
  const delay = monitorEventLoopDelay({ resolution })
  delay.enable()
  let reports = 0
  process.on('SIGUSR2', () => {
    const longestMs = Math.max(0, delay.max / 1e6 - resolution)
    delay.reset()
    writeFileSync(file, JSON.stringify({ report: ++reports, longestMs, memory: process.memoryUsage().rss }))
  })
}
