import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

/** The soak at a small size: `npm run soak` is the same with 100,000 calls. */
describe('random calls', () => {
  it('all end in one valid result, and reveal no secret', { timeout: 120_000 }, async () => {
    const script = fileURLToPath(new URL('./soak.mjs', import.meta.url))
    const { code, said } = await new Promise<{ code: number; said: string }>((resolve) => {
      const env = { ...process.env, NODE_OPTIONS: '', SOAK_CALLS: '1500', SOAK_KILLS: '2', SOAK_SHRINK: '4' }
      execFile(process.execPath, [script], { env, maxBuffer: 1e8 }, (error, stdout, stderr) =>
        resolve({ code: error ? 1 : 0, said: stdout + stderr }),
      )
    })
    expect(code, said).toBe(0)
  })
})
