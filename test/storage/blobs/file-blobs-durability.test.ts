import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openTemporaryFolder } from '../../temporary-folder.js'
import { endChildren, startChild } from '../run-child.js'
import { whyNoTrace } from '../why-no-trace.js'

const storeOnce = new URL('./children/store-once.mjs', import.meta.url)
const reason = whyNoTrace()
if (reason) console.log(`skipped: the proof that a stored blob is on disk, for ${reason}`)

/** The syncs and renames in the trace, in the order in which each was complete. */
function readTrace(trace: string, root: string): string[] {
  const pending = new Map<string, string>()
  const happenings: string[] = []
  for (const text of trace.split('\n')) {
    const [, thread = '', said = ''] = /^(\d+)\s+(.*)$/.exec(text) ?? []
    if (said.endsWith('<unfinished ...>')) {
      pending.set(thread, said)
      continue
    }
    const whole = said.startsWith('<... ') ? `${pending.get(thread) ?? ''} ${said}` : said
    if (!whole.includes(root) || !/ = \d+/.test(whole)) continue
    const [, synced] = /^fsync\(\d+<([^>]*)>/.exec(whole) ?? []
    const [, from, to] =
      /^(?:rename(?:at2?)?|link(?:at)?)\((?:AT_FDCWD[^,]*, )?"([^"]*)", (?:AT_FDCWD[^,]*, )?"([^"]*)"/.exec(
        whole,
      ) ?? []
    if (synced !== undefined) happenings.push(`sync ${kindOf(synced, root)}`)
    else if (from !== undefined) happenings.push(`name ${kindOf(from, root)} ${kindOf(to!, root)}`)
    else if (whole.includes('/marker"')) happenings.push('told')
  }
  return happenings
}

function kindOf(path: string, root: string): string {
  return path
    .replace(root, '')
    .replace(/\/[^/]*\.part$/, '/part')
    .replace(/\/[0-9a-f]{64}$/, '/blob')
    .replace(/\/h-[0-9a-f]{64}/, '/tenant')
    .replace(/\/[0-9a-f]{2}(?=\/|$)/, '/shard')
}

describe.skipIf(reason !== undefined)('a blob in a file', () => {
  it('is synced before it is renamed, and its name is synced before the commit resolves', async () => {
    const place = openTemporaryFolder()
    try {
      const trace = place.file('trace')
      const calls = 'trace=openat,open,fsync,rename,renameat,renameat2,link,linkat'
      const strace = ['strace', '-f', '-y', '-s', '300', '-o', trace, '-e', calls]
      const child = startChild(storeOnce, [place.file('blobs'), place.file('marker')], strace)
      const { code, stdout, stderr } = await child.end
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toMatch(/^sha256:/)
      const happenings = readTrace(readFileSync(trace, 'utf8'), place.path)
      const order = happenings.slice(happenings.indexOf('sync /blobs/incoming/part'))
      expect(order).toEqual([
        'sync /blobs/incoming/part',
        'sync /blobs/incoming/part',
        'name /blobs/incoming/part /blobs/tenant/tenant.json',
        'name /blobs/incoming/part /blobs/tenant/shard/blob',
        'sync /blobs/tenant/shard',
        'sync /blobs/tenant',
        'sync /blobs',
        'told',
      ])
    } finally {
      await endChildren()
      place.remove()
    }
  })
})
