import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { commands } from '../../src/edges/cli/program/commands.js'
import { checkConfig } from '../../src/platform/config/check-config.js'
import { configSchema } from '../../src/platform/config/schema/config-schema.js'
import { root } from '../edges/cli/run-cli.js'
import { snippetsPrint } from './snippets-print.js'

const page = readFileSync(join(root, 'docs/openapi.md'), 'utf8')
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, code]) => code!)

snippetsPrint('docs/openapi.md', page)

describe('docs/openapi.md', () => {
  it('its configs are valid', () => {
    expect(blocks('yaml').length).toBeGreaterThan(1)
    for (const text of blocks('yaml')) expect(checkConfig(parse(text))).toEqual([])
  })

  it('its commands exist', () => {
    const lines = [
      ...blocks('sh')
        .join('\n')
        .matchAll(/^toolcrib (.*?)(?: {2,}#.*)?$/gm),
    ].map(([, line]) => line!)
    expect(lines.length).toBeGreaterThan(5)
    for (const line of lines)
      expect(
        commands.some(({ name }) => `${line} `.startsWith(`${name} `)),
        line,
      ).toBe(true)
  })

  it('its table of settings has every key of an API, and only these', () => {
    const [, table = ''] = /^\| Key.*\n\|.*\n((?:\|.*\n)+)/m.exec(page) ?? []
    const keys = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, key]) => key)
    expect(keys).toEqual(Object.keys(configSchema.properties.openapi.additionalProperties.properties))
  })
})
