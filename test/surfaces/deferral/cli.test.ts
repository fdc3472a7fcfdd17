import { expect, it } from 'vitest'
import { createPlace, workshop } from '../../edges/cli/run-cli.js'

it('a budget of the config shows in the list of tools, and does not keep a person from calling them', async () => {
  const place = createPlace(
    `tools: ['${workshop}']\nsurface: { deferral: { budgetTokens: 10, always: [notes.read] } }`,
  )
  const { stdout } = await place.run(['tools', '--json'])
  const tools = JSON.parse(stdout) as { tool_id: string; toolcrib: { surface: { standing: string } } }[]
  const standing = Object.fromEntries(tools.map((tool) => [tool.tool_id, tool.toolcrib.surface.standing]))
  expect(standing).toMatchObject({ 'math.add': 'deferred', 'notes.read': 'loaded' })
  expect(await place.run(['call', 'math.add', 'a=1', 'b=2'])).toMatchObject({ code: 0 })
})

it('a budget that cannot be meant is told with its place', async () => {
  const { code, stderr } = await createPlace('surface:\n  deferral: { budgetTokens: lots }').run(['tools'])
  expect(code).not.toBe(0)
  expect(stderr).toContain('toolcrib.yaml:2')
  expect(stderr).toContain('budgetTokens')
})
