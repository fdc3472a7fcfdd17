import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openTemporaryFolder } from '../temporary-folder.js'
import { endChildren, startChild } from './run-child.js'
import { whyNoTrace } from './why-no-trace.js'

const writeOnce = new URL('./children/write-once.mjs', import.meta.url)

const reason = whyNoTrace()
if (reason) console.log(`skipped: the proof that a started call is on disk, for ${reason}`)

interface Happening {
  what: 'wal write' | 'wal sync' | 'marker' | 'begin' | 'end'
  line: number
}

/** The events of the log file and the marker in the trace, each at the line where it was complete. */
function readTrace(trace: string, path: string, marker: string): Happening[] {
  const happenings: Happening[] = []
  const pending = new Map<string, string>()
  trace.split('\n').forEach((text, line) => {
    const [, thread, said] = /^(\d+)\s+(.*)$/.exec(text) ?? []
    if (thread === undefined || said === undefined) return
    if (said.endsWith('<unfinished ...>')) {
      // An open counts from its start: the executor ran then, whenever the kernel responded.
      pending.set(thread, said)
      if (said.includes(marker)) happenings.push({ what: placeOf(said, marker), line })
      return
    }
    const isResumed = said.startsWith('<... ')
    const whole = isResumed ? `${pending.get(thread) ?? ''} ${said}` : said
    const isWal = whole.includes(`${path}-wal>`)
    if (isWal && /^pwrite64|^write/.test(whole)) happenings.push({ what: 'wal write', line })
    if (isWal && /^f(data)?sync/.test(whole) && whole.endsWith(' = 0'))
      happenings.push({ what: 'wal sync', line })
    if (!isResumed && said.includes(marker)) happenings.push({ what: placeOf(said, marker), line })
  })
  return happenings
}

function placeOf(said: string, marker: string): Happening['what'] {
  if (said.includes(`${marker}.begin"`)) return 'begin'
  return said.includes(`${marker}.end"`) ? 'end' : 'marker'
}

describe.skipIf(reason !== undefined)('a call that writes', () => {
  it('is synced as started before its executor runs, and as ended before its caller gets the result', async () => {
    const place = openTemporaryFolder()
    try {
      const path = place.file('crib.db')
      const marker = place.file('marker')
      const trace = place.file('trace')
      const calls = 'trace=openat,open,pwrite64,write,fsync,fdatasync'
      const child = startChild(writeOnce, [path, marker], ['strace', '-f', '-y', '-o', trace, '-e', calls])
      const { code, stdout, stderr } = await child.end
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'succeeded\n', stderr: '' })

      const all = readTrace(readFileSync(trace, 'utf8'), path, marker)
      const begin = all.findIndex(({ what }) => what === 'begin')
      const marked = all.findIndex(({ what }, index) => what === 'marker' && index > begin)
      const end = all.findIndex(({ what }) => what === 'end')
      expect(begin).toBeGreaterThan(-1)
      expect(marked).toBeGreaterThan(begin)
      const before = all.slice(begin, marked).map(({ what }) => what)
      expect(before).toContain('wal write')
      expect(before.lastIndexOf('wal sync')).toBeGreaterThan(before.lastIndexOf('wal write'))
      const after = all.slice(marked, end).map(({ what }) => what)
      expect(after).toContain('wal write')
      expect(after.lastIndexOf('wal sync')).toBeGreaterThan(after.lastIndexOf('wal write'))
    } finally {
      await endChildren()
      place.remove()
    }
  })
})
