import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { ownSchemas, toEmitSchema } from '../../../src/contract/index.js'
import { createPlace, root, type Place } from './run-cli.js'

const tools = `
import { defineTool, toolOutput } from '${root}lib/index.js'
const safe = { isReadOnly: true, isOpenWorld: false }
const make = (name, artifact) =>
  defineTool({ name, description: 'Makes.', ...safe, execute: () => toolOutput({ artifacts: [artifact] }) })
export default [
  make('report', { name: 'report.csv', title: 'The year', content: 'month,sum\\nMay,7\\n', handOff: { to: 'Ben' } }),
  make('sneak', { name: '../../etc/passwd', content: 'x' }),
  make('hide', { name: '.bashrc', content: 'x' }),
]
`

/** A folder in which each of these tools was called once. */
async function placeWith(...called: string[]): Promise<Place> {
  const place = createPlace(`tools: ['./tools.mjs']`)
  place.write('tools.mjs', tools)
  for (const name of called) expect((await place.run(['call', name])).code).toBe(0)
  return place
}

it('artifacts lists what was delivered, in 80 columns or as records', async () => {
  const place = await placeWith('report', 'sneak')
  const { stdout, code } = await place.run(['artifacts'])
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /^\S{11} {2}report\.csv {2}1 version {2}\S+\n {13}16 bytes {2}text\/csv {2}local\.report\n/,
  )
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  const lines = (await place.run(['artifacts', '--json'])).stdout.trim().split('\n')
  const validate = new Ajv2020({ strict: false }).compile(toEmitSchema(ownSchemas.toolcrib_artifact))
  for (const line of lines) expect(validate(JSON.parse(line)), JSON.stringify(validate.errors)).toBe(true)
  expect(lines.map((line) => JSON.parse(line).name)).toEqual(['report.csv', '../../etc/passwd'])
  expect((await place.run(['artifacts', '--tool', 'report', '--since', '1h'])).stdout).toContain('report.csv')
  expect(await place.run(['artifacts', '--name', 'other'])).toMatchObject({
    stdout: '',
    stderr: 'There is no such artifact.\n',
  })
})

it('artifacts says that nothing was delivered; "artifacts list" is the same', async () => {
  const none = await placeWith('report')
  const listed = await none.run(['artifacts', 'list', '--tool', 'report'])
  expect(listed).toMatchObject({ code: 0, stdout: (await none.run(['artifacts'])).stdout })
  const place = createPlace()
  await place.run(['call', 'math.add', 'a=1', 'b=2'])
  expect(await place.run(['artifacts'])).toEqual({
    code: 0,
    stdout: '',
    stderr: 'Nothing was delivered yet.\n',
  })
})

it('artifacts show prints all facts of one, found by a part of its id or as the last', async () => {
  const place = await placeWith('report')
  const { stdout } = await place.run(['artifacts', 'show', 'last'])
  for (const text of ['The year', 'Version 1', 'sha256:', 'hmac-sha256:', 'month,sum', 'Ben, version 1'])
    expect(stdout).toContain(text)
  const id = /art_\S+/.exec(stdout)![0]
  const short = (await place.run(['artifacts'])).stdout.slice(0, 11)
  expect(id).toContain(short)
  expect(JSON.parse((await place.run(['artifacts', 'show', short, '--json'])).stdout).artifact_id).toBe(id)
  expect(await place.run(['artifacts', 'show', 'nothing'])).toMatchObject({
    code: 2,
    stderr: 'There is no artifact "nothing"; "toolcrib artifacts" lists what there is.\n',
  })
})

it('artifacts export writes a file under its own name, and overwrites none', async () => {
  const place = await placeWith('report')
  const target = join(place.folder, 'report.csv')
  const { code, stdout } = await place.run(['artifacts', 'export', 'last'])
  expect([code, stdout]).toEqual([0, expect.stringContaining('report.csv  version 1, 16 bytes')])
  expect(readFileSync(target, 'utf8')).toBe('month,sum\nMay,7\n')
  writeFileSync(target, 'mine')
  const refused = await place.run(['artifacts', 'export', 'last'])
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('is there already; give another name with --to, or --force.')
  expect(readFileSync(target, 'utf8')).toBe('mine')
  const forced = await place.run(['artifacts', 'export', 'last', '--force', '--json', '--number', '1'])
  expect(JSON.parse(forced.stdout)).toMatchObject({ version: 1, uri: expect.stringMatching(/report\.csv$/) })
  expect(readFileSync(target, 'utf8')).toBe('month,sum\nMay,7\n')
  const wrong: [string[], RegExp][] = [
    [['--number', '2'], /has no version 2; it has 1/],
    [['--number', 'x'], /--number must be the number of a version/],
    [['--to', 'no/such/file'], /There is no folder/],
  ]
  for (const [options, sentence] of wrong) {
    const ran = await place.run(['artifacts', 'export', 'last', ...options])
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringMatching(sentence)])
  }
})

it('the name of an artifact never leaves the folder, and is no hidden file', async () => {
  const place = await placeWith('sneak')
  await place.run(['artifacts', 'export', 'last'])
  expect(existsSync(join(place.folder, 'passwd'))).toBe(true)
  const hidden = await placeWith('hide')
  const ran = await hidden.run(['artifacts', 'export', 'last'])
  expect([ran.code, ran.stderr]).toEqual([2, '".bashrc" cannot be the name of a file; give one with --to.\n'])
})

it('without a record, the commands say so', async () => {
  const place = createPlace()
  expect((await place.run(['artifacts'])).stderr).toContain('Nothing was recorded yet')
  expect(await place.run(['artifacts', 'export', 'last'])).toMatchObject({ code: 2, stdout: '' })
})
