import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { compileFolder } from '../../../../src/sources/tool-file/compile/compile-folder.js'
import { writeLock } from '../../../../src/sources/tool-file/lock/write-lock.js'
import { AGENT, TOOL } from '../compile/broken/make-cases.js'
import { placesOf, writeFolder } from '../compile/compile-files.js'

const open: (() => void)[] = []
afterEach(() => open.splice(0).forEach((dispose) => dispose()))

const FILES = { 'tools/search-kb.tool.md': TOOL, 'agents/helper.agent.md': AGENT }

async function published(files: Readonly<Record<string, string>> = FILES) {
  const made = writeFolder(files)
  open.push(made.dispose)
  expect(await writeLock(made.folder)).toEqual({ isWritten: true, problems: [] })
  return {
    ...made,
    change: (from: string | RegExp, to: string): void =>
      made.write({ 'tools/search-kb.tool.md': changed(TOOL, from, to) }),
    places: async () => placesOf(await compileFolder(made.folder)),
  }
}

function changed(text: string, from: string | RegExp, to: string): string {
  const after = text.replace(from, to)
  expect(after).not.toBe(text)
  return after
}

const OLD = 'query: { type: string }'
const FILE = 'tools/search-kb.tool.md'

describe('toolcrib.lock', () => {
  it('is the same for the same state, whatever its layout, and valid JSON', async () => {
    const { folder, change, places } = await published()
    const text = readFileSync(join(folder, 'toolcrib.lock'), 'utf8')
    expect(JSON.parse(text)).toMatchObject({
      lock_version: 1,
      tools: { 'search-kb': { version: '1.0.0', input: { type: 'object' }, output: { type: 'object' } } },
      agents: { helper: ['search-kb'] },
    })
    change('# Purpose', '# Purpose of the tool\n\nMore words.')
    change('status: active', 'status: "active" # in use')
    expect(await places()).toEqual([])
    expect(await writeLock(folder)).toEqual({ isWritten: false, problems: [] })
    expect(readFileSync(join(folder, 'toolcrib.lock'), 'utf8')).toBe(text)
  })

  it('has no drafts, so that drafts change freely', async () => {
    const draft = TOOL.replace('status: active', 'status: draft')
    const { folder, write, places } = await published({ [FILE]: draft })
    expect(JSON.parse(readFileSync(join(folder, 'toolcrib.lock'), 'utf8'))).toMatchObject({ tools: {} })
    write({ [FILE]: draft.replace(OLD, 'other: { type: integer }').replace('[query]', '[other]') })
    expect(await places()).toEqual([])
  })

  it('is not written for a state with errors', async () => {
    const { folder, change } = await published()
    change('type: retrieval', 'type: retrieve')
    expect(await writeLock(folder)).toMatchObject({
      isWritten: false,
      problems: [{ code: 'aml/invalid-type' }],
    })
  })

  it('is refused where it cannot be read, and can be written again', async () => {
    const { folder, places } = await published()
    writeFileSync(join(folder, 'toolcrib.lock'), '{\n  "lock_version": 1,\n<<<<<<< HEAD\n')
    expect(await places()).toEqual(['aml/invalid-lock toolcrib.lock:3:1'])
    writeFileSync(join(folder, 'toolcrib.lock'), '{ "lock_version": 2 }')
    expect(await places()).toEqual(['aml/invalid-lock toolcrib.lock:1:1'])
    expect(await writeLock(folder)).toMatchObject({ isWritten: false })
    expect(await writeLock(folder, { force: true })).toEqual({ isWritten: true, problems: [] })
    expect(await places()).toEqual([])
  })

  it('says where a published tool is gone that an agent refers to', async () => {
    const { folder, places, write } = await published()
    rmSync(join(folder, FILE))
    write({ 'agents/helper.agent.md': AGENT.replace(/ {2}refs:[\s\S]*?---/, '---') })
    expect(await places()).toEqual([
      'aml/agent-without-tools agents/helper.agent.md:4:1',
      'aml/removed-tool toolcrib.lock:9:5',
    ])
    // A state without the ref, published first, makes the removal possible.
    write({ [FILE]: TOOL })
    expect(await writeLock(folder)).toMatchObject({ isWritten: true })
    rmSync(join(folder, FILE))
    expect(await places()).toEqual(['aml/agent-without-tools agents/helper.agent.md:4:1'])
  })

  it('says where a published tool has another id', async () => {
    const { folder, places, write } = await published()
    rmSync(join(folder, FILE))
    write({
      'tools/find-kb.tool.md': TOOL.replace('search-kb', 'find-kb'),
      'agents/helper.agent.md': AGENT.replace('search-kb', 'find-kb'),
    })
    expect(await places()).toEqual(['aml/renamed-tool tools/find-kb.tool.md:3:10'])
  })

  it('demands a higher version for each change', async () => {
    const { folder, change, places } = await published()
    change('name: Search', 'name: Find')
    const { problems, tools } = await compileFolder(folder)
    expect(problems).toMatchObject([
      { code: 'aml/unchanged-version', line: 4, column: 10, fix: { text: '"1.0.1"' } },
    ])
    expect(tools, 'the file itself has no errors').toHaveLength(1)
    change(/version: "1.0.0"\n([\s\S]*)name: Search/, 'version: "1.0.1"\n$1name: Find')
    expect(await places()).toEqual([])
    change('version: "1.0.0"', 'version: "0.9.9"')
    expect(await places()).toEqual([`aml/lowered-version ${FILE}:4:10`])
    change('version: "1.0.0"', 'version: "1.0.0-beta.1"')
    expect(await places()).toEqual([`aml/lowered-version ${FILE}:4:10`])
  })

  it('covers the SQL beside a tool', async () => {
    const text = TOOL.replace(
      / {2}type: rest-api[\s\S]*scheme: none\n/,
      '  type: database\n  engine: mysql\n  query_method: parameterised-sql\n  credentials: { scheme: service-account, source: env, name: DB }\n',
    )
    const { places, write } = await published({ [FILE]: text, 'tools/search-kb.sql': 'select :query' })
    write({ 'tools/search-kb.sql': 'select :query, 1' })
    expect(await places()).toEqual([`aml/unchanged-version ${FILE}:4:10`])
  })

  it('demands a higher major version for a breaking change, at the field that changed', async () => {
    const { folder, change, places } = await published()
    change(OLD, 'query: { type: string, maxLength: 10 }')
    expect((await compileFolder(folder)).problems).toMatchObject([
      { code: 'aml/breaking-input', line: 15, column: 30, fix: { text: '"2.0.0"' } },
    ])
    change(/"1.0.0"\n([\s\S]*)query: \{ type: string \}/, '"1.1.0"\n$1query: { type: string, maxLength: 10 }')
    expect(await places()).toEqual([`aml/breaking-input ${FILE}:15:30`])
    change(/"1.0.0"\n([\s\S]*)query: \{ type: string \}/, '"2.0.0"\n$1query: { type: string, maxLength: 10 }')
    expect(await places()).toEqual([])
    change('ok: { type: boolean }', 'ok: { type: [boolean, "null"] }')
    expect(await places()).toEqual([`aml/breaking-output ${FILE}:20:13`])
  })
})
