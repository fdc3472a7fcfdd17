import { expect, it } from 'vitest'
import { createPlace, workshop } from '../../edges/cli/run-cli.js'

it('a budget in the config is shown in the list of tools, and does not keep a person from calling them', async () => {
  const place = createPlace(
    `tools: ['${workshop}']\nsurface: { deferral: { budgetTokens: 10, always: [notes.read] } }`,
  )
  const { stdout } = await place.run(['tools', '--json'])
  const tools = JSON.parse(stdout) as { tool_id: string; toolcrib: { surface: { visibility: string } } }[]
  const visibility = Object.fromEntries(tools.map((tool) => [tool.tool_id, tool.toolcrib.surface.visibility]))
  expect(visibility).toMatchObject({ 'math.add': 'deferred', 'notes.read': 'loaded' })
  expect(await place.run(['call', 'math.add', 'a=1', 'b=2'])).toMatchObject({ code: 0 })
})

it('an invalid budget is reported with its location', async () => {
  const { code, stderr } = await createPlace('surface:\n  deferral: { budgetTokens: lots }').run(['tools'])
  expect(code).not.toBe(0)
  expect(stderr).toContain('toolcrib.yaml:2')
  expect(stderr).toContain('budgetTokens')
})
