import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/**
 * Small files that one file of the same folder imports, and nothing else: they belong into that file. Files that are loaded
 * late, or that a test imports, stay, and so does a file that would make the other one too long.
 */
export function smallHelpers(files, { src, tests, fewLines, mostLines }) {
  const importers = new Map()
  for (const [file, { imports }] of files)
    for (const target of imports) importers.set(target, (importers.get(target) ?? new Set()).add(file))
  const tested = importedBy(tests, src)
  const linesOf = (file) => readFileSync(join(src, file), 'utf8').trimEnd().split('\n').length
  return [...importers].flatMap(([file, from]) => {
    const [only, ...others] = from
    if (others.length > 0 || dirname(only) !== dirname(file) || tested.has(file)) return []
    if (!files.get(only).loaded.includes(file)) return []
    const lines = linesOf(file)
    return lines < fewLines && lines + linesOf(only) <= mostLines ? [{ file, importer: only, lines }] : []
  })
}

function importedBy(folder, src) {
  const found = new Set()
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.m?[tj]s$/.test(name) || name.includes('node_modules')) continue
    const path = join(folder, name)
    for (const [, target] of readFileSync(path, 'utf8').matchAll(/['"](\.[^'"]+)\.js['"]/g))
      found.add(relative(src, resolve(dirname(path), `${target}.ts`).replace('/dist/', '/src/')))
  }
  return found
}
