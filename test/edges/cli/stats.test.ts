import { describe, expect, it } from 'vitest'
import { createPlace, workshop } from './run-cli.js'
import type { Statistics } from '../../../src/index.js'

describe('toolcrib stats', () => {
  it('prints a table of the calls and tools, with a line of bars, within 80 columns', async () => {
    const place = createPlace(`tools: ['${workshop}']\nactor: ada`)
    for (const text of ['to be', 'or not']) await place.run(['call', 'text.count', `text=${text}`])
    await place.run(['call', 'text.count', 'wrong=1'])
    const { code, stdout } = await place.run(['stats', '--since', '2h'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^calls +3 +█$/m)
    expect(stdout).toMatch(/^errors +1 +33\.3% of the calls$/m)
    expect(stdout).toMatch(/^denied +0$/m)
    expect(stdout).toMatch(/^time +p50 \d+ ms, p95 \d+ ms, p99 \d+ ms$/m)
    expect(stdout).toMatch(/^text\.count +3 +1 +\d+ ms +\d+ ms$/m)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  it('prints the qualified names of tools with other ids, as the console does', async () => {
    const place = createPlace(`builtins: { code: {} }\npermission: { allow: [code.run] }`)
    await place.run(['call', 'code.run', 'code=return 1'])
    expect((await place.run(['stats'])).stdout).toMatch(/^local\.code\.code\.run +1 +0 /m)
    const { by_tool: byTool } = JSON.parse((await place.run(['stats', '--json'])).stdout) as Statistics
    expect(byTool).toMatchObject([{ tool_id: 'tool_code_run', tool_name: 'local.code.code.run', calls: 1 }])
  })

  it('prints the numbers as JSON, and counts only the rest the next time', async () => {
    const place = createPlace(`tools: ['${workshop}']`)
    await place.run(['call', 'text.count', 'text=one'])
    const numbers = async (): Promise<Statistics> =>
      JSON.parse((await place.run(['stats', '--json'])).stdout) as Statistics
    expect(await numbers()).toMatchObject({ is_complete: true, totals: { calls: 1, errors: 0 } })
    await place.run(['call', 'text.count', 'text=two'])
    const { totals, by_tool: byTool, points } = await numbers()
    expect(totals.calls).toBe(2)
    expect(byTool).toMatchObject([{ tool_id: 'text.count', calls: 2 }])
    expect(points.at(-1)!.calls + points.at(-2)!.calls).toBe(2)
  })

  it('says what it needs, and that nothing was recorded', async () => {
    const place = createPlace(`tools: ['${workshop}']`)
    expect(await place.run(['stats', '--since', 'soon'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"soon" is no time'),
    })
    expect((await place.run(['stats'])).stderr).toContain('Nothing was recorded yet')
  })
})
