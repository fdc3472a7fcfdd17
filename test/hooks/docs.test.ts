import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { fromProtocolOutput } from '../../src/hooks/protocol-output.js'
import { toProtocolInput } from '../../src/hooks/protocol-input.js'
import { bin, collect, root, untilPrinted } from '../edges/cli/run-cli.js'
import { openTemporaryFolder } from '../temporary-folder.js'
import { trustConfig } from '../trust-config.js'
import { versionOf } from '../crib/records/version-of.js'

interface Block {
  language: string
  /** The word after the language: the name of the file, or what the block shows. */
  label: string
  text: string
}

const PAGE = readFileSync(join(root, 'docs/hooks.md'), 'utf8')
const blocks: Block[] = [...PAGE.matchAll(/^```(\w+) ?(.*)\n([\s\S]*?)^```$/gm)].map(
  ([, language, label, text]) => ({ language: language!, label: label!, text: text! }),
)
const files = blocks.filter(({ label }) => label.startsWith('examples/hooks/'))
const fileOf = (name: string) => files.find(({ label }) => basename(label) === name)!.text

describe('every example of docs/hooks.md', () => {
  // The text of the page itself runs here, written into a folder of its own.
  const { path: folder } = openTemporaryFolder()
  const env = {
    ...process.env,
    TOOLCRIB_HOME: join(folder, 'home'),
    XDG_CONFIG_HOME: join(folder, 'settings'),
    HOOK_TOKEN: 'a-token-for-hooks',
  }
  const server = spawn(process.execPath, ['--input-type=module', '-'], {
    cwd: folder,
    env: { ...env, PORT: '0' },
  })

  const cli = (args: readonly string[]) =>
    collect(spawn(process.execPath, [bin, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] }))
  const call = async (...args: string[]) => {
    const { stdout } = await cli(['call', ...args, '--json'])
    return JSON.parse(stdout) as {
      status: string
      structured_content: unknown
      toolcrib: object
      error?: { message: string }
    }
  }

  beforeAll(async () => {
    // A separate package, as a reader would have: nothing above it counts.
    writeFileSync(join(folder, 'package.json'), '{}')
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(root, join(folder, 'node_modules/toolcrib'))
    server.stdin.end(fileOf('no-cards-server.mjs'))
    const [, port] = /port (\d+)/.exec(await untilPrinted(server, /listening on port \d+\n/))!
    for (const { label, text } of files)
      writeFileSync(join(folder, basename(label)), text.replace('127.0.0.1:8787', `127.0.0.1:${port}`))
    trustConfig(join(folder, 'toolcrib.yaml'), env)
  })
  afterAll(() => void server.kill())

  it('is tested here, and each file of examples/hooks is quoted word for word', () => {
    expect(files.map(({ label }) => basename(label)).sort()).toEqual(
      readdirSync(join(root, 'examples/hooks')).sort(),
    )
    for (const { label, text } of files) expect(text, label).toBe(readFileSync(join(root, label), 'utf8'))
    const others = blocks.filter((block) => !files.includes(block))
    expect(others.map(({ language, label }) => `${language} ${label}`.trim())).toEqual([
      'sh',
      'text',
      'json input',
      'json output',
    ])
    const { hooks } = parse(fileOf('toolcrib.yaml')) as { hooks: { id: string }[] }
    expect(hooks.map(({ id }) => id)).toEqual(['no-env-files', 'limit-results', 'no-cards'])
  })

  it('the config is valid, and all its hooks match existing tools', async () => {
    const { code, stdout } = await cli(['hooks', '--json'])
    expect(code).toBe(0)
    for (const { matching_tools: tools } of JSON.parse(stdout) as { matching_tools: string[] }[])
      expect(tools).not.toEqual([])
  })

  it('the bash program denies, and only matching calls', async () => {
    expect(await call('files.read', 'path=config/.env')).toMatchObject({
      status: 'denied',
      error: { message: expect.stringContaining('hold secrets') as string },
    })
    expect((await call('files.read', 'path=config/.envrc')).status).toBe('succeeded')
  })

  it('the Node program rewrites, and only oversized values', async () => {
    expect(await call('docs.search', 'query=locks', 'limit=500')).toMatchObject({
      structured_content: { query: 'locks', limit: 50 },
      toolcrib: {
        additional_context: [expect.stringContaining('at most 50 hits')],
        input_mutations: [{ source_ref: versionOf('hook:limit-results') }],
      },
    })
    const small = await call('docs.search', 'query=locks', 'limit=5')
    expect(small).toMatchObject({ structured_content: { limit: 5 } })
    expect(small.toolcrib).not.toHaveProperty('input_mutations')
  })

  it('the endpoint removes the card', async () => {
    expect(await call('people.find', 'name=Ada')).toMatchObject({
      structured_content: { name: 'Ada', card: { number: '[redacted]', holder: 'Ada' } },
    })
  })

  it('the functions pass their own assertions', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['in-code.mjs'], {
      cwd: folder,
      env,
      encoding: 'utf8',
    })
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: 'the hooks did what they should\n',
      stderr: '',
    })
  })

  it('the command prints what the page says', async () => {
    const shown = blocks.find(({ language }) => language === 'text')!.text
    const line = blocks.find(({ language }) => language === 'sh')!.text.trim()
    const child = spawn('sh', ['-c', line.replace(/^npx toolcrib/, `'${process.execPath}' '${bin}'`)], {
      cwd: folder,
      env,
    })
    expect(await collect(child)).toMatchObject({ code: 0, stdout: shown })
  })

  it('the input has the fields that a program gets, the output those that are understood', () => {
    const sample = (label: string) =>
      JSON.parse(blocks.find((block) => block.label === label)!.text) as object
    const given = toProtocolInput({
      event: 'pre_tool_use',
      invocationId: 'i',
      nativeCallId: 'n',
      toolId: 't',
      toolName: 't',
      input: {},
      actor: 'a',
      session: 's',
      workspace: '/w',
      permissionMode: 'default',
      signal: new AbortController().signal,
      report: () => {},
      hide: () => {},
    })
    expect(Object.keys(sample('input'))).toEqual(Object.keys(JSON.parse(given) as object))
    const { answer, ignored } = fromProtocolOutput(
      Buffer.from(JSON.stringify(sample('output'))),
      'pre_tool_use',
    )
    expect(ignored).toEqual([])
    expect(Object.keys(answer).sort()).toEqual([
      'additionalContext',
      'message',
      'permission',
      'persistence',
      'progress',
      'stop',
      'updatedInput',
      'updatedOutput',
    ])
  })
})
