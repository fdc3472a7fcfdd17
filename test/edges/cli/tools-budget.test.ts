import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { countTokens } from '../../../src/platform/tokens/count-tokens.js'
import { createPlace, root } from './run-cli.js'

const office = join(root, 'test/edges/cli/office-tools.mjs')
const CONFIG = `tools: ['${office}']\n`
const withBudget = (more: string): string => `${CONFIG}surface: { deferral: { ${more} } }\n`

interface Report {
  encoding: string
  budget_tokens: number
  budget_origin: string
  decision: string
  total_tokens: number
  loaded_tokens: number
  deferred_tokens: number
  discovery_tools: string[]
  discovery_tokens: number
  saved_tokens: number
  tools: { tool_id: string; tokens: number; visibility: string }[]
}

async function budget(config: string, ...options: string[]): Promise<Report> {
  const { code, stdout, stderr } = await createPlace(config).run(['tools', 'budget', '--json', ...options])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as Report
}

const sum = (tools: Report['tools']): number => tools.reduce((total, { tokens }) => total + tokens, 0)

describe('toolcrib tools budget', () => {
  it('lists the most expensive first within 80 columns, truncates the list, and ends with totals', async () => {
    const place = createPlace(CONFIG)
    const { code, stdout, stderr } = await place.run(['tools', 'budget'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = stdout.split('\n')
    expect(lines[0]).toBe('tokens   share  visibility  tool')
    expect(lines[1]).toMatch(/^ +\d+ +\d+\.\d% {2}loaded {6}mail\.send_email$/)
    expect(stdout).toMatch(/^ +[\d,]+ {2}and 18 more tools of \d+ tokens or less; --all shows all$/m)
    expect(stdout).toMatch(/^all tools +[\d,]+ tokens {2}30 tools$/m)
    expect(stdout).toMatch(/^loaded +[\d,]+ tokens {2}29 tools, with tool\.search \(\d+ tokens\)$/m)
    expect(stdout).toMatch(/^deferred +\d+ tokens {2}1 tool$/m)
    for (const line of lines.slice(0, -2)) expect(line.length).toBeLessThanOrEqual(80)
    expect(existsSync(join(place.folder, 'home'))).toBe(false)
    const all = await place.run(['tools', 'budget', '--all'])
    expect(all.stdout.match(/^ +\d+ +\d+\.\d% /gm)).toHaveLength(30)
    expect(all.stdout).not.toContain('--all')
  })

  it('says that 10,000 tokens are the default where the config sets none', async () => {
    const { stdout } = await createPlace(CONFIG).run(['tools', 'budget'])
    expect(stdout).toContain('The config sets no budget; this is what one of 10,000 tokens would do.')
    expect(await budget(CONFIG)).toMatchObject({ budget_tokens: 10_000, budget_origin: 'default' })
    const own = withBudget('budgetTokens: 900')
    expect(await budget(own)).toMatchObject({ budget_tokens: 900, budget_origin: 'config' })
    expect(await budget(own, '--tokens', '800')).toMatchObject({
      budget_tokens: 800,
      budget_origin: 'option',
    })
  })

  it('counts each tool as it is sent', async () => {
    const { tools, encoding } = await budget(CONFIG)
    const wire = {
      name: 'drawer__open_10',
      description: 'Opens the drawer with the number 10.',
      input_schema: {
        type: 'object',
        properties: { hand: { type: 'string', description: 'The hand, as people say it.' } },
        required: ['hand'],
        additionalProperties: false,
      },
    }
    expect(encoding).toBe('o200k_base')
    expect(tools.find(({ tool_id: id }) => id === 'drawer.open_10')?.tokens).toBe(
      await countTokens(JSON.stringify(wire)),
    )
  })

  it('shows what a budget defers and what that saves, which is never overstated', async () => {
    const report = await budget(withBudget('budgetTokens: 500, always: [mail.send_email]'))
    const { tools, discovery_tokens: discovery } = report
    const loaded = tools.filter(({ visibility }) => visibility === 'loaded')
    expect(report).toMatchObject({ decision: 'deferred', discovery_tools: ['tool.search'] })
    expect(loaded.map(({ tool_id: id }) => id)).toEqual(['mail.send_email'])
    expect(report.total_tokens).toBe(sum(tools))
    expect(report.loaded_tokens).toBe(sum(loaded) + discovery)
    expect(report.saved_tokens).toBe(report.total_tokens - report.loaded_tokens)
    const { stdout } = await createPlace(CONFIG).run(['tools', 'budget', '--tokens', '500'])
    expect(stdout).toMatch(/The tools take more: deferral saves [\d,]+ tokens \(\d+%\) in the first prompt\./)
    expect(stdout).toContain('To defer like this: surface: { deferral: { budgetTokens: 500 } }')
  })

  it('reports that all tools fit, or that the tools which are always loaded exceed the budget', async () => {
    const few = `${CONFIG}surface: { include: ['mail.*'] }\n`
    const report = await budget(few)
    expect(report).toMatchObject({ decision: 'within_budget', discovery_tokens: 0, saved_tokens: 0 })
    expect((await createPlace(few).run(['tools', 'budget'])).stdout).toContain(
      'All tools fit, and none is deferred.',
    )
    const much = createPlace(withBudget('budgetTokens: 20, always: [mail.send_email]'))
    expect((await much.run(['tools', 'budget'])).stdout).toContain(
      'What is always loaded takes more than the budget',
    )
  })

  it('neither shows nor counts tools that a rule denies', async () => {
    const all = await budget(CONFIG)
    const left = await budget(`${CONFIG}permission: { deny: ['vault.rotate_key'] }`)
    expect(left.tools).toHaveLength(all.tools.length - 1)
    expect(JSON.stringify(left)).not.toContain('vault.rotate_key')
    expect(left.total_tokens).toBe(sum(left.tools))
  })

  it('--tokens that is no number prints a sentence, with exit code 2; no tools are no error', async () => {
    const wrong = await createPlace(CONFIG).run(['tools', 'budget', '--tokens', 'many'])
    expect(wrong).toEqual({
      code: 2,
      stdout: '',
      stderr: '--tokens takes a whole number above 0, not "many".\n',
    })
    const none = await createPlace('tools: []').run(['tools', 'budget'])
    expect(none).toMatchObject({ code: 0, stdout: '' })
    expect(none.stderr).toContain('has no tools')
    expect((await createPlace('').run(['tools', 'budget'])).stderr).toContain('toolcrib.yaml')
  })
})
