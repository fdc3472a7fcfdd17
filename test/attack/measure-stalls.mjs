/**
 * Loaded into a process before its own code (`node --import`): measures how long its event loop was blocked by its own
 * work. On SIGUSR2 it writes the longest time since the last signal, in ms, and the memory in bytes to the file
 * STALLS_FILE.
 */
import { writeFileSync } from 'node:fs'

const file = process.env['STALLS_FILE']
if (file !== undefined) {
  const EVERY_MS = 5
  let longestMs = 0
  let reports = 0
  let last = look()

  function look() {
    const { user, system } = process.cpuUsage()
    return { wall: performance.now(), cpu: (user + system) / 1000 }
  }

  // A busy machine delays every process: only the CPU time of this process counts.
  setInterval(() => {
    const now = look()
    longestMs = Math.max(longestMs, Math.min(now.wall - last.wall - EVERY_MS, now.cpu - last.cpu))
    last = now
  }, EVERY_MS).unref()

  process.on('SIGUSR2', () => {
    writeFileSync(file, JSON.stringify({ report: ++reports, longestMs, memory: process.memoryUsage().rss }))
    longestMs = 0
  })
}
