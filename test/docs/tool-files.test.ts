import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as yaml from 'yaml'
import { commands } from '../../src/edges/cli/program/commands.js'
import { checkConfig } from '../../src/platform/config/check-config.js'
import { configSchema } from '../../src/platform/config/schema/config-schema.js'
import { rules } from '../../src/sources/tool-file/compile/rules.js'
import { toolStatuses, type CompiledFolder } from '../../src/sources/tool-file/compiled.js'
import { kinds } from '../../src/sources/tool-file/tools/tool-facts.js'
import { engineFacts } from '../../src/sources/tool-file/transports/database/engine-facts.js'
import { root } from '../edges/cli/run-cli.js'
import { compileFiles } from '../sources/tool-file/compile/compile-files.js'
import { snippetsPrint } from './snippets-print.js'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const files = read('docs/tool-files.md')
const transports = read('docs/tool-file-transports.md')
const agents = read('docs/agent-files.md')
const EXAMPLE = 'examples/support-desk/tools/search-articles.tool.md'

const blocks = (page: string, ...languages: string[]): string[] =>
  [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)]
    .filter(([, language]) => languages.includes(language!))
    .map(([, , code]) => code!)

/** The cells of the table that has these titles. */
function table(page: string, ...titles: string[]): string[][] {
  const rows = page.split('\n').map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim()),
  )
  const start = rows.findIndex((row) => titles.every((title, at) => row[at] === title))
  expect(start, titles.join(', ')).toBeGreaterThan(-1)
  const end = rows.findIndex((row, at) => at > start && row.length < 2)
  return rows.slice(start + 2, end)
}

const named = (cell: string | undefined): string => (cell ?? '').replaceAll('`', '')

snippetsPrint('docs/tool-files.md', files)

describe('the pages of tool files', () => {
  it('the whole file is that of the example', () => {
    expect(blocks(files, 'md')).toEqual([read(EXAMPLE)])
  })

  it('their configs are valid', () => {
    const configs = [files, transports, agents]
      .flatMap((page) => blocks(page, 'yaml'))
      .filter((text) => /^(?:toolFiles|serve):/.test(text))
    expect(configs.length).toBeGreaterThan(1)
    for (const text of configs) expect(checkConfig(yaml.parse(text))).toEqual([])
  })

  it('their commands exist, with their options', () => {
    const lines = [files, transports, agents]
      .flatMap((page) => [
        ...blocks(page, 'sh', 'console')
          .join('\n')
          .matchAll(/^(?:\$ )?toolcrib (.*?)(?: {2,}#.*)?$/gm),
      ])
      .map(([, line]) => line!)
    const inText = [...`${files}${transports}`.matchAll(/`toolcrib ([^`]+)`/g)].map(([, line]) => line!)
    expect(lines.length).toBeGreaterThan(12)
    for (const line of [...lines, ...inText]) {
      const found = commands
        .filter(({ name }) => `${line} `.startsWith(`${name} `))
        .toSorted((left, right) => right.name.length - left.name.length)[0]
      expect(found, line).toBeDefined()
      const flags = (found!.options ?? []).flatMap(({ flags: text }) => text.match(/--[\w-]+/g) ?? [])
      const given = line.match(/(?<= )--[\w-]+/g) ?? []
      for (const flag of given) expect([...flags, '--json'], line).toContain(flag)
    }
  })

  it('the tables of settings have every key of a folder and of a tool, and only these', () => {
    const { properties } = configSchema.properties.toolFiles.additionalProperties
    const keys = (...titles: string[]): string[] => table(files, ...titles).map(([key]) => named(key))
    expect(keys('Key', 'What for')).toEqual(Object.keys(properties))
    expect(keys('Key of a tool', 'What for')).toEqual(
      Object.keys(properties.tools.additionalProperties.properties),
    )
  })

  it('the tables of types and statuses are those of the code', () => {
    const types = table(files, '`type`', 'Kind').map(([type, kind]) => [named(type), named(kind)])
    expect(Object.fromEntries(types)).toEqual(kinds)
    expect(table(files, '`status`', 'Lifecycle').map(([status]) => named(status))).toEqual([...toolStatuses])
  })

  it('the tables of engines say what the code says', () => {
    const shown = table(transports, 'Engine', 'Package')
    expect(shown).toEqual(
      Object.entries(engineFacts).map(([engine, facts]) => [
        `\`${engine}\``,
        `\`${facts.package}\``,
        facts.retrieval,
        facts.oneStatement,
        facts.timeLimit,
        facts.cancellation,
        facts.hasOrm ? 'yes' : 'no',
      ]),
    )
    expect(table(transports, 'Engine', 'Role for `retrieval` tools')).toEqual(
      Object.entries(engineFacts).map(([engine, { role }]) => [`\`${engine}\``, role]),
    )
  })

  it('every code that they name is in the table of rules', () => {
    const codes = new Set(`${files}${transports}${agents}`.match(/\baml\/[a-z-]+/g))
    expect(codes.size).toBeGreaterThan(5)
    for (const code of codes) expect(Object.keys(rules)).toContain(code)
  })

  it('their transports compile', async () => {
    const found = blocks(transports, 'yaml').filter((text) => text.startsWith('transport:'))
    expect(found).toHaveLength(6)
    for (const text of found) {
      const compiled = await compileTransport(text)
      expect(compiled.problems, text).toEqual([])
      expect(compiled.tools).toHaveLength(1)
    }
  })

  it('their file field compiles', async () => {
    const [field] = blocks(files, 'yaml').filter((text) => text.startsWith('attachment:'))
    const compiled = await compileFiles({
      'tools/search-articles.tool.md': read(EXAMPLE).replace(
        "    required: ['query']\n",
        `${field!.replaceAll(/^/gm, '      ').trimEnd()}\n    required: ['query']\n`,
      ),
    })
    expect(compiled.problems).toEqual([])
    expect(compiled.tools[0]!.fileFields.input).toMatchObject([{ path: ['attachment'], transfer: 'inline' }])
  })
})

/** A tool with this transport, and the fields and files that it needs. */
async function compileTransport(transport: string): Promise<CompiledFolder> {
  const [before, after] = read(EXAMPLE).split(/^transport:[\s\S]*?(?=^use_guidance:)/m)
  const isDatabase = transport.includes('type: database')
  const fields = isDatabase
    ? { customer: { type: 'string' }, since: { type: 'string' } }
    : { case: { type: 'string' } }
  const input = `  input: ${JSON.stringify({ type: 'object', properties: fields, required: [Object.keys(fields)[0]] })}\n`
  const text = `${before}${transport}${after}`.replace(/^ {2}input:[\s\S]*?(?=^ {2}output:)/m, input)
  return compileFiles({
    'tools/search-articles.tool.md': text,
    ...(isDatabase && { 'tools/search-articles.sql': blocks(transports, 'sql')[0]! }),
  })
}
