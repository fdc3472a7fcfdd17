import { execFile, spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasScript, onTerminal } from './on-terminal.js'
import { createPlace, root, bin, type Place } from './run-cli.js'

const LINES = 9000
const text = Array.from({ length: LINES }, (_, index) => `line ${index + 1} ☃ of many`).join('\n')
const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 31 + (index >> 8)) % 256))

const TOOLS = `
import { defineTool, toolOutput } from '${root}lib/index.js'
const calm = { namespace: 'test', isReadOnly: true, isOpenWorld: false }
export const long = defineTool({ ...calm, name: 'long', description: 'Says much.',
  execute: () => Array.from({ length: ${LINES} }, (_, index) => \`line \${index + 1} ☃ of many\`).join('\\n') })
export const picture = defineTool({ ...calm, name: 'picture', description: 'Draws.', mediaType: 'image/png',
  execute: () => Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 31 + (index >> 8)) % 256)) })
export const data = defineTool({ ...calm, name: 'data', description: 'Counts.',
  execute: () => ({ rows: Array.from({ length: 5000 }, (_, id) => ({ id, name: \`row \${id}\` })) }) })
export const half = defineTool({ ...calm, name: 'half', description: 'Half a text.', mediaType: 'text/plain',
  execute: () => new Blob([Buffer.concat([Buffer.from('text '.repeat(300_000)), Buffer.from([0xff, 0xfe, 0xc3])])]) })
export const dot = defineTool({ ...calm, name: 'dot', description: 'Draws little.', mediaType: 'image/png',
  execute: () => Buffer.from([137, 80, 78, 71, 0, 255, 10]) })
export const dropped = defineTool({ ...calm, name: 'dropped', description: 'Is not kept.', maxInlineChars: 300,
  persistence: 'drop_with_reason', execute: () => 'gone '.repeat(1000) })
export const never = defineTool({ ...calm, name: 'never', description: 'Is never kept.', persistence: 'never_persist',
  execute: () => 'gone' })
export const secret = defineTool({ ...calm, name: 'secret', description: 'Blabs.',
  execute: () => 'key AKIA7QXGRZ4TX5WVN2LK' })
export const report = defineTool({ ...calm, name: 'report', description: 'Delivers.',
  execute: () => toolOutput({ artifacts: [{ name: 'a.txt', content: 'one\\ntwo\\n' }] }) })
export const short = defineTool({ ...calm, name: 'short', description: 'Says little.', execute: () => 'little' })
`

function place(config = ''): Place {
  const made = createPlace(`tools: ['./tools.mjs']\n${config}`)
  made.write('tools.mjs', TOOLS)
  return made
}

async function called(tool: string, config = ''): Promise<Place> {
  const made = place(config)
  const { code, stderr } = await made.run(['call', tool])
  expect(code, stderr).toBe(0)
  return made
}

/** The output of a pipe, byte for byte. */
function piped({ folder, env }: Place, args: readonly string[]): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [bin, ...args],
      { cwd: folder, env: { ...process.env, ...env }, encoding: 'buffer', maxBuffer: 1e8 },
      (error, stdout) => (error ? reject(error) : resolve(stdout)),
    )
  })
}

describe('toolcrib read', () => {
  it('prints a page of the last call, and how to continue', async () => {
    const { run } = await called('test.long')
    const { code, stdout, stderr } = await run(['read', 'last', '--line', '4000', '--lines', '2'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(
      '4000\tline 4000 ☃ of many\n4001\tline 4001 ☃ of many\n[Lines 4000 to 4001 of 9000; read on with toolcrib read last --line 4002.]\n',
    )
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  it('accepts a ref, the id of a call, or a part of it', async () => {
    const { run } = await called('test.long')
    const shown = JSON.parse((await run(['show', 'last', '--json'])).stdout) as {
      result: { persisted_payload_ref: { uri: string }; invocation_id: string }
    }
    const { persisted_payload_ref: ref, invocation_id: id } = shown.result
    const pages = await Promise.all(
      [ref.uri, id, id.slice(5), 'last'].map(async (given) =>
        (await run(['read', given, '--lines', '1'])).stdout.replace(given, '…'),
      ),
    )
    expect(new Set(pages).size).toBe(1)
  })

  it('searches, and reads JSON by pointer', async () => {
    const long = await called('test.long')
    const found = await long.run(['read', 'last', '--search', 'LINE 777 ', '-i', '--context', '1'])
    expect(found.stdout).toContain('line 777 ☃ of many')
    expect(found.stdout).toContain('line 778 ☃ of many')
    const data = await called('test.data')
    expect((await data.run(['read', 'last', '--pointer', '/rows/4999/name'])).stdout).toContain('"row 4999"')
  })

  it('reads a short result in the same way', async () => {
    const { run } = await called('test.short')
    expect((await run(['read', 'last'])).stdout).toBe('1\tlittle\n[Line 1; this is the end.]\n')
  })

  it('--json prints the page as an object', async () => {
    const { run } = await called('test.long')
    const { stdout } = await run(['read', 'last', '--lines', '1', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'text',
      text: 'line 1 ☃ of many\n',
      lineCount: LINES,
      next: { by: 'lines', from: 2 },
    })
  })

  it('a call prints all of its text into a pipe or file', async () => {
    expect((await piped(place(), ['call', 'test.long'])).equals(Buffer.from(`${text}\n`))).toBe(true)
    const json = await piped(place(), ['call', 'test.data'])
    expect((JSON.parse(String(json)) as { rows: object[] }).rows).toHaveLength(5000)
  })

  it.skipIf(!hasScript)('a terminal shows the beginning, and the command for the rest', async () => {
    const { text: screen } = await onTerminal(place(), 'call test.long')
    expect(screen).toContain('All of it: toolcrib read last')
    expect(screen).not.toContain('result.read')
  })

  it('--all writes every stored byte: texts, images, and invalid texts', async () => {
    expect(
      (await piped(await called('test.long'), ['read', 'last', '--all'])).equals(Buffer.from(text)),
    ).toBe(true)
    expect((await piped(await called('test.picture'), ['read', 'last', '--all'])).equals(bytes)).toBe(true)
    const half = await piped(await called('test.half'), ['read', 'last', '--all'])
    expect(half.length).toBe(1_500_003)
    expect([...half.subarray(-4)]).toEqual([0x20, 0xff, 0xfe, 0xc3])
  })

  describe('prints one sentence for a common mistake', () => {
    it.each<[string, string[], RegExp]>([
      ['no such call', ['inv_nope'], /^There is no call "inv_nope"; "toolcrib log" lists what there is\.\n$/],
      [
        'a ref to nothing',
        ['toolcrib://invocations/inv_000/output'],
        /^There is nothing at toolcrib:\/\/invocations\/inv_000\/output\n$/,
      ],
      [
        'half a ref',
        ['toolcrib://nothing'],
        /is no ref; one\s+looks like toolcrib:\/\/invocations\/inv_…\/output\.\n$/,
      ],
      ['a word for a number', ['last', '--line', 'x'], /^--line must be a whole number, not "x"\.\n$/],
      ['no lines', ['last', '--lines', '0'], /^--lines must be at least 1\.\n$/],
      [
        'a line behind the end',
        ['last', '--line', '99999'],
        /^The payload has 9000 lines: ask for a line from 1 to 9000\.\n$/,
      ],
      [
        'a pattern without a search',
        ['last', '--regex'],
        /^--regex belongs to a search: give the text to find as --search/,
      ],
      ['a pointer into a text', ['last', '--pointer', '/a'], /not valid JSON/],
      ['two ways at once', ['last', '--line', '3', '--search', 'x'], /search.*line|line.*search/],
      ['nothing at all', [], /Missing required argument 'ref'/],
    ])('%s', async (_name, args, sentence) => {
      const { run } = await called('test.long')
      const { code, stdout, stderr } = await run(['read', ...args])
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(sentence)
      expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    })

    it('without a record, and creates no file', async () => {
      const { run, storeFile } = place()
      const { code, stderr } = await run(['read', 'last'])
      expect(code).toBe(2)
      expect(stderr.replaceAll('\n', ' ')).toContain('Nothing was recorded yet in')
      expect(existsSync(storeFile)).toBe(false)
    })
  })
})

describe('toolcrib read, if not everything was stored', () => {
  it.each([
    [
      'test.dropped',
      /^Only a preview is left; "toolcrib show inv_\w+" has it: .*: it is longer than the limit\.$/,
    ],
    ['test.never', /^Nothing of it is left: .* its tool wants it so\.$/],
  ])('%s was not stored, and the command reports that', async (tool, sentence) => {
    const { run } = await called(tool)
    for (const more of [[], ['--all'], ['--json']]) {
      const { code, stdout, stderr } = await run(['read', 'last', ...more])
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr.trimEnd()).toMatch(sentence)
    }
    expect((await run(['show', 'last'])).stdout).not.toContain('declared_for')
  })

  it('call, show and read print why bytes could not be stored', async () => {
    const { run, write } = place('blobs: { path: ./occupied }')
    write('occupied', 'a file')
    const { code, stdout, stderr } = await run(['call', 'test.long'])
    expect({ code, kept: stdout.includes('The rest was not kept.') }).toEqual({ code: 0, kept: true })
    expect(stderr).toMatch(/^Not all of the result was kept: the blob store cannot be reached/)
    expect((await run(['show', 'last'])).stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /not all of the result was kept: .*cannot be reached/,
    )
    const read = await run(['read', 'last'])
    expect(read).toMatchObject({ code: 1, stdout: '' })
    expect(read.stderr).toMatch(/^Only a preview is left.*cannot be reached/)
    expect(stderr + read.stderr).not.toContain('could_not_be_kept')
  })

  it('show reports that secrets were redacted', async () => {
    const { run } = await called('test.secret')
    expect((await run(['show', 'last'])).stdout).toContain('taken out of the result: it looks like a secret')
  })
})

describe('toolcrib read, other cases', () => {
  it('writes the bytes of a small image', async () => {
    const made = await called('test.dot')
    expect([...(await piped(made, ['read', 'last', '--all']))]).toEqual([137, 80, 78, 71, 0, 255, 10])
    const { run, folder } = made
    const said = await run(['read', 'last'])
    expect(said.stdout).toMatch(/^image\/png, 7 bytes; save it with: toolcrib read last --out \w+\.png\n$/)
    expect(await run(['read', 'last', '--out', 'dot.png'])).toMatchObject({ code: 0, stdout: '' })
    expect([...readFileSync(join(folder, 'dot.png'))]).toEqual([137, 80, 78, 71, 0, 255, 10])
    expect(await run(['read', 'last', '--out', 'dot.png'])).toMatchObject({
      code: 2,
      stderr: 'dot.png is there already; choose another name for --out.\n',
    })
  })

  it('reads the newest version of an artifact', async () => {
    const { run } = await called('test.report')
    const id = /art_\w+/.exec((await run(['artifacts', 'show', 'last'])).stdout)![0]
    expect((await run(['read', id, '--lines', '1'])).stdout).toBe(
      `1\tone\n[Line 1; read on with toolcrib read ${id} --line 2.]\n`,
    )
  })

  it('stops when the reader closes the pipe', async () => {
    const made = await called('test.half')
    const child = made.start(['read', 'last', '--all'])
    child.stdout!.once('data', () => child.stdout!.destroy())
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0)
  })

  it.skipIf(!existsSync('/dev/full'))('reports that the output cannot be written', async () => {
    const made = await called('test.long')
    const full = openSync('/dev/full', 'w')
    const ran = spawnSync(process.execPath, [bin, 'read', 'last', '--all'], {
      cwd: made.folder,
      env: { ...process.env, ...made.env },
      stdio: ['ignore', full, 'pipe'],
    })
    closeSync(full)
    expect(ran.status).toBe(2)
    expect(String(ran.stderr)).toMatch(/^The output cannot be written \(ENOSPC.*\); write it elsewhere\.\n$/)
  })
})

describe('toolcrib sweep', () => {
  it('keeps payloads within their time to live', async () => {
    const { run } = await called('test.long')
    expect((await run(['sweep'])).stdout).toBe('0 results expired; 0 files removed, 0 bytes.\n')
    expect((await run(['read', 'last', '--lines', '1'])).code).toBe(0)
  })

  it('marks expired payloads; reading one reports that', async () => {
    const { run, folder } = await called('test.long', 'results: { retainDays: { output: 0 } }')
    const { code, stdout } = await run(['sweep', '--json'])
    expect(code).toBe(0)
    // Bytes of the last hour stay: another process may be about to write their record.
    expect(JSON.parse(stdout)).toEqual({ expired: 1, removed: 0, bytes: 0 })
    const read = await run(['read', 'last'])
    expect(read.code).toBe(2)
    expect(read.stderr.replaceAll('\n', ' ')).toContain(
      'Its time is over, and only the record of it is left:',
    )
    expect((await run(['show', 'last'])).code).toBe(0)
    expect(readdirSync(join(folder, 'home'))).toContain('crib.blobs')
  })

  it('does nothing without a record', async () => {
    const { run, storeFile } = place()
    const { code, stdout, stderr } = await run(['sweep'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr.replaceAll('\n', ' ')).toContain('Nothing was recorded yet in')
    expect(existsSync(storeFile)).toBe(false)
  })
})
