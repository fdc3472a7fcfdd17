import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** All files that are loaded with one: its imports and their imports, except dynamic ones. */
function loadedWith(file: URL, found = new Map<string, URL>()): string[] {
  found.set(file.pathname.replace(/^.*\/src\//, ''), file)
  const imports = /^(?:import|export)\s(?!type\b)[^'"]*?from '(\.{1,2}\/[^']+)'|^import '(\.[^']+)'/gm
  for (const [, from, bare] of readFileSync(file, 'utf8').matchAll(imports)) {
    const next = new URL((from ?? bare!).replace(/\.js$/, '.ts'), file)
    if (![...found.values()].some(({ href }) => href === next.href)) loadedWith(next, found)
  }
  return [...found.keys()]
}

it('a process that stores blobs in files loads no S3 code', () => {
  for (const door of ['index.ts', 'blobs.ts']) {
    const loaded = loadedWith(new URL(`../../../src/${door}`, import.meta.url))
    expect(loaded).toContain('storage/blobs/files/read-blob-file.ts')
    expect(loaded.filter((path) => path.startsWith('storage/blobs/s3/')).toSorted()).toEqual([
      'storage/blobs/s3/s3-blobs.ts',
      'storage/blobs/s3/s3-settings.ts',
    ])
  }
})
