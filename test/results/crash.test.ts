import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { sqliteStore } from 'toolcrib'
import { fileBlobs } from 'toolcrib/blobs'
import { openCrib } from '../scenarios/open-crib.js'
import { endChildren, startChild } from '../storage/run-child.js'
import { temporaryFolder } from '../temporary-folder.js'
import { keptIn } from './give.js'
import { documentsOf } from '../storage/make-records.js'

afterEach(endChildren)

const HOUR_MS = 3_600_000

it('a process that is killed between the bytes and their record leaves no ref, and the bytes are swept', async () => {
  const folder = temporaryFolder()
  const child = startChild(new URL('./children/stop-between.mjs', import.meta.url), [folder])
  await child.said('committed')
  child.kill('SIGKILL')
  const { stdout } = await child.end
  const { committed, call } = JSON.parse(stdout) as { committed: string; call: string }

  let aheadMs = 0
  const blobs = fileBlobs({ path: join(folder, 'crib.blobs') })
  const crib = await openCrib({
    store: sqliteStore({ path: join(folder, 'crib.db') }),
    blobs,
    clock: () => Date.now() + aheadMs,
  })
  const ref = `toolcrib://invocations/${call}/output`
  const result = (await crib.result(call))!
  expect(result.is_error).toBe(true)
  expect(JSON.stringify(result)).not.toContain(ref)
  await expect(crib.read(ref)).resolves.not.toMatchObject({ text: expect.stringContaining('some output') })
  expect(await documentsOf(crib.store, 'default', 'payload')).toEqual([])

  expect(await crib.sweep()).toMatchObject({ removed: 0 })
  expect((await keptIn(blobs)).map(({ digest }) => digest)).toEqual([committed])
  aheadMs = 2 * HOUR_MS
  expect(await crib.sweep()).toEqual({ expired: 0, removed: 1, bytes: 120_000 })
  expect(await keptIn(blobs)).toEqual([])
})
