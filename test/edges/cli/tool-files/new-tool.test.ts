import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasScript, onTerminal } from '../on-terminal.js'
import { LOOK, toolPlace } from './tool-folder.js'

/** `{ 'use-when': 'x' }` as options. */
const flags = (options: Readonly<Record<string, string>>): string[] =>
  Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])

const BASE = flags({
  description: 'Does: "it", # and more',
  'use-when': 'somebody asks',
  'avoid-when': 'nobody asks',
})
const OWNER = ['--owner', 'team']
const API = 'https://kb.example.com'

const CASES: Record<string, Record<string, string>> = {
  'rest-api': { url: `${API}/v2/`, endpoint: 'GET /users/{user_id}' },
  'rest-api with a token': { url: API, credentials: 'bearer-token' },
  'rest-api with a key': {
    url: API,
    credentials: 'api-key',
    secret: 'azure_key_vault:https://acme.vault.azure.net/kb-key',
  },
  'action over rest-api': { type: 'action', 'side-effects': 'Sends it.', url: API },
  mcp: { transport: 'mcp', url: `${API}/mcp`, input: 'query, top_k?:integer' },
  database: { transport: 'database', engine: 'mysql', input: 'order_id:integer, name?' },
  'action on a database': { transport: 'database', type: 'action', 'side-effects': 'Changes a row.' },
  queue: {
    transport: 'message-queue',
    url: 'https://sqs.eu-west-1.amazonaws.com/1/a',
    'response-url': 'https://sqs.eu-west-1.amazonaws.com/1/b',
  },
  human: {
    type: 'human',
    'side-effects': 'Asks a person.',
    transport: 'message-queue',
    provider: 'kafka',
    url: 'kafka://broker.example.com:9092/reviews',
    credentials: 'service-account',
    secret: 'gcp_secret_manager:acme/kafka',
  },
  lambda: {
    transport: 'lambda',
    type: 'action',
    'side-effects': 'Runs it.',
    function: 'arn:aws:lambda:eu-west-1:123456789012:function:send-email',
  },
  function: { type: 'function', input: 'null, a:number, b?:boolean', output: 'sum:number' },
}

describe('toolcrib new tool', () => {
  it.each(Object.keys(CASES))('writes a file without problems: %s', async (name) => {
    const { run } = toolPlace()
    const { code, stdout, stderr } = await run([
      'new',
      'tool',
      'my-tool',
      ...BASE,
      ...OWNER,
      ...flags(CASES[name]!),
    ])
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('It is a draft') })
    expect(stdout.split('\n')[0]).toBe('tools/my-tool.tool.md')
    expect(await run(['compile', '--strict'])).toMatchObject({
      code: 0,
      stdout: 'Compiled 1 tool and 0 agents; no problems.\n',
    })
  })

  it('a field without a type is a string, an optional one too; any has no type', async () => {
    const { run, folder } = toolPlace()
    const fields = flags({ url: API, input: 'query, limit?', output: 'title?, rest?:any' })
    expect(await run(['new', 'tool', 'my-tool', ...BASE, ...OWNER, ...fields])).toMatchObject({ code: 0 })
    const text = readFileSync(join(folder, 'tools/my-tool.tool.md'), 'utf8')
    for (const name of ['query', 'limit', 'title'])
      expect(text).toContain(`      ${name}:\n        type: string\n`)
    expect(text).toContain('      rest:\n        description:')
    expect(await run(['compile', '--strict'])).toMatchObject({ code: 0 })
  })

  it('with --json it prints the files; the owner is that of the other tools', async () => {
    const { run, folder } = toolPlace({ 'kb/tools/look-up.tool.md': LOOK })
    const more = flags({ transport: 'database', dir: 'kb', status: 'active' })
    const { code, stdout } = await run(['new', 'tool', 'by-id', ...BASE, ...more, '--json'])
    expect({ code, record: JSON.parse(stdout) }).toEqual({
      code: 0,
      record: { tool_id: 'by-id', files: ['kb/tools/by-id.tool.md', 'kb/tools/by-id.sql'] },
    })
    const text = readFileSync(join(folder, 'kb/tools/by-id.tool.md'), 'utf8')
    expect(text).toContain('owner: "team"')
    // All rows of the query, and not only the first.
    expect(text).toContain('      rows:\n        type: array\n')
    expect(readFileSync(join(folder, 'kb/tools/by-id.sql'), 'utf8')).toContain(':id')
  })

  it('never changes a file that is there', async () => {
    const { run, folder, put } = toolPlace({ 'tools/look-up.tool.md': LOOK })
    const url = ['--url', 'https://a.example.com']
    expect(await run(['new', 'tool', 'look-up', ...BASE, ...url])).toMatchObject({
      code: 2,
      stderr: 'tools/look-up.tool.md is there already; take another id.\n',
    })
    put('tools/rows.sql', 'SELECT 1')
    expect(await run(['new', 'tool', 'rows', ...BASE, '--transport', 'database'])).toMatchObject({ code: 2 })
    expect(readFileSync(join(folder, 'tools/look-up.tool.md'), 'utf8')).toBe(LOOK)
  })

  it('writes a date, which a deprecated tool needs', async () => {
    const { run } = toolPlace()
    const old = ['--url', API, '--status', 'deprecated']
    expect(await run(['new', 'tool', 'my-tool', ...BASE, ...OWNER, ...old])).toMatchObject({ code: 0 })
    expect(await run(['compile', '--strict'])).toMatchObject({ code: 0 })
  })

  it('says what is missing or wrong, and writes nothing', async () => {
    const { run } = toolPlace()
    const refused = async (...args: string[]) => {
      const { code, stderr } = await run(['new', 'tool', ...args])
      expect(code).toBe(2)
      return stderr.trimEnd()
    }
    expect(await refused()).toBe(
      'Nobody at a terminal can be asked, so the new tool needs <id>, --description, --owner, --url, --use-when, --avoid-when.',
    )
    const all = [...BASE, ...OWNER, '--url', 'https://a.example.com']
    expect(await refused('A B', ...all)).toContain('<id>: An id has 3 to 64')
    expect(await refused('my-tool', ...all, '--type', 'acton')).toContain('did you mean "action"?')
    expect(await refused('my-tool', ...all, '--engine', 'mysql')).toBe(
      '--engine is not for this tool; leave it out.',
    )
    expect(await refused('my-tool', ...all, '--input', 'a b')).toContain('Write fields as name:type')
    expect(await refused('my-tool', ...all, '--endpoint', 'FETCH it')).toContain(
      '--endpoint: Write a method and a path',
    )
    const other = [...BASE, ...OWNER, '--side-effects', 'Sends it.', '--type', 'action']
    expect(await refused('my-tool', ...other, '--url', 'kb.example.com')).toBe(
      '--url: An address begins with https:// or http://.',
    )
    expect(await refused('my-tool', ...other, '--transport', 'lambda', '--function', 'send')).toMatch(
      /^--function: The id must be an ARN, such as arn:aws:/,
    )
    expect(await refused('my-tool', ...other, '--transport', 'message-queue', '--url', 'mail')).toMatch(
      /^Nothing was written\. "transport\.queue_url"/,
    )
    expect((await run(['compile'])).stdout).toContain('aml/empty-folder')
  })

  it.skipIf(!hasScript)('asks at a terminal, and asks again after a wrong answer', async () => {
    const place = toolPlace()
    const { code, text } = await onTerminal(place, 'new tool', {
      typed: [
        [/Id of the tool: /, 'X\r'],
        [/Id of the tool: /, 'search-kb\r'],
        [/Name for people \[Search Kb\]: /, '\r'],
        [/for a model: /, 'Searches the knowledge base.\r'],
        [/Team that owns it: /, 'support\r'],
        [/Type \[retrieval\]: /, '\r'],
        [/Transport \[rest-api\]: /, 'rest\r'],
        [/Transport \[rest-api\]: /, '\r'],
        [/or the queue\): /, 'kb.example.com\r'],
        [/or the queue\): /, 'https://kb.example.com/v2\r'],
        [/Method and path \[GET \/search-kb\]: /, '/search\r'],
        [/Method and path \[GET \/search-kb\]: /, 'POST /search\r'],
        [/Credentials \[none\]: /, 'bearer-token\r'],
        [/Where the secret is \[env:SEARCH_KB_TOKEN\]: /, '\r'],
        [/Fields of the input .*\[query\]: /, 'query, top_k?:integer\r'],
        [/Use it when: /, 'a question is about the product\r'],
        [/Avoid it when: /, 'it is small talk\r'],
      ],
      env: { NO_COLOR: '1' },
    })
    expect(text).toContain('An id has 3 to 64')
    expect(text).toContain('Take one of rest-api, lambda')
    expect(code).toBe(0)
    expect(await place.run(['compile', '--strict'])).toMatchObject({ code: 0 })
  })

  it.skipIf(!hasScript)('Ctrl-C ends it without a file', async () => {
    const place = toolPlace()
    const { text } = await onTerminal(place, 'new tool', { typed: [[/Id of the tool: /, '\u0003']] })
    expect(text).toContain('Nothing was written.')
    expect((await place.run(['compile'])).stdout).toContain('aml/empty-folder')
  })
})
