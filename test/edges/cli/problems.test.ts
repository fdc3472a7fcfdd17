import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { coreObjects, schemas, type CoreObject } from '../../../src/contract/schemas.js'
import { toEmitSchema } from '../../../src/contract/to-emit-schema.js'
import { configSchema } from '../../../src/platform/config/schema/config-schema.js'
import { openDatabase } from '../../../src/storage/sqlite/open-database.js'
import { commands } from '../../../src/edges/cli/program/commands.js'
import { completionScript, shells } from '../../../src/edges/cli/program/completion-script.js'
import { createProgram } from '../../../src/edges/cli/program/create-program.js'
import { createTerminal } from '../../../src/edges/cli/terminal/terminal.js'
import { bin, createPlace, root, workshop } from './run-cli.js'

const hint = new RegExp(`toolcrib (?:${commands.map(({ name }) => name).join('|')})\\b`)

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true }).flatMap((entry) =>
    entry.name.endsWith('.ts') ? [join(entry.parentPath, entry.name)] : [],
  )
}

describe('config problems', () => {
  it('are printed all at once with file and line', async () => {
    const place = createPlace('toools:\n  - x.mjs\ntimeoutMs: soon\n')
    const { code, stdout, stderr } = await place.run(['tools'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/toolcrib\.yaml:1: unknown key "toools"; did you mean "tools"\?/)
    expect(stderr).toMatch(/toolcrib\.yaml:3: "timeoutMs" must be a whole number/)
  })

  it('name the line of a pattern that matches nothing, and every module that fails', async () => {
    const place = createPlace(
      'tools:\n  - ./nowhere/*.mjs\n  - ./broken.mjs\n  - ./empty.mjs\n  - ./bare.mjs\n',
    )
    place.write('broken.mjs', '\nthrow new Error("no drill")\n')
    place.write('empty.mjs', 'export const answer = 42\n')
    place.write('bare.mjs', 'export const tool = { name: "x", execute() {} }\n')
    const { code, stderr } = await place.run(['call', 'x'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/toolcrib\.yaml:2: "\.\/nowhere\/\*\.mjs" in tools matches no file/)
    expect(stderr).toMatch(/broken\.mjs:2: no drill/)
    expect(stderr).toMatch(/empty\.mjs: it exports no tool/)
    expect(stderr).toMatch(/bare\.mjs: its export "tool" is not a tool yet/)
  })

  it('name the module that defines a tool twice', async () => {
    const place = createPlace(`tools: ['${workshop}', './again.mjs']`)
    place.write(
      'again.mjs',
      `export { add } from '${workshop}'\nexport const more = { ...(await import('${workshop}')).add }`,
    )
    const { code, stderr } = await place.run(['tools'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/again\.mjs: The tool "math\.add" is already\s+there/)
  })

  it.each([
    ['redaction: { way: protect }', /toolcrib\.yaml:2: "redaction": "protect" needs "readers"/],
    [
      'blobs: { kind: s3 }',
      /toolcrib\.yaml:2: "blobs" of the kind s3: "bucket" must be the name of a bucket/,
    ],
    ['blobs: { kind: s3, bucket: abc, endpoint: nowhere }', /toolcrib\.yaml:2: .*"endpoint" must be an http/],
    ['results: { retainDays: { output: true } }', /toolcrib\.yaml:2: .*at least\s+0 or false, not true/],
    ['results: { maxInlineTokens: 0 }', /toolcrib\.yaml:2: .*at least 1,\s+not 0/],
    ['blobs: { kind: s3, bucket: abc }', /its keys are not there: set AWS_ACCESS_KEY_ID and AWS_SECRET/],
  ])('%s', async (line, sentence) => {
    const place = createPlace(`tools: ['${workshop}']\n${line}\n`)
    const none = { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' }
    const { code, stdout, stderr } = await place.run(['call', 'math.add', 'a=1', 'b=2'], { env: none })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(sentence)
    expect(stderr).not.toMatch(/^\s+at /m)
  })

  it('blobs of the kind files need no path', async () => {
    const place = createPlace(`tools: ['${workshop}']\nblobs: { kind: files }\n`)
    expect(await place.run(['call', 'math.add', 'a=1', 'b=2'])).toMatchObject({ code: 0 })
  })

  it('blobs that cannot be reached print one sentence', async () => {
    const place = createPlace(`tools: ['${workshop}']\nblobs: { path: ./occupied }\n`)
    place.write('occupied', 'a file')
    await place.run(['call', 'math.add', 'a=1', 'b=2'])
    const { code, stdout, stderr } = await place.run(['sweep'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^\S*occupied cannot be reached; name a folder[^\n]*\n$/)
  })

  it('a missing config file', async () => {
    const { code, stderr } = await createPlace().run(['tools', '--config', 'missing.yaml'])
    expect(code).toBe(2)
    expect(stderr).toContain('missing.yaml: there is no such file')
  })

  it('without a config, call prints how to begin', async () => {
    const { code, stderr } = await createPlace('').run(['call', 'math.add'])
    expect(code).toBe(2)
    expect(stderr).toContain('toolcrib.yaml')
  })
})

describe('store problems', () => {
  it.each([['call', 'math.add', 'a=1', 'b=2'], ['log'], ['show', 'last']])(
    'not a database: %s',
    async (...args) => {
      const place = createPlace()
      const file = place.write(
        'notes.txt',
        'This is no database, it is a shopping list: milk, bread, a drill.\n',
      )
      const { code, stdout, stderr } = await place.run([...args, '--store', file])
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toBe(`${file} is not a SQLite database; move it away or give the store another path.\n`)
      expect(readFileSync(file, 'utf8')).toContain('milk')
    },
  )

  it('a store of a newer toolcrib', async () => {
    const place = createPlace()
    await place.run(['call', 'math.add', 'a=1', 'b=2'])
    const database = openDatabase(place.storeFile)
    database.exec('PRAGMA user_version = 999')
    database.close()
    const { code, stderr } = await place.run(['log'])
    expect(code).toBe(2)
    expect(stderr).toContain('newer toolcrib')
  })

  it('a path of the config, the command line, or memory', async () => {
    const place = createPlace(`tools: ['${workshop}']\nstore: { path: ./kept/here.db }`)
    await place.run(['call', 'math.add', 'a=1', 'b=2'])
    expect((await place.run(['log', '--store', 'kept/here.db'])).stdout).toContain('math.add')
    rmSync(join(place.folder, 'kept'), { recursive: true })
    await place.run(['call', 'math.add', 'a=1', 'b=2', '--store', 'memory'])
    expect((await place.run(['log'])).stderr).toContain('Nothing was recorded yet')
  })
})

describe('the command line itself', () => {
  const shown = createTerminal(process)

  it('--help lists every command in 80 columns, and help prints the same', async () => {
    const place = createPlace('')
    const { code, stdout } = await place.run(['--help'])
    expect(code).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
    for (const { name } of commands) {
      const [first = '', second] = name.split(' ')
      const line = lines.find((each) => each.startsWith(`  ${first} `))
      expect(line, name).toMatch(second === undefined ? first : new RegExp(`[ ,]${second}(?:,|$| {2})`))
    }
    for (const args of [[], ['help']]) expect((await place.run(args)).stdout).toBe(stdout)
  })

  it('help prints the help of a command, and suggests one for a misspelled name', async () => {
    const place = createPlace('')
    const said = await place.run(['tools', 'search', '--help'])
    for (const words of [['tools', 'search'], ['tools search']])
      expect(await place.run(['help', ...words])).toEqual(said)
    expect(await place.run(['help', 'tools', 'serch'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'Unknown command "serch"; did you mean "search"?\n',
    })
  })

  it.each(commands.map(({ name }) => name))('%s --help shows its options and an example', async (name) => {
    const row = commands.find((each) => each.name === name)!
    let said = ''
    const terminal = { ...shown, print: (text: string) => void (said += text) }
    const program = createProgram(terminal, () => {})
    // Commander has printed it by then.
    await program.parseAsync([...name.split(' '), '--help'], { from: 'user' }).catch(() => {})
    for (const { flags } of row.options ?? []) expect(said).toContain(flags)
    for (const text of ['--config <file>', '--store <path>', '--json', row.examples[0]!])
      expect(said).toContain(text)
  })

  it('mistakes print one sentence, with exit code 2', async () => {
    const place = createPlace()
    const wrong: [string[], RegExp][] = [
      [['tolls'], /did you mean "tools"\?/],
      [['xyzzy'], /there are .*tools, call, batch, tasks/],
      [['tools', '--jsn'], /--json/],
      [['call'], /Missing required argument 'tool'/],
      [['show', 'a', 'b'], /Too many arguments/],
      [['tools', 'serch', 'mail'], /^Unknown command "serch"; did you mean "search"\?$/m],
      [['rules', 'xyzzy'], /^Unknown command "xyzzy"; there are add/m],
      [['schema', 'tool_resul'], /did you mean "tool_result"\?/],
    ]
    for (const [args, sentence] of wrong) {
      const { code, stdout, stderr } = await place.run(args)
      expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' })
      expect(stderr).toMatch(sentence)
      expect(stderr.trim().split('\n')).toHaveLength(1)
    }
  })

  it('hints repeat the given config and store', async () => {
    const place = createPlace('')
    place.write("it's mine.json", '{"mcpServers": {"book": {"command": "true"}}}')
    const { stderr } = await place.run(['servers', '--config', "it's mine.json", '--store', 'a.db'])
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
      String.raw`toolcrib trust --config 'it'\''s mine.json' --store a.db`,
    )
  })

  it('every hint is made by ownCommand', () => {
    // Commands that need neither config nor record, and texts for people elsewhere.
    const isFree =
      /toolcrib (?:demo|redact|schema|shell|explain Bash|import <file>|tools search (?:send|select:math))/
    const found = filesBelow(join(root, 'src')).flatMap((path) =>
      readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line) && hint.test(line) && !isFree.test(line))
        .map((line) => `${path.slice(root.length)}: ${line.trim()}`),
    )
    const isElsewhere =
      /^src\/(?:edges\/cli\/(?:command-rows|program\/(?:completion-script|create-program|root-help)|commands\/approvals|commands\/demo|serve\/)|host\/serving\/(?:approvals-command|why-no-tools)|platform\/config\/|edges\/mcp\/|edges\/server\/|policy\/|shell\/|hooks\/|approvals\/|platform\/sealing\/)/

    expect(found.filter((each) => !isElsewhere.test(each))).toEqual([])
  })

  it.each(shells)('the completion script of %s has every command and every option', (shell) => {
    const script = completionScript(shell)
    for (const { name, options = [] } of commands) {
      expect(script).toContain(name.split(' ').at(-1)!)
      for (const { flags } of options) expect(script).toContain(/--([\w-]+)/.exec(flags)![1]!)
    }
  })

  it('the completion script of bash completes commands, options, words and names', () => {
    const offered = (...words: string[]): string => {
      const stub = `compopt() { :; }; toolcrib() { [[ $* == 'completion --names servers --config x.yaml' ]] && echo book; }`
      const line = words.map((word) => `'${word}'`).join(' ')
      const use = `COMP_WORDS=(toolcrib ${line}); COMP_CWORD=${words.length}; _toolcrib; echo "\${COMPREPLY[*]}"`
      const input = `${completionScript('bash')}\n${stub}\n${use}`
      return spawnSync('bash', ['--norc'], { input, encoding: 'utf8' }).stdout.trim()
    }
    expect(offered('se')).toBe('serve servers secrets')
    expect(offered('servers', '')).toBe('show remove')
    expect(offered('--json', 'add', 'mcp', 'x', '--he')).toBe('--header --help')
    expect(offered('--config', 'x.yaml', 'servers', 'show', '')).toBe('book')
    expect(offered('rules', 'add', 'a')).toBe('allow ask')
    expect(offered('help', 'sh')).toBe('show shell')
  })

  it('completion lists names of the config and the record, and starts nothing', async () => {
    const place = createPlace(
      `tools: ['${workshop}']\nmcpServers: { book: { command: 'touch', args: [started] } }`,
    )
    expect(await place.run(['completion', '--names', 'tools'])).toMatchObject({ code: 0, stdout: '' })
    await place.run(['call', 'math.add', 'a=1', 'b=2'])
    expect((await place.run(['completion', '--names', 'tools'])).stdout.split('\n')).toContain('math.add')
    expect(await place.run(['completion', '--names', 'servers'])).toMatchObject({ stdout: 'book\n' })
    expect(existsSync(join(place.folder, 'started'))).toBe(false)
  })

  it('version prints the version and the runtime', async () => {
    const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string }
    const place = createPlace('')
    const { stdout } = await place.run(['version'])
    expect(stdout).toBe(`toolcrib ${version}, Node ${process.versions.node}, Agent Tool standard 0.2.0\n`)
    expect((await place.run(['--version'])).stdout).toBe(stdout)
    expect(JSON.parse((await place.run(['version', '--json'])).stdout)).toEqual({
      toolcrib: version,
      node: process.versions.node,
      agent_tool_standard: '0.2.0',
    })
  })

  it('schema prints the schemas of emitted records', async () => {
    const place = createPlace('')
    const names = (await place.run(['schema'])).stdout.trimEnd().split('\n')
    expect(names).toEqual([
      ...coreObjects,
      'toolcrib_approval',
      'toolcrib_artifact',
      'toolcrib_deleted_record',
      'config',
      'tool_file',
      'agent_file',
    ])
    expect(JSON.parse((await place.run(['schema', '--json'])).stdout)).toEqual(names)
    for (const name of ['tool_result', 'tool_event'] satisfies CoreObject[]) {
      expect(JSON.parse((await place.run(['schema', name])).stdout)).toEqual(
        JSON.parse(JSON.stringify(toEmitSchema(schemas[name]))),
      )
    }
    expect(JSON.parse((await place.run(['schema', 'config'])).stdout)).toEqual(configSchema)
    for (const [name, title] of [
      ['tool_file', 'AML tool file'],
      ['agent_file', 'AML agent file'],
    ] as const)
      expect(JSON.parse((await place.run(['schema', name])).stdout)).toMatchObject({ title })
  })

  it('ends quietly when the reader closes the pipe', async () => {
    const place = createPlace()
    const script = (command: string) =>
      spawnSync('bash', ['-c', `set -o pipefail; ${command}`], {
        cwd: place.folder,
        encoding: 'utf8',
        env: { ...process.env, ...place.env },
      })
    const cut = script(`'${process.execPath}' '${bin}' call test.big | head -n 1`)
    expect(cut).toMatchObject({ status: 0, stdout: 'line 0\n', stderr: '' })
    expect(script(`'${process.execPath}' '${bin}' schema tool_interface | head -n 1`)).toMatchObject({
      stdout: '{\n',
      stderr: '',
    })
    expect(script(`'${process.execPath}' '${bin}' log --follow --events | head -n 1`).stderr).toBe('')
  })
})
