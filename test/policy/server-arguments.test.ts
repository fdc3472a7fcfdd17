import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCrib, defineTool, memoryStore, type Crib, type Surface } from '../../src/index.js'
import { createMcpServers } from '../../src/mcp.js'
import type { McpServers } from '../../src/sources/mcp/mcp-server.js'
import { filesystem } from '../edges/gateway/peers.js'
import { temporaryFolder } from '../temporary-folder.js'

/*
 * The official file server, with a folder that contains a project and the user's settings and keys. Every possible
 * allow rule is set.
 */

const root = temporaryFolder()
const project = join(root, 'project')
const config = join(root, 'config')
const data = join(root, 'data')
const key = join(data, 'toolcrib/seal.key')
const rules = join(config, 'toolcrib/rules.yaml')
const RULES = 'deny: [everything.else]\n'
const before = { ...process.env }

let servers: McpServers
let crib: Crib
let surface: Surface

beforeAll(async () => {
  Object.assign(process.env, { XDG_CONFIG_HOME: config, XDG_DATA_HOME: data })
  for (const folder of ['project/src', 'project/docs', 'config/toolcrib/tokens', 'data/toolcrib'])
    mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(key, 'c2VhbA==')
  writeFileSync(rules, RULES)
  writeFileSync(join(config, 'toolcrib/tokens/a.json'), '{}')
  writeFileSync(join(project, 'toolcrib.yaml'), 'tools: []\n')
  writeFileSync(join(project, '.env'), 'PASSWORD=1')
  writeFileSync(join(project, 'docs/open.md'), 'open')
  writeFileSync(join(project, 'src/a.ts'), 'a')
  symlinkSync(key, join(project, 'linked'))
  symlinkSync(join(config, 'toolcrib'), join(project, 'settings'))
  symlinkSync(join(project, '.env'), join(project, 'harmless.md'))
  linkSync(key, join(project, 'twin.md'))
  const program = filesystem(root)
  servers = createMcpServers({
    files: { ...program, cwd: project, trusted: true },
    other: { ...program, cwd: project },
  })
  crib = await createCrib({
    store: memoryStore(),
    sources: servers.sources,
    tools: [
      defineTool({
        namespace: 'app',
        name: 'take',
        description: 'Takes anything.',
        input: { jsonSchema: { type: 'object', properties: { text: { type: 'string' } } } },
        execute: () => 'taken',
      }),
    ],
    workspace: project,
    permission: {
      mode: 'bypass',
      allow: ['*', 'mcp.files.*', 'mcp.files.write_file', 'mcp.other.*'],
      deny: ['Read(.env)', 'Edit(./src/**)', 'Read(//etc/**)'],
    },
  })
  await servers.settled(20_000)
  surface = await crib.surface({ scope: 'session' })
}, 60_000)

afterAll(async () => {
  await crib?.close()
  await servers?.close()
  for (const name of ['XDG_CONFIG_HOME', 'XDG_DATA_HOME']) {
    if (before[name] === undefined) delete process.env[name]
    else process.env[name] = before[name]
  }
  rmSync(root, { recursive: true, force: true })
})

async function outcome(tool: string, input: Record<string, unknown>): Promise<string> {
  const result = await crib.call(surface, { name: tool, input })
  return result.is_error ? (result.error?.error_class ?? 'failed') : 'ran'
}

/** Denied by the judge; the call itself is denied too, unless its arguments do not fit the schema. */
async function isDenied(tool: string, input: Record<string, unknown>): Promise<boolean> {
  const { behavior } = crib.explain({ tool, input })
  const ended = await outcome(tool, input)
  return behavior === 'deny' && /^permission_denied$|^schema|^invalid/.test(ended)
}

const up = (path: string): string => relative(project, path)
const percent = (path: string): string =>
  path.replaceAll(/[a-z]/g, (letter) => `%${letter.codePointAt(0)!.toString(16)}`)

describe('a file server', () => {
  it('does everything that is not forbidden', async () => {
    expect(await outcome('mcp.files.read_text_file', { path: join(project, 'docs/open.md') })).toBe('ran')
    expect(await outcome('mcp.files.write_file', { path: join(project, 'docs/new.md'), content: 'x' })).toBe(
      'ran',
    )
    const ignored = join(project, 'docs/ignored')
    for (const content of ['.env\ntoolcrib.local.yaml\n', '.toolcrib/\n', '{"files":["toolcrib.yaml"]}'])
      expect(await outcome('mcp.files.write_file', { path: ignored, content })).toBe('ran')
    const edits = [{ oldText: 'toolcrib.yaml', newText: '.env' }]
    expect(crib.explain({ tool: 'mcp.files.edit_file', input: { path: ignored, edits } }).behavior).toBe(
      'ask',
    )
    expect(await outcome('mcp.files.list_directory', { path: project })).toBe('ran')
    expect(await outcome('mcp.files.read_text_file', { path: join(project, 'toolcrib.yaml') })).toBe('ran')
    expect(await outcome('mcp.files.read_text_file', { path: join(project, 'src/a.ts') })).toBe('ran')
  })

  it.each<[string, Record<string, unknown>]>([
    ['read_text_file', { path: key }],
    ['read_text_file', { path: up(key) }],
    ['read_text_file', { path: join(project, 'linked') }],
    ['read_text_file', { path: 'linked' }],
    ['read_text_file', { path: join(project, 'twin.md') }],
    ['read_text_file', { path: join(project, 'settings/rules.yaml') }],
    ['read_text_file', { path: pathToFileURL(key).href }],
    ['read_text_file', { path: `file://localhost${percent(key)}` }],
    ['read_text_file', { path: percent(key) }],
    ['read_text_file', { path: `  "${key}" ` }],
    ['read_text_file', { path: `${key}\0.md` }],
    ['read_text_file', { path: `${project}/docs/../../data/./toolcrib//seal.key` }],
    ['read_multiple_files', { paths: [join(project, 'docs/open.md'), key] }],
    ['read_multiple_files', { paths: [[{ deep: { q: [key] } }]] }],
    ['read_multiple_files', { paths: JSON.stringify([key]) }],
    ['read_media_file', { path: join(config, 'toolcrib/tokens/a.json') }],
    ['get_file_info', { path: rules }],
    ['search_files', { path: root, pattern: '*' }],
    ['search_files', { path: data, pattern: '*' }],
    ['directory_tree', { path: '/' }],
    ['write_file', { path: rules, content: 'allow: ["*"]' }],
    ['write_file', { path: join(project, 'settings/rules.yaml'), content: 'allow: ["*"]' }],
    ['write_file', { path: join(config, 'toolcrib/new/deep/file'), content: '' }],
    ['write_file', { path: join(project, 'toolcrib.yaml'), content: '' }],
    ['write_file', { path: 'toolcrib.local.yaml', content: '' }],
    ['write_file', { path: join(project, '.toolcrib/crib.db'), content: '' }],
    ['edit_file', { path: rules, edits: [{ oldText: 'deny', newText: 'allow' }] }],
    ['move_file', { source: join(project, 'docs/open.md'), destination: rules }],
    ['move_file', { source: rules, destination: join(project, 'mine.yaml') }],
    ['create_directory', { path: join(config, 'toolcrib/other') }],
    ['write_file', { path: join(project, 'docs/x.md'), content: rules }],
    ['write_file', { path: join(project, 'docs/x.md'), content: 'linked' }],
    ['write_file', { path: join(project, 'docs/x.md'), content: 'x', files: { [rules]: 'allow' } }],
    ['write_file', { path: join(project, 'docs/x.md'), content: 'x', more: `a.md\n${rules}` }],
  ])("is denied Toolcrib's own paths, whatever allows it: %s, case %#", async (tool, input) => {
    expect(await isDenied(`mcp.files.${tool}`, input)).toBe(true)
  })

  it.each<[string, Record<string, unknown>]>([
    ['read_text_file', { path: join(project, '.env') }],
    ['read_text_file', { path: '.env' }],
    ['read_text_file', { path: './docs/../.env' }],
    ['read_text_file', { path: join(project, 'harmless.md') }],
    ['read_text_file', { path: 'project/.env' }],
    ['read_text_file', { path: `${project}/%2eenv` }],
    ['read_multiple_files', { paths: ['docs/open.md', '.env'] }],
    ['read_text_file', { path: 'docs/open.md', q: join(project, '.env') }],
    ['move_file', { source: join(project, 'src/a.ts'), destination: join(project, 'b.ts') }],
    ['move_file', { source: join(project, 'docs/open.md'), destination: join(project, 'src/b.ts') }],
    ['write_file', { path: 'src/new.ts', content: '' }],
    ['edit_file', { path: 'src/a.ts', edits: [] }],
    ['create_directory', { path: join(project, 'src/more') }],
  ])('is subject to rules about files, whatever allows it: %s, case %#', async (tool, input) => {
    expect(await isDenied(`mcp.files.${tool}`, input)).toBe(true)
  })

  it('that is not trusted may write although it declares itself read-only', async () => {
    expect(await outcome('mcp.other.read_text_file', { path: join(project, 'src/a.ts') })).toBe(
      'permission_denied',
    )
    expect(await outcome('mcp.other.read_text_file', { path: join(project, 'docs/open.md') })).toBe('ran')
  })

  it('has changed nothing', () => {
    expect(readFileSync(rules, 'utf8')).toBe(RULES)
    expect(readFileSync(join(project, 'src/a.ts'), 'utf8')).toBe('a')
    expect(existsSync(join(config, 'toolcrib/other'))).toBe(false)
  })
})

describe('a function in this process', () => {
  it.each<Record<string, unknown>>([
    { text: rules },
    { text: join(project, 'linked') },
    { anything: { deep: [key] } },
    { [rules]: 'content' },
    { changes: { [key]: 'content' } },
    { command: `cat ${key}` },
    { args: ['-c', `cat <${key}`] },
    { text: `/bin:${key}` },
    { text: `sqlite://${key}?mode=ro` },
    { text: `--config=${rules}` },
    { text: join(project, '.env') },
    { text: '.env' },
    { file: 'harmless.md' },
    { outputPath: 'src/x.ts' },
  ])('is subject to them too: case %#', async (input) => {
    expect(await isDenied('app.take', input)).toBe(true)
  })

  it.each<Record<string, unknown>>([
    { text: 'hello' },
    { text: 'a/b or c' },
    { text: '/' },
    { text: 'docs' },
  ])('gets any other text: %j', async (input) => {
    expect(await outcome('app.take', input)).toBe('ran')
  })
})
