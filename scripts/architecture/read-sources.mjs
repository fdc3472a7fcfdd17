import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

/**
 * Every file below a folder: its path from there, what it imports (types included), what of that is loaded with it, and its
 * syntax tree.
 */
export function readSources(folder) {
  const files = new Map()
  for (const path of filesBelow(folder)) {
    const tree = parseAst(readFileSync(path, 'utf8'), { lang: 'ts' }, path)
    const pathsOf = (names) =>
      names
        .filter((name) => name.startsWith('.'))
        .map((name) => relative(folder, resolve(dirname(path), name.replace(/\.js$/, '.ts'))))
    const { loaded, late } = importsOf(tree)
    const [now, later] = [pathsOf(loaded), pathsOf(late)]
    files.set(relative(folder, path), { tree, imports: [...now, ...later], loaded: now })
  }
  return files
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesBelow(path)
    return path.endsWith('.ts') ? [path] : []
  })
}

function importsOf(tree) {
  const [loaded, late] = [[], []]
  walk(tree, (node) => {
    const { type, source } = node
    if (/^(?:Import|ExportNamed|ExportAll)Declaration$/.test(type) && source) loaded.push(source.value)
    if (type === 'TSImportType' && source?.type === 'Literal') loaded.push(source.value)
    if (type === 'ImportExpression' && source?.type === 'Literal') late.push(source.value)
  })
  return { loaded, late }
}

/** Calls back for every node of a tree, outer ones first. */
export function walk(node, visit) {
  if (Array.isArray(node)) return node.forEach((each) => walk(each, visit))
  if (typeof node !== 'object' || node === null) return
  if (typeof node.type === 'string') visit(node)
  for (const key in node) if (key !== 'type') walk(node[key], visit)
}
