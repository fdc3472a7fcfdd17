import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import {
  createCrib,
  memoryStore,
  type Call,
  type CallOptions,
  type Crib,
  type CribOptions,
  type Surface,
} from 'toolcrib'
import { openapiSource, type OpenapiSourceOptions } from '../../../src/openapi.js'
import { temporaryFolder } from '../../temporary-folder.js'

export type Document = Readonly<Record<string, unknown>>

/** A document with these paths. */
export function documentOf(paths: Document, more: Document = {}): Document {
  return { openapi: '3.1.0', info: { title: 'Shop', version: '1.0.0' }, paths, ...more }
}

/** An operation that has only its id. */
export const bare = (operationId: string, more: Document = {}): Document => ({
  operationId,
  responses: { 200: { description: 'Done.' } },
  ...more,
})

export const query = (name: string, type = 'string'): Document => ({ name, in: 'query', schema: { type } })

/** Writes a document to a file of its own, and returns its path. */
export function writeDocument(document: Document, path = join(temporaryFolder(), 'openapi.json')): string {
  writeFileSync(path, JSON.stringify(document))
  return path
}

export interface OpenedTools {
  readonly crib: Crib
  readonly surface: Surface
  readonly problems: readonly string[]
  /** Calls an operation of the API "shop" by its name. */
  call(name: string, input?: unknown, options?: Partial<CallOptions>): Call
}

const opened: Crib[] = []

afterEach(async () => {
  for (const crib of opened.splice(0)) await crib.close({ graceMs: 100 })
})

export type ToolsOptions = Partial<OpenapiSourceOptions> & Pick<OpenapiSourceOptions, 'document'>

/** A crib with the API "shop", which allows every call unless the test says otherwise. */
export async function openTools(settings: ToolsOptions, options: CribOptions = {}): Promise<OpenedTools> {
  const problems: string[] = []
  const source = openapiSource({
    name: 'shop',
    onProblem: (message) => void problems.push(message),
    ...settings,
  })
  const crib = await createCrib({
    store: memoryStore(),
    sources: [source],
    // Without waiting between attempts.
    retries: { max: 0, baseMs: 1 },
    ...(!options.permission && { decider: () => ({ behavior: 'allow' as const }) }),
    ...options,
  })
  opened.push(crib)
  const surface = await crib.surface()
  return {
    crib,
    surface,
    problems,
    call: (name, input = {}, more = {}) => crib.call(surface, { name: `api.shop.${name}`, input, ...more }),
  }
}
