/**
 * Loaded into a process before its own code (`node --import`): measures how long its event loop was held up by its own
 * work. On SIGUSR2 the longest time since the last signal, in ms, and the memory in bytes go to the file that STALLS_FILE
 * names.
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

  // A machine that is busy with others holds up everybody: only what this process computed meanwhile counts.
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
