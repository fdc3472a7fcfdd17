import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasScript, onTerminal } from '../on-terminal.js'
import { untilPrinted } from '../run-cli.js'
import { HELPER, LOOK, toolPlace } from './tool-folder.js'

const GOOD = { 'tools/look-up.tool.md': LOOK, 'agents/helper.agent.md': HELPER }
const BAD = {
  ...GOOD,
  'tools/look-up.tool.md': LOOK.replace('"retrieval"', '"retreival"').replace(
    'example.com"',
    'example.com/"',
  ),
}
const WARNED = { ...GOOD, 'tools/look-up.tool.md': LOOK.replace('  side_effects: "None"\n', '') }

describe('toolcrib compile', () => {
  it('says what was compiled, of the current folder or of a given one', async () => {
    const { run } = toolPlace({
      ...GOOD,
      ...Object.fromEntries(Object.entries(BAD).map(([file, text]) => [`bad/${file}`, text])),
    })
    expect(await run(['compile'])).toEqual({
      code: 0,
      stdout: 'Compiled 1 tool and 1 agent; no problems.\n',
      stderr: '',
    })
    const bad = await run(['compile', 'bad'])
    expect(bad.code).toBe(1)
    expect(bad.stdout).toContain('bad/tools/look-up.tool.md:10:7 error aml/invalid-type\n')
    expect((await run(['compile', 'nowhere'])).stdout).toContain('nowhere:1:1 error aml/missing-folder')
  })

  it('shows each problem with its line, a caret and its fix', async () => {
    const { code, stdout } = await toolPlace(BAD).run(['compile'])
    expect(code).toBe(1)
    expect(stdout).toBe(`tools/look-up.tool.md:10:7 error aml/invalid-type
  "type" must be one of retrieval, action, function, human; did you mean
  "retrieval"?
  10 | type: "retreival"
     |       ^^^^^^^^^^^
  --fix: Change it to retrieval

tools/look-up.tool.md:21:13 error aml/base-url-trailing-slash
  Remove the slash at the end of "transport.base_url".
  21 |   base_url: "https://kb.example.com/"
     |             ^^^^^^^^^^^^^^^^^^^^^^^^^
  --fix: Change it to https://kb.example.com

2 errors in 1 file; --fix mends 2. Compiled 0 tools and 1 agent.
`)
  })

  it('shows nothing of files that links lead to', async () => {
    const { run, folder } = toolPlace({ ...GOOD, '.npmrc': '_authToken=hunter2' })
    symlinkSync(join(folder, '.npmrc'), join(folder, 'tools/token.tool.md'))
    symlinkSync(join(folder, '.npmrc'), join(folder, 'toolcrib.lock'))
    symlinkSync('/dev/zero', join(folder, 'tools/endless.tool.md'))
    for (const format of [[], ['--sarif'], ['--json'], ['--github']]) {
      const { code, stdout, stderr } = await run(['compile', ...format])
      expect(code).toBe(1)
      expect(stdout).toContain('aml/unreadable-file')
      expect(stdout + stderr).not.toContain('hunter2')
    }
  })

  it('prints no secret of a file', async () => {
    const token = ['ghp', 'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5'].join('_')
    const credentials = `scheme: "bearer-token", source: "env",\n    name: "${token}",\n    token: "hunter2"`
    const { run } = toolPlace({
      ...GOOD,
      'tools/look-up.tool.md': LOOK.replace('scheme: "none"', credentials),
    })
    for (const format of [[], ['--sarif'], ['--json'], ['--github']]) {
      const { code, stdout, stderr } = await run(['compile', ...format])
      expect(code).toBe(1)
      for (const rule of ['aml/likely-secret', 'aml/secret-in-file']) expect(stdout).toContain(rule)
      expect(stdout + stderr).not.toMatch(/ghp_|hunter2/)
    }
  })

  it('warnings end with 0, and with --strict with 1', async () => {
    const { run } = toolPlace(WARNED)
    expect(await run(['compile'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 warning in 1 file; --fix mends 1.'),
    })
    expect(await run(['compile', '--strict'])).toMatchObject({ code: 1 })
  })

  it('--fix writes the fixes, until there is nothing more to mend', async () => {
    const { run, folder } = toolPlace({
      ...BAD,
      'agents/helper.agent.md': HELPER.replace('"look-up"', '"look-pu"'),
    })
    const { code, stdout } = await run(['compile', '--fix'])
    expect(stdout).toBe(`fixed agents/helper.agent.md:6 aml/unresolved-ref: Change it to look-up
fixed tools/look-up.tool.md:10 aml/invalid-type: Change it to retrieval
fixed tools/look-up.tool.md:21 aml/base-url-trailing-slash: Change it to https://kb.example.com
Compiled 1 tool and 1 agent; no problems.
`)
    expect(code).toBe(0)
    expect(readFileSync(join(folder, 'tools/look-up.tool.md'), 'utf8')).toBe(LOOK)
    expect((await run(['compile', '--fix'])).stdout).toBe('Compiled 1 tool and 1 agent; no problems.\n')
  })

  it('--json is one object with all problems and fixes', async () => {
    const { run } = toolPlace(BAD)
    const { code, stdout } = await run(['compile', '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      tools: 0,
      agents: 1,
      errors: 2,
      warnings: 0,
      fixes: [],
      problems: [
        {
          file: 'tools/look-up.tool.md',
          code: 'aml/invalid-type',
          level: 'error',
          line: 10,
          column: 7,
          endLine: 10,
          endColumn: 18,
          fix: { text: '"retrieval"' },
        },
        { code: 'aml/base-url-trailing-slash' },
      ],
    })
    expect(JSON.parse((await run(['compile', '--json', '--fix'])).stdout)).toMatchObject({
      errors: 0,
      fixes: [{ file: 'tools/look-up.tool.md', code: 'aml/invalid-type', line: 10 }, {}],
    })
  })

  it('--sarif is a log with the rules, the places and the fixes', async () => {
    const { run } = toolPlace(
      Object.fromEntries(Object.entries(BAD).map(([file, text]) => [`a b/${file}`, text])),
    )
    const { code, stdout } = await run(['compile', 'a b', '--sarif'])
    expect(code).toBe(1)
    const log = JSON.parse(stdout)
    expect(log).toMatchObject({ version: '2.1.0', $schema: expect.stringContaining('sarif-2.1.0') })
    const [{ tool, results, columnKind }] = log.runs
    expect(columnKind).toBe('utf16CodeUnits')
    expect(tool.driver).toMatchObject({ name: 'toolcrib', version: expect.any(String) })
    for (const { ruleId, ruleIndex, level, message } of results) {
      expect(tool.driver.rules[ruleIndex]).toMatchObject({ id: ruleId, defaultConfiguration: { level } })
      expect(message.text).not.toBe('')
    }
    const artifactLocation = { uri: 'a%20b/tools/look-up.tool.md' }
    const region = { startLine: 10, startColumn: 7, endLine: 10, endColumn: 18 }
    expect(results[0]).toMatchObject({
      ruleId: 'aml/invalid-type',
      level: 'error',
      locations: [{ physicalLocation: { artifactLocation, region } }],
      fixes: [
        {
          description: { text: 'Change it to retrieval' },
          artifactChanges: [
            {
              artifactLocation,
              replacements: [{ deletedRegion: region, insertedContent: { text: '"retrieval"' } }],
            },
          ],
        },
      ],
    })
  })

  it('--github prints annotations with paths from the root of the checkout', async () => {
    const { run, folder } = toolPlace(BAD)
    const { code, stdout, stderr } = await run(['compile', '--github'], {
      env: { GITHUB_WORKSPACE: join(folder, '..') },
    })
    expect(code).toBe(1)
    const [first] = stdout.split('\n')
    expect(first).toContain(
      `::error file=${basename(folder)}/tools/look-up.tool.md,line=10,endLine=10,col=7,endColumn=18,title=aml/invalid-type::"type" must be one of`,
    )
    expect(stderr).toContain('2 errors in 1 file')
  })

  it('--lock publishes a state without errors, and later changes are compared with it', async () => {
    const { run, put, folder } = toolPlace(BAD)
    expect(await run(['compile', '--lock'])).toMatchObject({ code: 1 })
    expect(existsSync(join(folder, 'toolcrib.lock'))).toBe(false)
    put('tools/look-up.tool.md', LOOK)
    expect(await run(['compile', '--lock'])).toMatchObject({
      code: 0,
      stderr: 'Wrote toolcrib.lock; commit it with the tools.\n',
    })
    expect((await run(['compile', '--lock'])).stderr).toBe('toolcrib.lock is up to date.\n')
    put(
      'tools/look-up.tool.md',
      LOOK.replace('required: [query]', 'required: [query, page]').replace(
        '{ type: string }',
        '{ type: string }\n      page: { type: integer }',
      ),
    )
    const before = readFileSync(join(folder, 'toolcrib.lock'), 'utf8')
    expect(await run(['compile'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('aml/breaking-input'),
    })
    expect(await run(['compile', '--lock'])).toMatchObject({ code: 1 })
    expect(readFileSync(join(folder, 'toolcrib.lock'), 'utf8')).toBe(before)
    expect(await run(['compile', '--lock', '--force'])).toMatchObject({ code: 0 })
    expect(await run(['compile'])).toMatchObject({ code: 0 })
    expect(await run(['compile', '--force'])).toMatchObject({ code: 2 })
  })

  it('refuses two outputs at once', async () => {
    const { run } = toolPlace(GOOD)
    expect(await run(['compile', '--json', '--sarif'])).toMatchObject({
      code: 2,
      stderr: 'Give one of --json and --sarif: there is one output.\n',
    })
    expect(await run(['compile', '--watch', '--sarif'])).toMatchObject({ code: 2 })
  })

  it('--watch compiles after each change, one report for each', async () => {
    const { start, put } = toolPlace(GOOD)
    const child = start(['compile', '--watch'])
    await untilPrinted(child, /1 agent; no problems/)
    const changed = untilPrinted(child, /1 error in 1 file/)
    put('agents/helper.agent.md', HELPER.replace('"look-up"', '"gone-tool"'))
    expect(await changed).toContain('aml/unresolved-ref')
    const added = untilPrinted(child, /2 tools/)
    put('tools/gone-tool.tool.md', LOOK.replace('"look-up"', '"gone-tool"'))
    await added
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGINT')
    await ended
  })

  it.skipIf(!hasScript)('fits into 80 columns, and long lines are shown around their problem', async () => {
    const long = LOOK.replace(
      '{ type: string }',
      `{ type: string, description: "${'a long description '.repeat(6)}", formt: "email" }`,
    )
    const place = toolPlace({ 'tools/look-up.tool.md': long })
    const { text } = await onTerminal(place, 'compile', { env: { NO_COLOR: '1' } })
    const lines = text.trimEnd().split('\n')
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
    const at = lines.findIndex((line) => line.includes('formt: '))
    expect(lines[at]!.indexOf('formt')).toBe(lines[at + 1]!.indexOf('^'))
  })
})
