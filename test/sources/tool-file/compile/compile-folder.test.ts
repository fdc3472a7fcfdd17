import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compileFolder, type FolderCache } from '../../../../src/sources/tool-file/compile/compile-folder.js'
import type { ToolResult } from '../../../../src/sources/tool-file/compile/compile-tool.js'
import { AGENT, TOOL } from './broken/make-cases.js'
import { compileFiles, placesOf, writeFolder } from './compile-files.js'
import { AVRO, validFiles } from './valid-files.js'

describe('valid files', () => {
  it('compile without any problem', async () => {
    const files = validFiles()
    const compiled = await compileFiles(files)
    expect(compiled.problems).toEqual([])
    const names = Object.keys(files)
    expect(compiled.tools).toHaveLength(names.filter((name) => name.endsWith('.tool.md')).length)
    expect(compiled.agents).toHaveLength(2)
    expect(JSON.parse(JSON.stringify(compiled))).toEqual(compiled)
    expect(placesOf(compiled)).toEqual([])
  })
})

describe('[AML-FILE-01] the complete example', () => {
  it('has all of its parts', async () => {
    const { tools, agents } = await compileFiles(validFiles())
    const tool = tools.find(({ toolId }) => toolId === 'complete-example')!
    expect(tool).toMatchObject({
      file: 'tools/complete-example.tool.md',
      specVersion: '1.2',
      version: '1.0.0',
      status: 'active',
      type: 'action',
      meta: { name: 'Tool complete-example', owner: 'platform-team', tags: ['test', 'action'] },
      guidance: {
        use_when: ['a test needs complete-example'],
        side_effects: ['Sends a message.', 'Writes an audit entry.'],
      },
      errorCodes: {
        400: { meaning: 'Malformed request', agent_action: 'Fix the parameters, do not retry' },
        E_QUOTA: { meaning: 'Quota used up' },
      },
      transport: {
        type: 'rest-api',
        base_url: 'https://mail.example.com/v1',
        endpoint: { method: 'POST', path: '/folders/{folder_id}/messages' },
        timeout_ms: 5000,
        retry_policy: { max_attempts: 1, on_status: [], backoff_ms: 100 },
        credentials: {
          scheme: 'bearer-token',
          settings: {
            kind: 'secret',
            scheme: 'bearer-token',
            secret: { source: 'env', name: 'MAIL_API_TOKEN' },
          },
        },
      },
      fileFields: {
        input: [
          { path: ['attachment'], transfer: 'inline', maxSizeBytes: 1_000_000 },
          { path: ['links', '*'], transfer: 'ref', maxSizeBytes: 5000 },
        ],
        output: [],
      },
    })
    expect((tool.input['properties'] as Record<string, unknown>)['attachment']).toMatchObject({
      type: 'object',
      properties: { content: { type: 'string', contentEncoding: 'base64' }, filename: { type: 'string' } },
      required: ['content'],
    })
    expect(agents.find(({ agentId }) => agentId === 'support-agent')).toEqual({
      file: 'agents/support-agent.agent.md',
      agentId: 'support-agent',
      toolChoice: 'auto',
      refs: [
        { ref: 'complete-example', approval_required: true, max_calls_per_run: 3 },
        { ref: 'mcp-tool' },
        { ref: 'pure-function' },
      ],
    })
  })

  it('has connection parameters, SQL and Avro where the transport has them', async () => {
    const { tools } = await compileFiles(validFiles())
    const byId = (id: string) => tools.find(({ toolId }) => toolId === id)!
    expect(byId('db-postgresql').transport!.credentials).toEqual({
      scheme: 'iam-role',
      settings: { kind: 'iam-role' },
      connection: {
        host: 'db.example.com',
        port: 5432,
        database: 'shop',
        username: 'reader',
        region: 'eu-west-1',
      },
    })
    expect(byId('db-postgresql').sql).toContain(':query')
    expect(byId('queue-kafka').avro).toMatchObject({ type: 'record' })
    expect(byId('lambda-azure').transport).toMatchObject({ payload_format: 'json', timeout_ms: 9000 })
  })
})

describe('what several files say together', () => {
  const other = TOOL.replace('search-kb', 'find-kb')

  it('two tools with one id: the file with that name has it', async () => {
    const compiled = await compileFiles({
      'tools/a-copy.tool.md': TOOL,
      'tools/search-kb.tool.md': TOOL,
      'agents/helper.agent.md': AGENT,
      'agents/other.agent.md': AGENT,
    })
    expect(placesOf(compiled)).toEqual([
      'aml/file-name agents/other.agent.md:3:11',
      'aml/duplicate-agent-id agents/other.agent.md:3:11',
      'aml/file-name tools/a-copy.tool.md:3:10',
      'aml/duplicate-tool-id tools/a-copy.tool.md:3:10',
    ])
    expect(compiled.tools.map(({ file }) => file)).toEqual(['tools/search-kb.tool.md'])
    expect(compiled.agents.map(({ file }) => file)).toEqual(['agents/helper.agent.md'])
  })

  it.each([
    ['disabled', 'aml/disabled-ref', 0],
    ['deprecated', 'aml/deprecated-ref', 1],
    ['draft', 'aml/draft-ref', 1],
  ])('a ref to a tool with status %s', async (status, code, agents) => {
    const compiled = await compileFiles({
      'tools/search-kb.tool.md': TOOL.replace('active', status).replace(
        'owner: platform',
        'owner: platform\n  last_updated: "2025-04-01"',
      ),
      'agents/helper.agent.md': AGENT,
    })
    expect(placesOf(compiled)).toEqual([`${code} agents/helper.agent.md:7:12`])
    expect(compiled.agents).toHaveLength(agents)
  })

  it('a ref to a tool with errors is reported in the file of the tool', async () => {
    const compiled = await compileFiles({
      'tools/search-kb.tool.md': TOOL.replace('tool_id: search-kb\n', ''),
      'agents/helper.agent.md': AGENT,
    })
    expect(placesOf(compiled)).toEqual(['aml/missing-field tools/search-kb.tool.md:1:1'])
    expect(compiled.agents).toHaveLength(1)
  })

  it('files that no tool uses, and names that are not read', async () => {
    const compiled = await compileFiles({
      'tools/search-kb.tool.md': TOOL,
      'tools/search-kb.sql': 'select 1',
      'tools/search-kb.avsc': AVRO,
      'tools/gone.sql': 'select 1',
      'tools/gone.avsc': '{}',
      'tools/find.tool.yaml': 'a: b',
      'tools/README.md': '# Tools',
      'tools/.hidden.tool.md': 'not read',
      'tools/billing/refund.tool.md': 'not read',
      'tools/billing/notes.md': '# Notes',
      'agents/find-kb.tool.md': other,
    })
    expect(placesOf(compiled)).toEqual([
      'aml/misnamed-file agents/find-kb.tool.md:1:1',
      'aml/misnamed-file tools/billing/refund.tool.md:1:1',
      'aml/misnamed-file tools/find.tool.yaml:1:1',
      'aml/unused-avro-schema tools/gone.avsc:1:1',
      'aml/unused-sql tools/gone.sql:1:1',
      'aml/unused-avro-schema tools/search-kb.avsc:1:1',
      'aml/unused-sql tools/search-kb.sql:1:1',
    ])
  })

  it('a tool file under the name of any other text is not passed over in silence', async () => {
    const readme = `# Tools\n\n\`\`\`\n${TOOL}\`\`\`\n`
    const compiled = await compileFiles({
      'tools/search-kb.tool.md': TOOL,
      'tools/find-kb.md': TOOL,
      'tools/find-kb.yaml': TOOL.slice(4).replaceAll('\n', '\r\n'),
      'tools/README.md': readme,
      'tools/notes.txt': 'tool_id: what each file has',
    })
    expect(placesOf(compiled)).toEqual([
      'aml/misnamed-file tools/find-kb.md:1:1',
      'aml/misnamed-file tools/find-kb.yaml:1:1',
    ])
    expect(placesOf(await compileFiles({ 'tools/find-kb.md': TOOL }))).toEqual([
      'aml/empty-folder .:1:1',
      'aml/misnamed-file tools/find-kb.md:1:1',
    ])
  })

  it.each([
    ['no JSON', '{ "type": "record",\n  oops }', '2:3'],
    ['no record', '["string"]', '1:1'],
    ['a list of three records', `[${AVRO}, ${AVRO}, ${AVRO}]`, '1:1'],
    ['a list with a type that is no record', `[${AVRO}, "string"]`, '1:1'],
  ])('an Avro schema that is %s', async (_, avro, at) => {
    const files = validFiles()
    const compiled = await compileFiles({
      'tools/queue-kafka.tool.md': files['tools/queue-kafka.tool.md']!,
      'tools/queue-kafka.avsc': avro,
    })
    expect(placesOf(compiled)).toEqual([`aml/invalid-avro-schema tools/queue-kafka.avsc:${at}`])
    expect(compiled.tools).toEqual([])
  })

  it.each(['postgresql', 'mysql', 'mssql', 'bigquery', 'snowflake', 'rds-data-api'])(
    'SQL of %s with two statements, which no call would send',
    async (engine) => {
      const id = `db-${engine}`
      const files = validFiles()
      const compiled = await compileFiles({
        [`tools/${id}.tool.md`]: files[`tools/${id}.tool.md`]!,
        [`tools/${id}.sql`]: `${files[`tools/${id}.sql`]!.trim().replace(/;$/, '')}; select 2`,
      })
      expect(placesOf(compiled)).toEqual([`aml/sql-statements tools/${id}.sql:1:1`])
    },
  )

  it('an Avro schema that is a list of the types of messages and of answers', async () => {
    const compiled = await compileFiles({
      'tools/queue-kafka.tool.md': validFiles()['tools/queue-kafka.tool.md']!,
      'tools/queue-kafka.avsc': `[${AVRO}, ${AVRO}]`,
    })
    expect(placesOf(compiled)).toEqual([])
    expect(compiled.tools[0]!.avro).toEqual([JSON.parse(AVRO), JSON.parse(AVRO)])
  })

  it.each([
    ['a file', 'tools/search-kb.tool.md', 'missing-folder', 'This is a file'],
    ['the folder tools itself', 'tools', 'empty-folder', 'the folder that holds tools/'],
  ])('the path of %s', async (_, path, code, words) => {
    const made = writeFolder({ 'tools/search-kb.tool.md': TOOL })
    try {
      const { problems } = await compileFolder(join(made.folder, path))
      expect(problems).toMatchObject([
        { code: `aml/${code}`, message: expect.stringContaining(words) as string },
      ])
    } finally {
      made.dispose()
    }
  })

  it('a folder that is missing, empty, or has no regular files', async () => {
    const made = writeFolder({})
    try {
      expect(placesOf(await compileFolder(join(made.folder, 'gone')))).toEqual(['aml/missing-folder .:1:1'])
      expect(placesOf(await compileFolder(made.folder))).toEqual(['aml/empty-folder .:1:1'])
      mkdirSync(join(made.folder, 'tools'))
      expect(placesOf(await compileFolder(made.folder))).toEqual(['aml/empty-folder .:1:1'])
      mkdirSync(join(made.folder, 'tools/search-kb.tool.md'), { recursive: true })
      symlinkSync('/dev/zero', join(made.folder, 'tools/endless.tool.md'))
      symlinkSync('nowhere', join(made.folder, 'tools/dangling.tool.md'))
      expect(placesOf(await compileFolder(made.folder))).toEqual([
        'aml/unreadable-file tools/dangling.tool.md:1:1',
        'aml/unreadable-file tools/endless.tool.md:1:1',
        'aml/unreadable-file tools/search-kb.tool.md:1:1',
      ])
    } finally {
      made.dispose()
    }
  })

  it('links to files of another kind, which may be secrets of this machine', async () => {
    const files = validFiles()
    const name = Object.keys(files)
      .find((file) => file.endsWith('.sql'))!
      .slice('tools/'.length, -'.sql'.length)
    const tool = files[`tools/${name}.tool.md`]!
    const sql = files[`tools/${name}.sql`]!
    const made = writeFolder({ [`tools/${name}.tool.md`]: tool, credentials: sql, 'shared/other.sql': sql })
    try {
      const link = (target: string, path: string): void => {
        rmSync(join(made.folder, path), { force: true })
        symlinkSync(join(made.folder, target), join(made.folder, path))
      }
      link('shared/other.sql', `tools/${name}.sql`)
      expect((await compileFolder(made.folder)).tools).toMatchObject([{ sql }])
      link('credentials', `tools/${name}.sql`)
      link('credentials', 'tools/secret.tool.md')
      link('credentials', 'toolcrib.lock')
      const compiled = await compileFolder(made.folder)
      expect(placesOf(compiled).filter((place) => place.startsWith('aml/unreadable-file'))).toEqual([
        'aml/unreadable-file toolcrib.lock:1:1',
        `aml/unreadable-file tools/${name}.sql:1:1`,
        'aml/unreadable-file tools/secret.tool.md:1:1',
      ])
      expect(compiled.tools).toEqual([])
    } finally {
      made.dispose()
    }
  })
})

describe('the cache of a folder', () => {
  it('compiles only what changed, checks every ref again, and can be stored', async () => {
    const made = writeFolder({ 'tools/search-kb.tool.md': TOOL, 'agents/helper.agent.md': AGENT })
    try {
      const cache: FolderCache = new Map()
      const before = await compileFolder(made.folder, { cache })
      const stored: FolderCache = new Map(JSON.parse(JSON.stringify([...cache])))
      const again = await compileFolder(made.folder, { cache: stored })
      expect(again).toEqual(before)
      expect(again.tools[0]).toBe((stored.get('tools/search-kb.tool.md')!.result as ToolResult).tool)
      made.write({ 'tools/search-kb.tool.md': TOOL.replace('active', 'disabled') })
      const after = await compileFolder(made.folder, { cache: stored })
      expect(placesOf(after)).toEqual(['aml/disabled-ref agents/helper.agent.md:7:12'])
      rmSync(join(made.folder, 'tools/search-kb.tool.md'))
      await compileFolder(made.folder, { cache: stored })
      expect([...stored.keys()]).toEqual(['agents/helper.agent.md'])
    } finally {
      made.dispose()
    }
  })
})

describe('lines that end with CR LF', () => {
  it('have the same problems in the same places, and fixes keep the line ends', async () => {
    const broken = TOOL.replace('  side_effects: None\n', '').replace('name: Search', 'nme: Search')
    const unix = await compileFiles({ 'tools/search-kb.tool.md': broken })
    const windows = await compileFiles({ 'tools/search-kb.tool.md': broken.replaceAll('\n', '\r\n') })
    expect(placesOf(windows)).toEqual(placesOf(unix))
    const fixes = windows.problems.flatMap(({ fix }) => fix?.text ?? [])
    expect(fixes).toEqual(['name', '\r\n  side_effects: "None"'])
    const valid = await compileFiles({ 'tools/search-kb.tool.md': TOOL.replaceAll('\n', '\r\n') })
    expect(valid.problems).toEqual([])
  })
})
