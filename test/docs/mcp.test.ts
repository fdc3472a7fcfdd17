import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commands } from '../../src/edges/cli/program/commands.js'
import { checkConfig } from '../../src/platform/config/check-config.js'
import { parse } from 'yaml'
import { createPlace, root } from '../edges/cli/run-cli.js'
import { snippetsPrint } from './snippets-print.js'

const page = readFileSync(join(root, 'docs/mcp.md'), 'utf8')
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, code]) => code!)

snippetsPrint('docs/mcp.md', page)

describe('docs/mcp.md', () => {
  it('its configs are valid', () => {
    for (const text of blocks('yaml')) expect(checkConfig(parse(text))).toEqual([])
  })

  it('its commands exist, with their options', () => {
    const lines = [
      ...blocks('sh')
        .join('\n')
        .matchAll(/^toolcrib (.*?)(?: {2,}#.*)?$/gm),
    ].map(([, line]) => line!)
    expect(lines.length).toBeGreaterThan(5)
    for (const line of lines) {
      const row = commands
        .filter(({ name }) => `${line} `.startsWith(`${name} `))
        .toSorted((a, b) => b.name.length - a.name.length)[0]
      expect(row, line).toBeDefined()
      for (const [flag] of line.matchAll(/--[a-z-]+/g))
        expect(row!.options?.map(({ flags }) => flags).join(' '), line).toContain(flag)
    }
  })

  it('a client gets what the page says', async () => {
    const [shown] = blocks('json')
    const { stdout } = await createPlace('').run(['connect', 'cursor', '--token', '0123456789abcdef'])
    expect(stdout).toBe(shown)
  })

  it('its servers are not started in an untrusted project', async () => {
    const place = createPlace(blocks('yaml')[0], { isTrusted: false })
    const { stdout } = await place.run(['servers', '--json'])
    expect(
      JSON.parse(stdout).map(({ name, state }: { name: string; state: string }) => [name, state]),
    ).toEqual([
      ['files', 'left_out'],
      ['tracker', 'left_out'],
      ['old', 'left_out'],
    ])
  })
})
