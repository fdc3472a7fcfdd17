import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasScript, onTerminal } from './on-terminal.js'
import { createPlace, expectRecord, root } from './run-cli.js'

const office = join(root, 'test/edges/cli/office-tools.mjs')
const CONFIG = `tools: ['${office}']\n`
const DENIED = `${CONFIG}permission: { deny: ['vault.rotate_key'] }\n`

interface Found {
  query: string
  query_type: string
  matches: string[]
  total_deferred_tools: number
  missing_names: string[]
  next_action: string
  toolcrib: Record<
    'candidates' | 'near_misses',
    { tool_id: string; score: number; reason: string; loading_state: string }[]
  >
}

async function search(config: string, ...words: string[]): Promise<Found & { code: number | null }> {
  const { code, stdout } = await createPlace(config).run(['tools', 'search', ...words, '--json'])
  const found = JSON.parse(stdout) as Found
  expectRecord('tool_search_result', found)
  return { ...found, code }
}

describe('toolcrib tools search', () => {
  it('prints score, tool, description and reason within 80 columns, best first, and opens no store', async () => {
    const place = createPlace(CONFIG)
    const { code, stdout, stderr } = await place.run(['tools', 'search', 'send', 'an', 'email'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(
      /^[01]\.\d\d {2}mail\.send_email +Sends an email to one or more people\.\n {6}\S.* in name/,
    )
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    expect(existsSync(join(place.folder, 'home'))).toBe(false)
  })

  it('also accepts the words as one argument, and returns as many tools as --limit says', async () => {
    const place = createPlace(CONFIG)
    const { stdout } = await place.run(['tools', 'search', 'open a drawer', '--limit', '3'])
    expect(stdout.match(/^\d\.\d\d {2}drawer\.open_\d\d /gm)).toHaveLength(3)
    expect((await search(CONFIG, 'open a drawer')).matches).toHaveLength(5)
  })

  it('--json prints the record, with the search hints of tools', async () => {
    const found = await search(CONFIG, 'weather', 'forecast')
    expect(found).toMatchObject({
      code: 0,
      query: 'weather forecast',
      query_type: 'keyword',
      total_deferred_tools: 1,
      next_action: 'load_schema_then_call',
    })
    expect(found.matches[0]).toBe('weather.forecast')
    expect(found.toolcrib.candidates[0]).toMatchObject({ loading_state: 'discoverable' })
    const { stdout } = await createPlace(CONFIG).run(['tools', 'search', 'weather', 'forecast'])
    expect(stdout).toContain('(deferred)')
  })

  it('uses the budget of the config', async () => {
    const found = await search(`${CONFIG}surface: { deferral: { budgetTokens: 100 } }`, 'drawer')
    expect(found.total_deferred_tools).toBe(30)
  })

  it('neither finds nor counts nor names tools that a rule denies', async () => {
    expect((await search(CONFIG, 'rotate a key')).matches[0]).toBe('vault.rotate_key')
    const denied = await search(DENIED, 'rotate a key')
    expect(denied).toMatchObject({ code: 0, matches: [], next_action: 'refine_query' })
    expect(JSON.stringify(denied)).not.toContain('vault.rotate_key')
    const named = await search(DENIED, 'select:vault.rotate_key')
    expect(named).toMatchObject({ code: 2, matches: [], missing_names: ['vault.rotate_key'] })
    const excluded = `${CONFIG}surface: { exclude: ['vault.*'] }`
    expect((await search(excluded, 'rotate a key')).matches).toEqual([])
  })

  it('select: finds tools by name, and an unknown name has exit code 2', async () => {
    const both = await search(CONFIG, 'select:mail.send_email,weather__forecast')
    expect(both).toMatchObject({
      code: 0,
      query_type: 'select',
      matches: ['mail.send_email', 'weather.forecast'],
    })
    const { code, stdout, stderr } = await createPlace(CONFIG).run([
      'tools',
      'search',
      'select:forecast, send_emial',
    ])
    expect(code).toBe(2)
    expect(stdout).toContain('weather.forecast')
    expect(stderr).toMatch(/^No tool here is called "send_emial"\.\nNearest:\n {2}mail\.send_email /)
  })

  it('+word is required', async () => {
    expect((await search(CONFIG, '+calendar', 'send')).matches).toEqual(['calendar.create_event'])
  })

  it('suggests what to try where nothing matches, and that is no error', async () => {
    const place = createPlace(CONFIG)
    const plain = await place.run(['tools', 'search', 'xyzzy'])
    expect(plain).toMatchObject({ code: 0, stdout: '' })
    expect(plain.stderr).toMatch(
      /^No tool matches "xyzzy"\.\nTry other words .*"toolcrib tools" lists all tools\.\n$/,
    )
    const strict = await place.run(['tools', 'search', '+xyzzy', 'drawer'])
    expect(strict.stderr).toContain('the same words without "+"')
  })

  it('prints neither secrets nor control characters', async () => {
    const place = createPlace(CONFIG)
    const { stdout } = await place.run(['tools', 'search', 'read the note'])
    expect(stdout).toContain('vault.read_note')
    expect(stdout).not.toContain('ghp_')
    expect([...stdout].filter((char) => /\p{Control}/u.test(char) && char !== '\n')).toEqual([])
    const json = await place.run(['tools', 'search', 'ghp_abcdefghijklmnopqrstuvwxyz0123456789', '--json'])
    expect(json.stdout).not.toContain('ghp_')
  })

  it.each([
    [[], /^Missing required argument 'words'; "tools search --help" shows examples\.\n$/],
    [[' '], /^Say what the tool should do: [^\n]*\n$/],
    [['select: ,'], /^Name tools after "select:"[^\n]*\n$/],
    [['drawer', '--limit', '0'], /^--limit takes a whole number above 0, not "0"\.\n$/],
    [['drawer', '--limt', '3'], /^Unknown option '--limt'[^\n]*\n$/],
  ])('%j prints a sentence, with exit code 2', async (words, sentence) => {
    const { code, stdout, stderr } = await createPlace(CONFIG).run(['tools', 'search', ...words])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(sentence)
  })

  it('prints how to begin where there is no config', async () => {
    const { code, stderr } = await createPlace('').run(['tools', 'search', 'drawer'])
    expect(code).toBe(0)
    expect(stderr).toContain('toolcrib.yaml')
  })

  it.skipIf(!hasScript)('prints the next step at a terminal', async () => {
    const { text } = await onTerminal(createPlace(CONFIG), 'tools search open a drawer')
    expect(text).toMatch(/toolcrib tools show drawer\.open_\d\d/)
    expect(text).toMatch(/toolcrib tools search select:drawer\.open_\d\d,drawer\.open_\d\d/)
  })
})
