import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasScript, onTerminal } from './on-terminal.js'
import { readScreen } from './read-screen.js'
import { createPlace, expectRecord, fixtures, workshop, root } from './run-cli.js'

describe('toolcrib tools', () => {
  it('lists names, facts and descriptions, untruncated into a pipe, and opens no store', async () => {
    const place = createPlace()
    const { code, stdout, stderr } = await place.run(['tools'])
    expect(code).toBe(0)
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^math\.add +reads +Adds two numbers\.$/m)
    expect(stdout).toMatch(/^notes\.write +writes, approval +Writes a note/m)
    expect(stdout).toMatch(/^test\.touch +writes /m)
    expect(stdout).not.toContain('…')
    expect(existsSync(join(place.folder, 'home'))).toBe(false)
  })

  it('aligns the columns also where names and facts are long', async () => {
    const place = createPlace(`openapi: { orders: { document: ./orders.json, server: 'https://a.example' } }`)
    const operation = (operationId: string) => ({ operationId, summary: 'Does it.', responses: {} })
    const paths = { '/a': { get: operation('get'), delete: operation('cancelManyOrders') } }
    place.write('orders.json', JSON.stringify({ openapi: '3.1.0', info: {}, paths }))
    const { stdout } = await place.run(['tools'], { env: { COLUMNS: '80' } })
    const places = stdout
      .trim()
      .split('\n')
      .map((line) => line.indexOf('Does it.'))
    expect(places).toEqual([62, 62])
  })

  it.skipIf(!hasScript)(
    'fits a terminal of 80 columns, and shows why a tool is blocked in full',
    async () => {
      const place = createPlace(
        `openapi: { orders: { document: ./orders.json, server: 'https://a.example' } }`,
      )
      const operation = (operationId: string, more: object = {}) => ({
        operationId,
        summary: `Does it. ${'And more. '.repeat(20)}`,
        responses: {},
        ...more,
      })
      const security = [{ Key: [] }]
      const long = `list${'VeryLong'.repeat(7)}`
      const paths = {
        '/a': { get: operation('get', { security }), put: operation('replace', { security }) },
        '/b': { get: operation(long), delete: operation('removeAll', { deprecated: true }) },
        '/c': { get: operation('c', { security: [{ Mail: [] }] }) },
      }
      const components = {
        securitySchemes: {
          Key: { type: 'apiKey', in: 'header', name: 'x-key' },
          Mail: { type: 'http', scheme: 'basic' },
        },
      }
      place.write('orders.json', JSON.stringify({ openapi: '3.1.0', info: {}, paths, components }))
      const { lines, columns } = readScreen((await onTerminal(place, 'tools')).text)
      expect(columns).toBeLessThanOrEqual(80)
      const text = lines.join('\n')
      expect(text).toMatch(/^api\.orders\.get +blocked +"orders" needs .*…$/m)
      expect(text).toMatch(new RegExp(`^api\\.orders\\.${long}\n +reads, open world  Does it\\. .*…$`, 'm'))
      const sentences = text.replaceAll(/\n(?!\n)/g, ' ')
      expect(sentences).toContain(
        '2 tools are blocked: "orders" needs a credential (Key): run toolcrib secrets set orders/Key.',
      )
      expect(sentences).toContain(
        'api.orders.c is blocked: "orders" needs a credential (Mail): run toolcrib secrets set orders/Mail.',
      )
    },
  )

  it('escapes control characters in descriptions, in one line', async () => {
    const { stdout } = await createPlace().run(['tools'])
    expect([...stdout].filter((char) => /\p{Control}|\u202E/u.test(char) && char !== '\n')).toEqual([])
    expect(stdout).toContain(String.raw`\u001b[31mred`)
  })

  it('--json prints declarations that match the schema, with the visibility of each', async () => {
    const place = createPlace(`tools: ['${workshop}']\nsurface: { exclude: ['vault.*'] }`)
    const { stdout } = await place.run(['tools', '--json'])
    const tools = JSON.parse(stdout) as { tool_id: string; toolcrib: { surface: { visibility: string } } }[]
    expect(tools.map(({ tool_id: id }) => id)).toContain('math.add')
    for (const tool of tools) expectRecord('tool_declaration', tool)
    const visibility = Object.fromEntries(
      tools.map((tool) => [tool.tool_id, tool.toolcrib.surface.visibility]),
    )
    expect(visibility).toMatchObject({ 'math.add': 'loaded', 'vault.login': 'excluded' })
  })

  it('shows the description of a deferred tool too', async () => {
    const place = createPlace(`tools: ['${workshop}']\nsurface: { deferral: { budgetTokens: 100 } }`)
    const { stdout } = await place.run(['tools'])
    expect(stdout).toMatch(/^math\.add +deferred +Adds two numbers\.$/m)
    expect(stdout).not.toContain('tool.search')
  })

  it('prints how to begin where there is no config, and is not an error', async () => {
    const place = createPlace('')
    const plain = await place.run(['tools'])
    expect(plain).toMatchObject({ code: 0, stdout: '' })
    expect(plain.stderr).toContain('toolcrib.yaml')
    expect(plain.stderr).toContain('tools:\n    - ./tools/*.mjs')
    expect(JSON.parse((await place.run(['tools', '--json'])).stdout)).toEqual([])
  })

  it('accepts --config before and after the command', async () => {
    const place = createPlace('')
    place.write('other.yaml', `tools: ['${fixtures}']`)
    place.trust('other.yaml')
    expect((await place.run(['tools', '--config', 'other.yaml'])).stdout).toContain('test.echo')
    expect((await place.run(['--config', 'other.yaml', 'tools'])).stdout).toContain('test.echo')
  })
})

describe('toolcrib tools show', () => {
  it('shows the result settings of the tool', async () => {
    const place = createPlace(`tools: ['./own.mjs']`)
    place.write(
      'own.mjs',
      `import { defineTool } from '${root}lib/index.js'
export default defineTool({ name: 'own', description: 'Says much.', maxInlineChars: 700, maxInlineTokens: 90,
  persistence: 'ref_only', artifacts: { min: 2, mediaTypes: ['text/csv'] }, execute: () => 1 })`,
    )
    const { stdout } = await place.run(['tools', 'show', 'own'])
    for (const words of [
      'shown up to 700 characters, 90 tokens',
      'persistence ref_only',
      'promises at least 2 artifacts of the type text/csv',
    ])
      expect(stdout).toContain(words)
  })

  it('shows schema, facts with their origins, execution and permission', async () => {
    const { code, stdout } = await createPlace().run(['tools', 'show', 'notes.write'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/text +string +required/)
    expect(stdout).toMatch(/only reads +no +declared/)
    expect(stdout).toMatch(/destroys +it depends +inferred/)
    expect(stdout).toMatch(/may run beside others +no +default/)
    expect(stdout).toMatch(/supports progress/)
    expect(stdout).toMatch(/risk medium \(declared\)/)
    expect(stdout).toMatch(/sha256:[0-9a-f]{64}/)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  it('finds a tool by any of its names and marks sensitive fields', async () => {
    const place = createPlace()
    expect((await place.run(['tools', 'show', 'vault__login'])).stdout).toMatch(/password .*sensitive/)
    expect((await place.run(['tools', 'show', 'login'])).code).toBe(0)
  })

  it('--json prints the four records and the fingerprint', async () => {
    const { stdout } = await createPlace().run(['tools', 'show', 'math.add', '--json'])
    const shown = JSON.parse(stdout) as Record<string, unknown>
    expect(Object.keys(shown)).toEqual([
      'declaration',
      'interface',
      'execution_profile',
      'permission_profile',
      'fingerprint',
    ])
    expectRecord('tool_declaration', shown['declaration'])
    expectRecord('tool_interface', shown['interface'])
    expectRecord('tool_execution_profile', shown['execution_profile'])
    expectRecord('tool_permission_profile', shown['permission_profile'])
  })

  it('suggests the nearest name', async () => {
    const { code, stdout, stderr } = await createPlace().run(['tools', 'show', 'math.ad'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('did you mean "math.add"?')
  })
})
