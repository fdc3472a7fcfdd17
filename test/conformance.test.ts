import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

interface Entry {
  id: string
  chapter: string
  /** STATED where the text says it without capital letters: a list, an example, a plain sentence. */
  level: 'MUST' | 'SHOULD' | 'STATED'
  demand: string
  /** Names the demand lists, where they do not fit into its sentence. */
  fields?: string[]
  digest: string | null
  line: number
  status: 'implemented' | 'partly' | 'open'
  where: string[]
  /** What there is not yet, of a demand that is met partly or not at all. */
  missing?: string
  sameAs?: string
}

interface Splitter {
  normativeSentences(text: string): { line: number; sentence: string }[]
  digestOf(sentence: string): string
}

interface Writer {
  readInventory(): Entry[]
  citations(root?: string, pattern?: RegExp): Map<string, string[]>
  writePage(options: { check: boolean }): boolean
}

const root = fileURLToPath(new URL('..', import.meta.url))
const standard = join(root, '../shared/spec/agent-tool-0.2.0.md')

// The scripts are plain JavaScript without declarations, so they are loaded by address and typed here.
const load = async (name: string): Promise<unknown> =>
  import(new URL(`../scripts/conformance/${name}`, import.meta.url).href)
const { normativeSentences, digestOf } = (await load('split-standard.mjs')) as Splitter
const { readInventory, citations, writePage } = (await load('write-page.mjs')) as Writer

const entries = readInventory()
const ids = new Set(entries.map((entry) => entry.id))

describe('conformance inventory', () => {
  it('has unique, well-formed entries', () => {
    expect(ids.size).toBe(entries.length)
    for (const entry of entries) {
      expect(entry.id).toMatch(/^(?:AT|AR|AML)-[A-Z]+-\d{2,}$/)
      expect(['MUST', 'SHOULD', 'STATED'], entry.id).toContain(entry.level)
      expect(['implemented', 'partly', 'open'], entry.id).toContain(entry.status)
      expect(entry.demand.length, entry.id).toBeLessThanOrEqual(160)
      expect(entry.missing !== undefined, `${entry.id} says what is missing`).toBe(
        entry.status !== 'implemented',
      )
      if (entry.digest !== null) expect(entry.digest, entry.id).toMatch(/^[0-9a-f]{12}$/)
      if (entry.sameAs !== undefined) expect(ids, entry.id).toContain(entry.sameAs)
    }
  })

  it('names only paths that exist', () => {
    const missing = entries.flatMap(({ id, where }) =>
      where.filter((path) => !existsSync(join(root, path))).map((path) => `${id}: ${path}`),
    )
    expect(missing).toEqual([])
  })

  it('has a test for each implemented demand', () => {
    const cited = citations()
    const untested = entries.filter(({ id, status }) => status === 'implemented' && !cited.has(id))
    expect(untested.map(({ id }) => id)).toEqual([])
  })

  it('knows each id that a file of tests cites', () => {
    const unknown = [...citations(root, /./)].filter(([id]) => !ids.has(id))
    expect(unknown).toEqual([])
  })

  it('has an up-to-date page', () => {
    const hint = 'docs/conformance.md is out of date: run node scripts/conformance/write-page.mjs'
    expect(writePage({ check: true }), hint).toBe(true)
  })

  it('covers each normative sentence of the standard and no other', ({ skip }) => {
    if (!existsSync(standard)) {
      const reason = `the text of the standard is not at ${standard}`
      console.info(`skipped: ${reason}`)
      skip(reason)
    }
    const sentences = normativeSentences(readFileSync(standard, 'utf8'))
    expect(sentences.length).toBeGreaterThan(0)
    const inText = sentences.map(({ line, sentence }) => `line ${line}: ${digestOf(sentence)}`)
    const inInventory = entries
      .filter(({ digest }) => digest !== null)
      .map(({ line, digest }) => `line ${line}: ${digest}`)
    expect([...new Set(inInventory)].sort()).toEqual([...new Set(inText)].sort())
  })
})
