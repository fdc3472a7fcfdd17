import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { entryNameFor } from '../../../src/edges/cli/openapi/document-location.js'
import { previewLines } from '../../../src/edges/cli/openapi/preview-lines.js'
import { createStyles } from '../../../src/edges/cli/terminal/styles.js'
import { loadSettings } from '../../../src/host/load-settings.js'
import { isObject } from '../../../src/platform/json/is-object.js'
import type { SourceKind } from '../../../src/sources/kind.js'
import { addSourceKind, sourceKinds } from '../../../src/sources/kinds.js'
import type {
  OpenapiPreview,
  OpenapiPreviewOptions,
  PreviewedOperation,
} from '../../../src/sources/openapi/preview.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { runHere } from './run-here.js'

const mocks = vi.hoisted(() => ({
  answers: [] as string[],
  questions: [] as string[],
  preview: (async () => {
    throw new Error('no preview')
  }) as (document: string, options: never) => Promise<unknown>,
}))

vi.mock(import('../../../src/edges/cli/terminal/ask-person.js'), () => ({
  async askPerson(question: string) {
    mocks.questions.push(question)
    return mocks.answers.shift()
  },
}))

// The command with a preview that the test chooses.
vi.mock(import('../../../src/edges/cli/program/commands.js'), async (original) => {
  const table = await original()
  const { addOpenapi } = await import('../../../src/edges/cli/command-rows/add.js')
  const { addOpenapi: command } = await import('../../../src/edges/cli/commands/add/add-openapi.js')
  const run = command((document, options) => mocks.preview(document, options as never) as never)
  const row = { ...addOpenapi, load: async () => ({ run }) }
  const rest = table.commands.filter(({ name }) => name !== row.name)
  const commands = [...rest, row]
  return { ...table, commands, sections: [{ title: 'All', commands }] }
})

function operation(name: string, more: Partial<PreviewedOperation> = {}): PreviewedOperation {
  return {
    name,
    toolId: `api.petstore.${name}`,
    method: 'GET',
    path: `/${name}`,
    tags: ['pets'],
    risk: 'reads',
    deprecated: false,
    tokens: 100,
    required: [],
    credentials: [],
    ...more,
  }
}

const PETSTORE: OpenapiPreview = {
  name: 'petstore',
  title: 'Petstore',
  version: '1.0.0',
  servers: ['https://petstore.example/v1'],
  isPrivateServer: false,
  tags: [
    { name: 'pets', operations: 3 },
    { name: 'store', operations: 1 },
  ],
  operations: [
    operation('listPets', { path: '/pets' }),
    operation('addPet', { method: 'POST', path: '/pets', risk: 'writes', credentials: ['ApiKeyAuth'] }),
    operation('deletePet', { method: 'DELETE', path: '/pets/{id}', risk: 'destroys', deprecated: true }),
    operation('getInventory', { path: '/store/inventory', tags: ['store'], tokens: 1200 }),
  ],
  problems: [],
  credentials: [
    {
      name: 'ApiKeyAuth',
      type: 'apiKey',
      missing: '"petstore" needs a credential (ApiKeyAuth): run toolcrib secrets set petstore/ApiKeyAuth.',
    },
  ],
}

/** As much of the kind as a config with its entries needs. */
const openapiKind: SourceKind = {
  key: 'openapi',
  noun: 'API',
  title: 'API',
  schema: { type: 'object', additionalProperties: { type: 'object', required: ['document'] } },
  entries: (settings) => (isObject(settings) ? Object.keys(settings).map((name) => ({ name })) : []),
  open: async () => ({ sources: [], problems: [], secrets: [] }),
}

let folder: string
let asked: { document: string; name: string; server: string | undefined }[]
let removeKind = (): void => {}

beforeEach(() => {
  folder = temporaryFolder()
  vi.stubEnv('XDG_CONFIG_HOME', join(folder, 'settings'))
  mkdirSync(join(folder, 'project'))
  put('petstore.yaml', 'openapi: 3.1.0\n')
  asked = []
  answerWith(PETSTORE)
  removeKind = sourceKinds().some(({ key }) => key === 'openapi') ? () => {} : addSourceKind(openapiKind)
})

afterEach(() => {
  removeKind()
  vi.unstubAllEnvs()
  mocks.answers.length = 0
  mocks.questions.length = 0
})

function answerWith(preview: OpenapiPreview): void {
  mocks.preview = async (document, { nameFor, server }: OpenapiPreviewOptions) => {
    const name = nameFor(preview.title)
    asked.push({ document, name, server })
    return { ...preview, name }
  }
}

const at = (name: string): string => join(folder, 'project', name)
const put = (name: string, text: string): void => writeFileSync(at(name), text)
const config = (): string => readFileSync(at('toolcrib.yaml'), 'utf8')
const entryOf = (name: string): unknown =>
  (parse(config()) as { openapi: Record<string, unknown> }).openapi[name]

const add = (args: readonly string[], { isTerminal = false } = {}) =>
  runHere(['add', 'openapi', ...args, '--config', at('toolcrib.yaml')], { isTerminal })

describe('toolcrib add openapi', () => {
  it('writes an entry into a new config, and trusts it', async () => {
    const added = await add([at('petstore.yaml'), '--yes'])
    expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining('The API "petstore" is in') })
    expect(added.stderr).toContain('Next: toolcrib call api.petstore.listPets --config')
    expect(config()).toBe('openapi:\n  petstore:\n    document: ./petstore.yaml\n')
    expect(asked).toEqual([{ document: at('petstore.yaml'), name: 'petstore', server: undefined }])
    expect(await loadSettings({ configPath: at('toolcrib.yaml') })).toMatchObject({
      ok: true,
      trust: { isTrusted: true },
    })
  })

  it('keeps the comments of a config, and an address as it is', async () => {
    put('toolcrib.yaml', '# mine\nstore: memory # here\n')
    const url = 'https://petstore.example/openapi.json?key=hidden-value-1'
    const added = await add([url, '--name', 'shop', '--server', 'https://eu.example/v1', '--yes'])
    expect(added.code).toBe(0)
    expect(config()).toBe(
      `# mine\nstore: memory # here\nopenapi:\n  shop:\n    document: ${url}\n    server: https://eu.example/v1\n`,
    )
    expect(asked[0]).toMatchObject({ name: 'shop', server: 'https://eu.example/v1' })
    // The file was not trusted before, so it is not now.
    expect(added.stderr).toMatch(/^Next: toolcrib trust .*, then toolcrib call api\.petstore\.listPets /m)
  })

  it('shows counts, tags, operations, problems and credentials in 80 columns', async () => {
    const many = Array.from({ length: 20 }, (_, at) =>
      operation(`anOperationWithQuiteALongName${at}`, {
        path: `/organisations/{organisation}/members/${at}`,
      }),
    )
    answerWith({
      ...PETSTORE,
      operations: [...PETSTORE.operations, ...many],
      problems: Array.from({ length: 7 }, (_, at) => ({
        at: `/paths/~1pets/get/responses/${at}`,
        message: 'the reference "#/components/schemas/Pet" leads nowhere, so that anything is accepted there',
      })),
    })
    const { stdout, stderr } = await add([at('petstore.yaml'), '--dry-run'], { isTerminal: true })
    const lines = stdout.split('\n')
    // A command is copied as a whole.
    for (const line of lines.filter((each) => !each.includes('toolcrib secrets')))
      expect(line.length).toBeLessThanOrEqual(80)
    expect(lines.slice(0, 10)).toEqual([
      'Petstore 1.0.0',
      '  https://petstore.example/v1',
      '  24 operations: 22 read, 1 writes, 1 destroys; 3,500 tokens as tools',
      '  tags: pets (3), store (1)',
      '',
      'operation                   method  path                        risk      tokens',
      'listPets                    GET     /pets                       reads        100',
      'addPet                      POST    /pets                       writes       100',
      'deletePet                   DELETE  (deprecated) /pets/{id}     destroys     100',
      'getInventory                GET     /store/inventory            reads      1,200',
    ])
    expect(stdout).toContain('… and 12 more; with --json all of them are listed')
    expect(stdout).toContain('The document has 7 problems:\n  /paths/~1pets/get/responses/0: the reference')
    expect(stdout).toContain('  … and 2 more; with --json all of them are listed')
    expect(stdout).toContain(
      '1 operation needs a credential first:\n  ApiKeyAuth (apiKey): run\n    toolcrib secrets set petstore/ApiKeyAuth\n',
    )
    expect(stderr).toContain('  openapi:\n    petstore:\n      document: ./petstore.yaml\n')
    expect(stderr).toContain('Nothing was changed')
    expect(mocks.questions).toEqual([])
    expect(() => config()).toThrow('ENOENT')
  })

  it('wraps a long title', () => {
    const title = 'An API whose title goes on and on '.repeat(4).trim()
    const preview = { name: 'long', title, version: '1', servers: [], isPrivateServer: false, tags: [] }
    const lines = previewLines(
      { ...preview, operations: [], problems: [], credentials: [] },
      { chosen: [], style: createStyles(false), columns: 80 },
    )
    expect(lines.slice(0, 2).join(' ')).toBe(`${title} 1`)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
  })

  it('leads to a first call: a read that needs little, after what has to be set', async () => {
    const next = async (...operations: PreviewedOperation[]): Promise<string | undefined> => {
      answerWith({ ...PETSTORE, operations })
      put('toolcrib.yaml', '')
      const { stderr } = await add([at('petstore.yaml'), '--yes'])
      return /then (toolcrib .*)/.exec(stderr.replaceAll(/ --config \S+toolcrib\.yaml/g, ''))?.[1]
    }
    const get = operation('getPet', { required: ['id'] })
    const secret = operation('listOwn', { credentials: ['ApiKeyAuth'] })
    const write = operation('addPet', { risk: 'writes', required: ['body'] })
    expect(await next(write, get, operation('listPets'))).toBe('toolcrib call api.petstore.listPets')
    expect(await next(write, get, secret)).toBe('toolcrib call api.petstore.getPet id=…')
    expect(await next(write, secret)).toBe(
      'toolcrib secrets set petstore/ApiKeyAuth, then toolcrib call api.petstore.listOwn',
    )
    expect(await next(write)).toBe('toolcrib tools show api.petstore.addPet')
  })

  it('is called after the title of its document where the address says nothing', async () => {
    answerWith({ ...PETSTORE, title: 'The Pet Store API, v3' })
    await add(['http://127.0.0.1:8080/openapi.json', '--yes'])
    expect(entryOf('the-pet-store')).toEqual({ document: 'http://127.0.0.1:8080/openapi.json' })
    const again = await add(['http://127.0.0.1:8080/openapi.json', '--yes'])
    expect(again.stderr).toContain('has the API "the-pet-store" already')
    answerWith({ ...PETSTORE, title: undefined })
    await add(['http://127.0.0.1:8080/openapi.json', '--yes'])
    expect(entryOf('api')).toBeDefined()
  })

  it('takes the operations that flags choose, by name, id, method and path, or tag', async () => {
    const chosen = async (...flags: string[]) => {
      const { stdout } = await add([at('petstore.yaml'), '--dry-run', '--json', ...flags])
      return JSON.parse(stdout) as { operations: string[]; entry: object }
    }
    expect(await chosen('--tags', 'Store', '--operations', 'listPets, DELETE /pets/{id}')).toMatchObject({
      operations: ['listPets', 'deletePet', 'getInventory'],
      entry: { include: ['tag:store', 'listPets', 'deletePet'] },
    })
    expect(await chosen('--operations', 'api.petstore.addPet')).toMatchObject({ operations: ['addPet'] })
    expect(await chosen('--exclude', 'store,deletePet')).toMatchObject({
      operations: ['listPets', 'addPet'],
      entry: { document: './petstore.yaml', exclude: ['tag:store', 'deletePet'] },
    })
  })

  it('asks a person which operations to take, again after a mistake, and then whether to write', async () => {
    mocks.answers.push('pets, stor', 'listPets, store', 'y')
    const added = await add([at('petstore.yaml')], { isTerminal: true })
    expect(added.code).toBe(0)
    expect(added.stderr).toContain('The document has no tag or operation "stor"; did you mean "store"?')
    expect(added.stderr).toContain('2 of 4 operations: 2 read; 1,300 tokens as tools.')
    expect(mocks.questions).toEqual([
      ...Array(2).fill('Take all 4 operations? [all, none, or names and tags] '),
      expect.stringMatching(/^Add this API to .*toolcrib\.yaml, and trust it\? \[y\/N\] $/),
    ])
    expect(entryOf('petstore')).toEqual({
      document: './petstore.yaml',
      include: ['tag:store', 'listPets'],
    })
    mocks.answers.push('', 'n')
    expect((await add([at('petstore.yaml'), '--name', 'other'], { isTerminal: true })).code).toBe(1)
    mocks.answers.push('none')
    const none = await add([at('petstore.yaml'), '--name', 'other'], { isTerminal: true })
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was changed.') })
    expect(config()).not.toContain('other')
  })

  it('without a terminal names the flag that writes', async () => {
    const all = await add([at('petstore.yaml')])
    expect(all).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /--yes.*takes all 4 operations\. To take some, add --tags or --operations\./,
      ),
    })
    expect(all.stdout).toContain('4 operations: 2 read, 1 writes, 1 destroys; 1,500 tokens as tools')
    expect((await add([at('petstore.yaml'), '--tags', 'store'])).stderr).toContain('takes these operations')
    expect(await add([at('petstore.yaml'), '--json'])).toMatchObject({
      code: 2,
      stderr: 'With --json nothing is asked: say --yes to write the entry, or --dry-run to look.\n',
    })
    expect(() => config()).toThrow('ENOENT')
  })

  it('with --json prints the preview and what was written', async () => {
    const { stdout } = await add([at('petstore.yaml'), '--json', '--yes', '--tags', 'store'])
    expect(JSON.parse(stdout)).toEqual({
      config: at('toolcrib.yaml'),
      kind: 'openapi',
      source: 'petstore',
      written: true,
      trusted: true,
      entry: { document: './petstore.yaml', include: ['tag:store'] },
      operations: ['getInventory'],
      preview: PETSTORE,
    })
  })

  it('writes the address of a private server only where a person saw it or a flag names it', async () => {
    const local = 'http://127.0.0.1:8080/v1'
    answerWith({ ...PETSTORE, servers: [local], isPrivateServer: true })
    expect(await add([at('petstore.yaml'), '--yes'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`add --server ${local}`),
    })
    mocks.answers.push('all', 'y')
    const added = await add([at('petstore.yaml')], { isTerminal: true })
    expect(added.stderr).toContain(`      server: ${local}`)
    expect(entryOf('petstore')).toMatchObject({ server: local })
    answerWith({ ...PETSTORE, servers: [] })
    expect((await add([at('petstore.yaml'), '--name', 'b', '--yes'])).stderr).toContain('names no server')
  })
})

describe('mistakes with toolcrib add openapi', () => {
  const cases: [title: string, args: () => string[], sentence: string][] = [
    ['a missing file', () => ['no-such.yaml', '--yes'], 'There is no file "no-such.yaml"; give the path'],
    [
      'an address without its scheme',
      () => ['127.0.0.1:8080/openapi.json', '--yes'],
      'or its address, which begins with http:// or https://.',
    ],
    ['a folder', () => [folder, '--yes'], 'is a folder'],
    [
      'an address with a password',
      () => ['https://a:b@petstore.example/x', '--yes'],
      'user name or password',
    ],
    ['a wrong name', () => [at('petstore.yaml'), '--name', 'a.b', '--yes'], 'not "a.b"'],
    [
      'a wrong server',
      () => [at('petstore.yaml'), '--server', 'ftp://x', '--yes'],
      '--server takes an address',
    ],
    [
      'an unknown tag',
      () => [at('petstore.yaml'), '--tags', 'pest', '--yes'],
      '--tags: the document has no tag "pest"; did you mean "pets"?',
    ],
    [
      'an unknown operation',
      () => [at('petstore.yaml'), '--operations', 'xyz', '--yes'],
      '--operations: the document has no operation "xyz"; it has listPets, addPet',
    ],
    ['an empty list', () => [at('petstore.yaml'), '--tags', ',', '--yes'], '--tags: name at least one'],
    [
      'a choice of nothing',
      () => [at('petstore.yaml'), '--tags', 'store', '--exclude', 'getInventory', '--yes'],
      'No operation is left',
    ],
  ]

  it.each(cases)(
    '%s ends the command with one sentence, and nothing is written',
    async (_, args, sentence) => {
      const ran = await add(args())
      expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) })
      expect(ran.stderr.trimEnd().split('\n')).toHaveLength(1)
      expect(() => config()).toThrow('ENOENT')
    },
  )

  it('a document that cannot be read is named without its query, with a hint for a page of a viewer', async () => {
    mocks.preview = async () => {
      throw new Error('it is a web page (HTML), not an OpenAPI document')
    }
    const { code, stderr } = await add(['https://petstore.example/swagger-ui/index.html?key=hidden', '--yes'])
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /^https:\/\/petstore\.example\/swagger-ui\/index\.html\?… cannot be added: it is a web page \(HTML\), not an OpenAPI document\. .*look there for a link to openapi\.json/,
    )
    expect((await add(['https://petstore.example', '--yes'])).stderr).toContain('often /openapi.json')
    const file = await add([at('petstore.yaml'), '--yes'])
    expect(file.stderr).toMatch(/petstore\.yaml cannot be added: it is a web page .* document\.\n$/)
    answerWith({ ...PETSTORE, operations: [] })
    expect((await add([at('petstore.yaml'), '--yes'])).stderr).toContain('describes no operations')
  })

  it('a name that is taken is refused before the document is read', async () => {
    put('toolcrib.yaml', 'mcpServers:\n  petstore: { command: x }\n')
    expect(await add([at('petstore.yaml'), '--yes'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has the server "petstore" already; choose another name'),
    })
    expect(asked).toEqual([])
  })
})

it('the help lists the commands that add sources in one line', async () => {
  const { stdout } = await runHere(['--help'])
  expect(stdout).toMatch(/^ {2}add +add sources of tools to the config: mcp, tools, builtins, openapi$/m)
})

it.each([
  ['/home/ada/petstore-v3.openapi.yaml', 'petstore'],
  ['/home/ada/shop/openapi.json', 'shop'],
  ['/home/ada/api.github.com.json', 'github'],
  ['/swagger.json', undefined],
  ['https://api.github.com/openapi.json', 'github'],
  ['https://petstore3.swagger.io/api/v3/openapi.json', 'petstore3'],
  ['http://127.0.0.1:8080/v3/api-docs', undefined],
  ['https://raw.example.com/main/My%20Shop_API.yaml', 'my-shop'],
])('the entry of %s is called %s', (path, name) => {
  expect(entryNameFor({ at: path, isFile: path.startsWith('/') })).toBe(name)
})
