import { describe, expect, it } from 'vitest'
import { toDeclaration } from '../../../src/catalog/records/to-declaration.js'
import {
  toExecutionProfile,
  toInterface,
  toPermissionProfile,
} from '../../../src/catalog/records/to-profiles.js'
import type { CatalogTool } from '../../../src/catalog/catalog-tool.js'
import { nameTools } from '../../../src/edges/mcp/tools/served-names.js'
import { openTools } from './open-tools.js'
import { object, restTransport, text, toolFolder } from './write-tools.js'

const URL_OF_API = 'https://mail.example.com/v1'

async function recordsOf(given: object, settings: object = {}) {
  const folder = toolFolder()
  folder.tool('send-email', given as never)
  const opened = await openTools({ folder: folder.path, ...settings })
  expect(opened.problems).toEqual([])
  const tool = opened.crib.tool('aml.shop.send-email') as unknown as CatalogTool
  return {
    ...opened,
    declaration: toDeclaration(tool),
    shape: toInterface(tool),
    execution: toExecutionProfile(tool),
    permission: toPermissionProfile(tool),
  }
}

describe('a tool file', () => {
  it('[AML-FILE-12] [AT-MAP-01] [AT-MODEL-02] becomes the records of the standard', async () => {
    const { declaration, shape, execution, permission } = await recordsOf({
      type: 'action',
      version: '2.1.0',
      meta: { name: 'Send email', tags: ['email', 'write'] },
      error_codes: { 429: { meaning: 'Rate limited', agent_action: 'Wait, then retry' } },
      guidance: {
        use_when: ['the user confirmed it', 'a case is resolved.'],
        avoid_when: 'the address is not verified',
        side_effects: ['Sends an email.'],
      },
      transport: restTransport(URL_OF_API, 'POST /send', {
        timeout_ms: 8000,
        credentials: { scheme: 'bearer-token', source: 'env', name: 'MAIL_TOKEN' },
      }),
    })
    expect(declaration).toMatchObject({
      tool_id: 'aml.shop.send-email',
      title: 'Send email',
      tool_kind: 'native_tool',
      lifecycle: 'available',
      search_hint: 'email write',
      description: [
        'Does what the test needs. It is for tests only.',
        'Use when: the user confirmed it; a case is resolved.',
        'Avoid when: the address is not verified.',
        'Side effects: Sends an email.',
        'Errors: 429 Rate limited — Wait, then retry.',
      ].join('\n'),
      annotations: { meta: { owner: 'tests', tags: ['email', 'write'], last_updated: '2026-01-01' } },
      external_mappings: [
        {
          source: 'aml',
          server_id: 'shop',
          tool_id: 'send-email',
          version: '2.1.0',
          transport: 'rest-api',
          method: 'POST',
          path: '/send',
          server_url: URL_OF_API,
        },
      ],
    })
    expect(shape).toMatchObject({ is_read_only: false, is_open_world: true, is_concurrency_safe: false })
    expect(shape).toMatchObject({ required_credentials: ['env:MAIL_TOKEN'], requires_setup: true })
    expect(execution).toMatchObject({ execution_kind: 'http_api', timeout_ms: 8000 })
    expect(permission).toMatchObject({
      risk_level: 'high',
      access_kinds: ['network', 'credential', 'external_send'],
      write_effects: ['remote_mutation'],
      network_scope: 'mail.example.com',
      credential_refs: ['env:MAIL_TOKEN'],
      rule_matching_fields: ['url', 'domain'],
    })
  })

  it.each([
    ['retrieval', 'retrieval', { is_read_only: true, is_concurrency_safe: true, is_open_world: true }],
    ['action', 'native_tool', { is_read_only: false, is_open_world: true }],
    ['human', 'native_tool', { requires_user_interaction: true }],
  ])('[AML-FILE-03] [AT-KIND-04] [AT-KIND-10] of the type %s is a %s', async (type, kind, facts) => {
    const { declaration, shape } = await recordsOf({
      type,
      guidance: { side_effects: ['Something happens.'] },
      transport: restTransport(URL_OF_API, 'POST /send'),
    })
    expect(declaration.tool_kind).toBe(kind)
    expect(shape).toMatchObject(facts)
  })

  it('without a credential needs no setup', async () => {
    const { shape } = await recordsOf({ transport: restTransport(URL_OF_API, 'POST /send') })
    expect(shape).toMatchObject({ required_credentials: [], requires_setup: false })
  })

  it('is known to MCP clients by its folder and its id, as tools of servers and APIs are', async () => {
    const { crib } = await recordsOf({ transport: restTransport(URL_OF_API, 'POST /send') })
    const [served] = nameTools([crib.tool('aml.shop.send-email')!], 'server')
    expect(served!.name).toBe('shop__send-email')
  })

  it('that deletes is destructive', async () => {
    const { shape, permission } = await recordsOf({
      type: 'action',
      guidance: { side_effects: ['Deletes it.'] },
      transport: restTransport(URL_OF_API, 'DELETE /mails'),
    })
    expect(shape.is_destructive).toBe(true)
    expect(permission.write_effects).toContain('irreversible')
  })

  it('[AML-FILE-04] has schemas of draft 2020-12, whose defaults are never filled in', async () => {
    const { declaration } = await recordsOf({
      interface: {
        input: object({
          pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }], additionalItems: false },
          top_k: { type: 'integer', default: 5 },
        }),
        output: object({ text }),
      },
      transport: restTransport(URL_OF_API, 'POST /send'),
    })
    expect(declaration.input_contract?.model_input_schema).toMatchObject({
      properties: {
        pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
        top_k: { default: 5 },
      },
    })
  })
})

describe('[AML-FILE-02] the status of a tool file', () => {
  const transport = restTransport(URL_OF_API, 'POST /send')

  it('disabled cannot be called, and says so', async () => {
    const { call, declaration } = await recordsOf({ status: 'disabled', transport })
    expect(declaration.lifecycle).toBe('disabled')
    expect((await call('send-email')).error).toMatchObject({
      error_class: 'blocked_tool',
      message: expect.stringContaining('disabled') as string,
    })
  })

  it('deprecated is not newly listed, and says so', async () => {
    const { surface, declaration } = await recordsOf({ status: 'deprecated', transport })
    expect(declaration.lifecycle).toBe('deprecated')
    expect(surface.tools().map(({ toolId }) => toolId)).toEqual([])
  })

  it('draft can be called only where the config says so', async () => {
    const plain = await recordsOf({ status: 'draft', transport })
    expect(plain.declaration.lifecycle).toBe('draft')
    expect((await plain.call('send-email')).error).toMatchObject({
      error_class: 'blocked_tool',
      message: expect.stringContaining('set its status to active') as string,
    })
    const allowed = await recordsOf({ status: 'draft', transport }, { drafts: true })
    expect(allowed.declaration.lifecycle).toBe('available')
  })
})

describe('[AML-FILE-03] a function tool', () => {
  const FUNCTION = {
    type: 'function',
    interface: { input: object({ text }, ['text']), output: object({ text }, ['text']) },
  }

  it('runs code that is registered by its id, in this process', async () => {
    const code = { 'send-email': ({ text: given }: { text: string }) => ({ text: given.toUpperCase() }) }
    const { call, declaration, shape, execution } = await recordsOf(FUNCTION, { code })
    expect(await call('send-email', { text: 'hi' })).toMatchObject({ structured_content: { text: 'HI' } })
    expect(declaration.tool_kind).toBe('function')
    expect(shape).toMatchObject({ is_read_only: true, is_open_world: false })
    expect(execution.execution_kind).toBe('embedded_runtime')
  })

  it('runs code of a module, by its id or by the same name in code', async () => {
    const folder = toolFolder()
    for (const toolId of ['by-id', 'by-name']) folder.tool(toolId, FUNCTION)
    folder.write(
      'code.mjs',
      `export const byName = ({ text }) => ({ text: 'name ' + text })
       export default { 'by-id': ({ text }) => ({ text: 'id ' + text }) }`,
    )
    const { call } = await openTools({ folder: folder.path, base: folder.path, code: './code.mjs' })
    expect(await call('by-id', { text: 'a' })).toMatchObject({ structured_content: { text: 'id a' } })
    expect(await call('by-name', { text: 'a' })).toMatchObject({ structured_content: { text: 'name a' } })
  })

  it('does not import a module that is no longer trusted, also where its tool comes later', async () => {
    const folder = toolFolder()
    folder.tool('other', { ...FUNCTION, status: 'draft' })
    folder.write('code.mjs', 'globalThis.hasRunUntrustedCode = true; export default { other: () => ({}) }')
    const whyUntrusted = () => 'its code has changed since you trusted it'
    const settings = { folder: folder.path, base: folder.path, code: 'code.mjs', drafts: true }
    const { call } = await openTools({ ...settings, whyUntrusted })
    expect((await call('other', { text: 'a' })).error).toMatchObject({
      error_class: 'setup_required',
      message: expect.stringContaining(
        'it is not run, for its code has changed since you trusted it',
      ) as string,
    })
    expect(globalThis).not.toHaveProperty('hasRunUntrustedCode')
  })

  it('without code says what to export', async () => {
    const { call } = await recordsOf(FUNCTION)
    expect((await call('send-email', { text: 'a' })).error).toMatchObject({
      error_class: 'setup_required',
      message: expect.stringContaining(
        'write "code" for the tool folder "shop", a module whose default export has a function "send-email"',
      ) as string,
    })
    const folder = toolFolder()
    folder.tool('send-email', FUNCTION)
    folder.write('code.mjs', 'export default {}')
    const { call: other } = await openTools({ folder: folder.path, base: folder.path, code: 'code.mjs' })
    expect((await other('send-email', { text: 'a' })).error?.message).toMatch(
      /add a function "send-email" to the default export of .*code\.mjs, or export a function named sendEmail\./,
    )
  })
})
