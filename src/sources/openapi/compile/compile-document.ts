import { isObject } from '../../../platform/json/is-object.js'
import type { CompiledDocument, DocumentProblem } from '../compiled.js'
import { UnreadableDocument, type LoadedDocument } from '../document/load-document.js'
import { baseOf, createReferences } from '../document/references.js'
import { compileOperation, type FoundOperation } from './compile-operation.js'
import { compileSchemes } from './compile-security.js'
import { createSchemas } from './schema/create-schemas.js'
import { escapePointer, partAt, textAt, type DocumentReader, type Part } from './document-reader.js'
import { nameOperations } from './name-operations.js'

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']
/** A document with more problems is not described better by listing them all. */
const MAX_PROBLEMS = 200

/**
 * Compiles a document to operations. What the document gets wrong becomes a problem, and the operation stays. Throws
 * UnreadableDocument where it is no OpenAPI document at all.
 */
export function compileDocument(loaded: LoadedDocument): CompiledDocument {
  const { root, address, documents, missing } = loaded
  const dialect = dialectOf(root)
  const problems: DocumentProblem[] = missing.map(({ address: at, why }) => ({
    at,
    message: `it is referred to and cannot be loaded: ${why}`,
  }))
  const references = createReferences(documents)
  const whole: Part = { value: root, base: baseOf(root, address), at: '' }
  const reader: DocumentReader = {
    dialect,
    address,
    root: whole,
    references,
    schemas: createSchemas({ references, dialect, root: whole }),
    problem(at, message) {
      if (problems.length < MAX_PROBLEMS) problems.push({ at, message })
    },
  }
  const schemes = compileSchemes(reader)
  const found = findOperations(reader)
  const names = nameOperations(found)
  sayRenamed(reader, found, names)
  const info = partAt(reader, reader.root, 'info')
  const operations = found.map((operation, at) =>
    compileOperation(reader, operation, { name: names[at]!, schemes }),
  )
  return {
    title: info && textAt(info, 'title'),
    version: info && versionOf(info),
    description: info && textAt(info, 'description'),
    dialect,
    securitySchemes: Object.fromEntries(schemes),
    operations,
    problems,
  }
}

function dialectOf(root: Readonly<Record<string, unknown>>): string {
  const { openapi, swagger, paths } = root
  const said = typeof openapi === 'string' || typeof openapi === 'number' ? String(openapi) : undefined
  // YAML reads `3.0` as the number 3.
  const [, minor] = /^\s*v?3(?:\.(\d+)|$)/.exec(said ?? '') ?? []
  if (said !== undefined && /^\s*v?3(?:\.\d|\s*$)/.test(said)) return `3.${Math.min(Number(minor ?? 0), 2)}`
  if (/^\s*2(?:\.|\s*$)/.test(said ?? versionText(swagger))) return '2.0'
  if (said !== undefined || swagger !== undefined) {
    const version = JSON.stringify(said ?? versionText(swagger)).slice(0, 100)
    throw new UnreadableDocument(`its version ${version} is not 2.0, 3.0, 3.1 or 3.2`)
  }
  throw new UnreadableDocument(
    isObject(paths)
      ? 'it has no "openapi" or "swagger" member that says its version'
      : `it is no OpenAPI document${lookOf(root)}`,
  )
}

function lookOf(root: Readonly<Record<string, unknown>>): string {
  if ('asyncapi' in root) return ' (it is an AsyncAPI document)'
  if (isObject(root['info']) && 'item' in root) return ' (it is a Postman collection; export it as OpenAPI)'
  if ('mcpServers' in root) return ' (it is a list of MCP servers)'
  if ('discoveryVersion' in root) return ' (it is a Google discovery document)'
  return ''
}

function versionText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function versionOf({ value }: Part): string | undefined {
  const { version } = value
  return typeof version === 'string' || typeof version === 'number' ? String(version) : undefined
}

function findOperations(reader: DocumentReader): FoundOperation[] {
  const paths = partAt(reader, reader.root, 'paths')
  if (!paths) {
    if (reader.root.value['paths'] !== undefined) reader.problem('/paths', 'it is no object; it is left out')
    return []
  }
  return Object.keys(paths.value).flatMap((path) => {
    if (path.startsWith('x-')) return []
    const pathItems = pathItemsAt(reader, paths, path)
    if (pathItems.length === 0) {
      reader.problem(`/paths/${escapePointer(path)}`, 'it is no object; it is left out')
      return []
    }
    return operationsOf(reader, { path, pathItems })
  })
}

/** A path item can have a reference and members of its own: both count. */
function pathItemsAt(reader: DocumentReader, paths: Part, path: string): Part[] {
  const value = paths.value[path]
  const target = partAt(reader, paths, path)
  if (!isObject(value) || typeof value['$ref'] !== 'string') return target ? [target] : []
  const { $ref: _ref, ...own } = value
  const at = `${paths.at}/${escapePointer(path)}`
  return [{ value: own, base: paths.base, at }, ...(target ? [target] : [])]
}

interface PathParts {
  readonly path: string
  readonly pathItems: readonly Part[]
}

function operationsOf(reader: DocumentReader, { path, pathItems }: PathParts): FoundOperation[] {
  const found = new Map<string, Pick<FoundOperation, 'operation' | 'isAdditional'>>()
  for (const item of pathItems) {
    // Some documents write methods in capitals.
    const names = Object.keys(item.value).toSorted((a, b) => rankOf(a) - rankOf(b))
    for (const name of names.filter((each) => METHODS.includes(each.toLowerCase())))
      addOperation(name.toUpperCase(), { holder: item, name, isAdditional: false })
    const more = partAt(reader, item, 'additionalOperations')
    for (const name of Object.keys(more?.value ?? {}))
      addOperation(name, { holder: more!, name, isAdditional: true })
  }

  function addOperation(method: string, { holder, name, isAdditional }: AddedOperation): void {
    const operation = partAt(reader, holder, name)
    const at = `${holder.at}/${escapePointer(name)}`
    if (!operation) return reader.problem(at, 'it is no object; it is left out')
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(method))
      return reader.problem(at, 'its method is none that HTTP allows; it is left out')
    if (found.has(method)) return reader.problem(at, `${method} occurs twice; it is left out`)
    found.set(method, { operation, isAdditional })
  }

  return [...found].map(([method, { operation, isAdditional }]) => ({
    path,
    pathItems,
    operation,
    method,
    operationId: operationIdOf(operation),
    isAdditional,
  }))
}

interface AddedOperation {
  readonly holder: Part
  readonly name: string
  readonly isAdditional: boolean
}

const rankOf = (name: string): number => METHODS.indexOf(name.toLowerCase())

function operationIdOf(operation: Part): string | undefined {
  const { operationId } = operation.value
  return typeof operationId === 'number' ? String(operationId) : textAt(operation, 'operationId')
}

/** An operationId with other characters is only written differently; that is not worth a word for each. */
function sayRenamed(
  { problem }: DocumentReader,
  found: readonly FoundOperation[],
  names: readonly string[],
): void {
  const unnamed = found.filter(({ operationId }) => operationId === undefined).length
  if (unnamed > 0)
    problem(
      '/paths',
      unnamed === 1
        ? 'one operation has no operationId; it is named after method and path'
        : `${unnamed} operations have no operationId; they are named after method and path`,
    )
  const seen = new Set<string>()
  found.forEach(({ operationId, operation, method, path }, at) => {
    if (operationId === undefined) return
    if (seen.has(operationId))
      problem(
        operation.at,
        `${method} ${path} has an operationId that another has too; its name is ${names[at]!}`,
      )
    seen.add(operationId)
  })
}
