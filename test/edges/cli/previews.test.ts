import { expect, it } from 'vitest'
import { createPlace, root, type Place } from './run-cli.js'

const toolsWith = (description: string): string => `import { defineTool } from '${root}lib/index.js'
const tool = (name, more) => defineTool({ namespace: 'notes', name, description: '${description}', execute: () => 1, ...more })
export const read = tool('read', { isReadOnly: true, isOpenWorld: false })
export const wipe = tool('wipe')
`
const CONFIG = `tools: [tools.mjs]
permission: { deny: [notes.wipe] }
serve: { surfaces: { small: { include: [notes.w*] } } }
`

function openPlace(): Place {
  const place = createPlace('')
  place.write('tools.mjs', toolsWith('Does something.'))
  place.write('toolcrib.yaml', CONFIG)
  return place
}

it('tools history shows the versions of a tool and what changed, also when the tool is gone', async () => {
  const place = openPlace()
  expect((await place.run(['tools', 'history', 'notes.read'])).stderr).toContain('Nothing was recorded yet')
  await place.run(['call', 'notes.read'])
  place.write('tools.mjs', toolsWith('Does something else.'))
  await place.run(['call', 'notes.read'])
  place.write('toolcrib.yaml', '{}')
  const { code, stdout } = await place.run(['tools', 'history', 'notes.read'])
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /^sha256:\w{12} {2}[\d :-]+ – now\n {2}description:\n {2}- Does something\.\n {2}\+ Does something else\.\nsha256:\w{12} /,
  )
  const json = await place.run(['tools', 'history', 'read', '--json'])
  expect(JSON.parse(json.stdout)).toMatchObject([
    { is_current: true, diff: { changed: ['description'] } },
    { is_current: false, last_seen_at: expect.any(String) as string },
  ])
  const unknown = await place.run(['tools', 'history', 'nothing'])
  expect(unknown).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('No version of "nothing"') as string,
  })
}, 30_000)

it('surfaces preview gives the reason for every tool of a surface', async () => {
  const place = openPlace()
  const { code, stdout, stderr } = await place.run(['surfaces', 'preview'])
  expect(code).toBe(0)
  const lines = stdout.split('\n')
  expect(lines[1]).toMatch(/^denied +notes\.wipe {3}The rule deny notes\.wipe/)
  expect(lines[0]).toMatch(/^loaded +\d+ {2}notes\.read$/)
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
  expect(stderr).toMatch(/^The list takes \d+ of \d+ tokens\. The budget is 20,000 tokens\.\n$/)
  const small = JSON.parse((await place.run(['surfaces', 'preview', 'small', '--json'])).stdout) as {
    items: { tool_id: string; visibility: string }[]
  }
  expect(small).toMatchObject({ surface: 'small', budget_tokens: 20_000, loaded_tokens: 0 })
  expect(small.items[0]).toMatchObject({ tool_id: 'notes.read', visibility: 'hidden' })
  expect((await place.run(['surfaces'])).stdout).toBe('default  config\nsmall    config\n')
  const unknown = await place.run(['surfaces', 'preview', 'none'])
  expect(unknown).toMatchObject({ code: 2, stderr: 'There is no surface "none"; there is default, small.\n' })
}, 30_000)

it('rules preview shows which calls would be decided otherwise, and changes nothing', async () => {
  const place = openPlace()
  await place.run(['call', 'notes.read'])
  const denied = await place.run(['rules', 'preview', '--deny', 'notes.read'])
  expect(denied.code).toBe(0)
  expect(denied.stdout).toMatch(/^allow → deny {3}notes\.read +\w+ {2}[\d :-]+\n$/)
  expect(denied.stderr).toBe('1 call was examined; 1 of them would be decided otherwise.\n')
  const json = await place.run(['rules', 'preview', '--remove', 'deny notes.wipe', '--ask', 'x(', '--json'])
  expect(json.code).toBe(1)
  expect(JSON.parse(json.stdout)).toMatchObject({
    examined: 1,
    changed: [],
    problems: [expect.stringContaining('"x("') as string],
  })
  expect(await place.run(['rules', 'preview'])).toMatchObject({ code: 2 })
  expect(await place.run(['rules', 'preview', '--remove', 'Bash'])).toMatchObject({ code: 2 })
  expect(await place.run(['rules', 'preview', '--deny', 'a', '--limit', '5000'])).toMatchObject({ code: 2 })
  expect((await place.run(['rules'])).stdout).toContain('notes.wipe')
}, 30_000)
