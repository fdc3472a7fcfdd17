import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

/** Every file below a folder: its path from there, what it imports (types included), and its syntax tree. */
export function readSources(folder) {
  const files = new Map()
  for (const path of filesBelow(folder)) {
    const tree = parseAst(readFileSync(path, 'utf8'), { lang: 'ts' }, path)
    const imports = importsOf(tree)
      .filter((name) => name.startsWith('.'))
      .map((name) => relative(folder, resolve(dirname(path), name.replace(/\.js$/, '.ts'))))
    files.set(relative(folder, path), { tree, imports })
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
  const found = []
  walk(tree, (node) => {
    const { type, source } = node
    if (/^(?:Import|ExportNamed|ExportAll)Declaration$/.test(type) && source) found.push(source.value)
    if ((type === 'ImportExpression' || type === 'TSImportType') && source?.type === 'Literal')
      found.push(source.value)
  })
  return found
}

/** Calls back for every node of a tree, outer ones first. */
export function walk(node, visit) {
  if (Array.isArray(node)) return node.forEach((each) => walk(each, visit))
  if (typeof node !== 'object' || node === null) return
  if (typeof node.type === 'string') visit(node)
  for (const key in node) if (key !== 'type') walk(node[key], visit)
}
