import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openTemporaryFolder } from '../temporary-folder.js'
import { endChildren, startChild } from './run-child.js'
import { whyNoTrace } from './why-no-trace.js'

const writeOnce = new URL('./children/write-once.mjs', import.meta.url)
const writeAtOnce = new URL('./children/write-at-once.mjs', import.meta.url)

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

interface SystemCall {
  /** As it was traced, with its arguments and its end. */
  text: string
  /** The lines of the trace where it began and where it was complete. */
  begin: number
  end: number
}

function readSystemCalls(trace: string): SystemCall[] {
  const calls: SystemCall[] = []
  const open = new Map<string, { text: string; begin: number }>()
  trace.split('\n').forEach((line, at) => {
    const [, thread, said] = /^(\d+)\s+(.*)$/.exec(line) ?? []
    if (thread === undefined || said === undefined) return
    if (said.endsWith('<unfinished ...>')) {
      open.set(thread, { text: said, begin: at })
      return
    }
    const begun = said.startsWith('<... ') ? open.get(thread) : undefined
    calls.push({ text: `${begun?.text ?? ''}${said}`, begin: begun?.begin ?? at, end: at })
  })
  return calls
}

/** The writes to the log file that name the call, before it left its marker, and whether each was synced by then. */
function writesBeforeMarker(calls: readonly SystemCall[], wal: string, id: string): { isSynced: boolean }[] {
  const ofWal = calls.filter(({ text }) => text.includes(`${wal}>`))
  const marked =
    calls.find(({ text }) => text.startsWith('open') && text.includes(`marker-${id}`))?.begin ?? -1
  const syncs = ofWal.filter(({ text, end }) => /^f(data)?sync.* = 0$/.test(text) && end < marked)
  return ofWal
    .filter(({ text, begin }) => /^(pwrite64|write)/.test(text) && text.includes(id) && begin < marked)
    .map((write) => ({ isSynced: syncs.some(({ begin }) => begin > write.end) }))
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

  it.each([1, 16])('is synced as started before its executor runs, %i at once', async (count) => {
    const place = openTemporaryFolder()
    try {
      const path = place.file('crib.db')
      const trace = place.file('trace')
      // Pages of the log file are traced whole: they have the ids of calls.
      const options = ['-s', '4200', '-e', 'trace=openat,open,pwrite64,write,fsync,fdatasync']
      const args = [path, place.file('.'), String(count)]
      const child = startChild(writeAtOnce, args, ['strace', '-f', '-y', '-o', trace, ...options])
      const { code, stdout, stderr } = await child.end
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })

      const copied = JSON.parse(stdout) as { id: string; hasStarted: boolean }[]
      expect(copied.map(({ hasStarted }) => hasStarted)).toEqual(Array.from({ length: count }, () => true))
      const calls = readSystemCalls(readFileSync(trace, 'utf8'))
      for (const { id } of copied) {
        const writes = writesBeforeMarker(calls, `${path}-wal`, id)
        expect(writes[0]).toEqual({ isSynced: true })
        // Later writes are those of other calls, whose rows are in the same pages.
        if (count === 1) expect(writes.at(-1)).toEqual({ isSynced: true })
      }
    } finally {
      await endChildren()
      place.remove()
    }
  })
})
