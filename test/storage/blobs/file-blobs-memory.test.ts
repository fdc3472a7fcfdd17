import { describe, expect, it } from 'vitest'
import { openTemporaryFolder } from '../../temporary-folder.js'
import { endChildren, startChild } from '../run-child.js'

const streamLarge = new URL('./children/stream-large.mjs', import.meta.url)

describe.skipIf(process.platform === 'win32')('a large blob', () => {
  it('is never in memory as a whole, neither when written nor when read', async () => {
    const place = openTemporaryFolder()
    try {
      const small = ['env', 'NODE_OPTIONS=--max-old-space-size=64']
      const { code, stdout, stderr } = await startChild(streamLarge, [place.file('b'), '200'], small).end
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      const { same, sizeBytes, grownBytes } = JSON.parse(stdout) as Record<string, unknown>
      console.log(`200 MB through a file: memory grew by ${(Number(grownBytes) / 1e6).toFixed(1)} MB`)
      expect({ same, sizeBytes }).toEqual({ same: true, sizeBytes: 200_000_000 })
      expect(grownBytes).toBeLessThan(100_000_000)
    } finally {
      await endChildren()
      place.remove()
    }
  })
})
