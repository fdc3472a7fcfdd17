import { cpSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { createCrib, memoryStore, type Crib, type CribOptions } from 'toolcrib'
import { builtinSource } from '../../../../src/builtins.js'
import { openTemporaryFolder, type TemporaryFolder } from '../../../temporary-folder.js'

const opened: Crib[] = []
afterEach(async () => {
  for (const crib of opened.splice(0)) await crib.close({ graceMs: 100 })
})

async function openDocs(folder: TemporaryFolder, permission: CribOptions['permission'] = {}) {
  const source = builtinSource('docs', {}, { folder: folder.path })
  const crib = await createCrib({
    store: memoryStore(),
    sources: [source],
    workspace: folder.path,
    permission,
  })
  opened.push(crib)
  const surface = await crib.surface()
  const search = async (query: string, limit?: number) => {
    const result = await crib.call(surface, {
      name: 'docs.search',
      input: { query, ...(limit && { limit }) },
    })
    const data = result.structured_content as { sections: { file: string; title: string; line: number }[] }
    return { result, sections: data?.sections }
  }
  return { crib, search }
}

describe('docs.search', () => {
  it('finds sections of real documents by what they are about', async () => {
    const folder = openTemporaryFolder()
    cpSync('docs', folder.file('docs'), { recursive: true })
    const { crib, search } = await openDocs(folder)
    expect(crib.declaration('docs.search')).toMatchObject({ tool_kind: 'retrieval', tool_id: 'docs.search' })
    const asked: readonly (readonly [string, string])[] = [
      ['how are secrets redacted', 'redaction.md'],
      ['lift a rule for some time with a waiver', 'permission.md'],
      ['OpenAPI documents as tools', 'openapi.md'],
    ]
    for (const [query, file] of asked) {
      const { sections } = await search(query)
      expect(sections.map((each) => each.file)).toContain(file)
    }
  })

  it('follows changed files, obeys rules, and says when nothing fits', async () => {
    const folder = openTemporaryFolder()
    folder.write('docs/a.md', '# Guide\n\nHow to brew coffee.\n')
    folder.write('docs/private/b.md', '# Secret recipes\n\nCoffee with cardamom.\n')
    const { search } = await openDocs(folder, { deny: ['Read(docs/private/**)'] })
    const first = await search('brewing coffee')
    expect(first.sections).toEqual([
      { file: 'a.md', line: 1, title: 'Guide', excerpt: 'How to brew coffee.', score: expect.any(Number) },
    ])
    expect(first.result.resource_refs).toEqual([
      expect.objectContaining({ uri: `file://${folder.file('docs/a.md')}` }),
    ])
    folder.write('docs/c.md', '# Tea\n\nSteep the leaves.\n')
    expect((await search('steeping leaves')).sections).toMatchObject([{ file: 'c.md' }])
    const { result } = await search('quantum chromodynamics')
    expect(result).toMatchObject({ status: 'succeeded', structured_content: { sections: [] } })
  })

  it('names the setting where there is no folder', async () => {
    const { search } = await openDocs(openTemporaryFolder())
    expect((await search('anything')).result.error?.message).toContain('builtins.docs.folder')
  })
})
