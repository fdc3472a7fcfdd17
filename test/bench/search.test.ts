import { execFile } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { root } from '../edges/cli/run-cli.js'
import { temporaryFolder } from '../temporary-folder.js'

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true }))

function write(name: string, lines: readonly unknown[]): string {
  const path = join(folder, name)
  writeFileSync(
    path,
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  )
  return path
}

interface Run {
  code: number | string | undefined
  stdout: string
  stderr: string
}

function bench(...args: string[]): Promise<Run> {
  return new Promise((resolve) => {
    execFile(process.execPath, [`${root}bench/search.mjs`, ...args], (error, stdout, stderr) =>
      resolve({ code: error ? (error.code ?? 1) : 0, stdout, stderr }),
    )
  })
}

const tools = write('tools.jsonl', [
  {
    id: 'mail#1',
    name: 'send_email',
    description: 'Send an email to somebody.',
    parameters: { type: 'dict', properties: { to: { type: 'str', description: 'Who gets it.' } } },
    unheard: [1],
  },
  { id: 'mail#2', name: 'send_email', server: 'archive', description: 'Move an old letter to the archive.' },
  { id: 'weather', name: 'get_weather', description: 'The weather of a city.', parameters: null },
  {
    id: 'bare',
    name: 'crop_image',
    parameters: { type: 'object', properties: { box: { type: 'tuple', items: { type: 'float' } } } },
  },
  { id: 'invoice', name: 'create_invoice', description: '', parameters: { sum: { type: 'any' } } },
])
const queries = write('queries.jsonl', [
  { query: 'What is the weather in that city?', gold: ['weather'] },
  { query: 'crop the image, please', gold: ['bare', 'gone'], split: 'some' },
  { query: 'qxzvw jkqzx', gold: ['invoice'] },
  { query: 'old letter into the archive', gold: ['mail#2'] },
])

describe('bench/search.mjs', () => {
  it('prints one JSON object with what the files give by hand', async () => {
    const { code, stdout, stderr } = await bench('--tools', tools, '--queries', queries, '--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const figures = JSON.parse(stdout)
    // Found in the first place: all, one of two, none, all.
    const recall = (100 * (1 + 0.5 + 0 + 1)) / 4
    const half = 1 / (1 + 1 / Math.log2(3))
    expect(figures).toMatchObject({
      tools: 5,
      queries: 4,
      'recall@1': recall,
      'recall@3': recall,
      'recall@5': recall,
      'recall@10': recall,
      'ndcg@10': Number(((100 * (1 + half + 0 + 1)) / 4).toFixed(2)),
      unknownGold: ['gone'],
    })
    expect(figures.noMatch).toMatchObject({ wrongly: 1, wronglyThoughRankedInFive: 0 })
    expect(figures.noMatch.curve.map(({ kept }: { kept: number }) => kept)).toEqual([99, 95, 90, 80, 70, 50])
    expect(Object.keys(figures.latencyMs)).toEqual(['p50', 'p95', 'p99', 'max'])
  })

  it('takes the answers out and tells by confidence that they are gone', async () => {
    const asked = write('sure.jsonl', [
      { query: 'weather of a city', gold: ['weather'] },
      { query: 'crop image', gold: ['bare'] },
      { query: 'create invoice', gold: ['invoice'] },
    ])
    const { stdout } = await bench('--tools', tools, '--queries', asked, '--json')
    const { noMatch } = JSON.parse(stdout)
    expect(noMatch).toMatchObject({ wrongly: 0, auc: 1 })
    for (const point of noMatch.curve.slice(0, 3))
      expect(point).toMatchObject({ noMatch: 100, precision: 100 })
  })

  it('tells people the same', async () => {
    const { stdout } = await bench('--tools', tools, '--queries', queries)
    expect(stdout).toContain('4 queries over 5 tools')
    expect(stdout).toContain('recall@1 62.5')
    expect(stdout).toContain('1 gold ids are in no line of the tools and count as missed: gone')
  })

  it('runs without each part of the search', async () => {
    const { stdout } = await bench('--tools', tools, '--queries', queries, '--json', '--ablate')
    const { ablation } = JSON.parse(stdout)
    expect(ablation.map(({ variant }: { variant: string }) => variant)).toEqual([
      'everything',
      'without related',
      'without spelling',
      'without steps',
      'without meaning',
      'words alone',
    ])
    for (const row of ablation) expect(row['recall@1']).toBe(62.5)
  })

  it('counts a refusal as right where the answer is in no line of the tools', async () => {
    const asked = write('unknown.jsonl', [{ query: 'qxzvw jkqzx', gold: ['gone'] }])
    const { stdout } = await bench('--tools', tools, '--queries', asked, '--json')
    expect(JSON.parse(stdout).noMatch).toMatchObject({
      wrongly: 0,
      precision: 100,
      withoutGold: 100,
      auc: null,
    })
  })

  it('counts the first of the tools that share an id', async () => {
    const twice = write('twice.jsonl', [
      { id: 'a', name: 'paint_wall' },
      { id: 'a', name: 'other' },
    ])
    const asked = write('paint.jsonl', [{ query: 'paint a wall', gold: ['a'] }])
    const { stdout } = await bench('--tools', twice, '--queries', asked, '--json')
    expect(JSON.parse(stdout)).toMatchObject({ tools: 1, 'recall@1': 100, repeatedIds: ['a'] })
  })
})

const good = { id: 'a', name: 'a', description: 'a' }
describe('what bench/search.mjs cannot read', () => {
  it.each([
    ['no JSON', [good, '{"id":'], 'line 2: this is no JSON; write one object per line.'],
    ['no object', ['', '[1]'], 'line 2: this is no JSON object; write one object per line.'],
    ['no id', [{ name: 'a' }], 'line 1: a tool needs "id" and "name", each a non-empty text.'],
    ['nothing', [], 'holds no tools; write one {"id", "name", "description"} per line.'],
  ])('a tools file with %s', async (_what, lines, words) => {
    const path = write('bad-tools.jsonl', lines)
    const run = await bench('--tools', path, '--queries', queries, '--json')
    expect(run).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(words) })
    expect(run.stderr).toContain(path)
    expect(run.stderr.trimEnd()).not.toContain('\n')
  })

  it.each([
    ['no query', [{ gold: ['a'] }], 'line 1: a query needs "query", a non-empty text.'],
    [
      'no gold',
      [{ query: 'a' }],
      'line 1: a query needs "gold", a list of tool ids; an empty one where no tool answers it.',
    ],
    [
      'only empty gold',
      [{ query: 'a', gold: [] }],
      'holds no queries with gold; write one {"query", "gold": [ids]} per line.',
    ],
    ['nothing', [''], 'holds no queries with gold; write one {"query", "gold": [ids]} per line.'],
  ])('a queries file with %s', async (_what, lines, words) => {
    const path = write('bad-queries.jsonl', lines)
    const run = await bench('--tools', tools, '--queries', path)
    expect(run).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(words) })
  })

  it('a missing file, and unknown arguments', async () => {
    const gone = await bench('--tools', join(folder, 'gone.jsonl'), '--queries', queries)
    expect(gone.stderr).toContain('gone.jsonl cannot be read (ENOENT); give the path of a JSONL file.')
    const half = await bench('--tools', tools)
    expect(half.stderr).toMatch(/^Pass the tools and the queries: .*\n$/)
    const odd = await bench('--tool', tools)
    expect(odd).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^Unknown option '--tool'\. Pass .*\n$/),
    })
  })
})
