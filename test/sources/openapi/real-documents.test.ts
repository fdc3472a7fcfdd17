import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createCrib, memoryStore } from 'toolcrib'
import { schemas, toEmitSchema } from '../../../src/contract/index.js'
import { openapiSource } from '../../../src/openapi.js'
import { compileDocument } from '../../../src/sources/openapi/compile/compile-document.js'
import type { CompiledDocument } from '../../../src/sources/openapi/compiled.js'
import { loadDocument } from '../../../src/sources/openapi/document/load-document.js'
import { accepts, referencesIn, validatorOf } from './compile/compile.js'
import { describedOperations, lacking } from './described-operations.mjs'

const MODULES = fileURLToPath(new URL('../../../node_modules/', import.meta.url))

/** A package, and the folder or file in it that holds documents. */
const PACKAGES: readonly (readonly [name: string, path: string])[] = [
  ['@readme/oas-examples', '2.0'],
  ['@readme/oas-examples', '3.0'],
  ['@readme/oas-examples', '3.1'],
  ['@figma/rest-api-spec', 'openapi'],
  ['@netlify/open-api', 'dist'],
  ['@directus/specs', 'dist'],
  ['@scalar/galaxy', 'dist'],
]

const documents = PACKAGES.flatMap(([name, path]) => {
  const folder = join(MODULES, name, path)
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:json|ya?ml)$/.test(file))
    .toSorted()
    .map((file) => ({ title: join(name, path, file), path: join(folder, file) }))
}).filter(({ path }) => /"?(?:openapi|swagger)"?\s*:/.test(readFileSync(path, 'utf8').slice(0, 2_000)))

/** The same document in YAML. */
const yamlOf = (path: string): string => path.replace('/json/', '/yaml/').replace(/\.json$/, '.yaml')
const twins = documents.flatMap(({ path }) => {
  const yaml = path.endsWith('.json') ? documents.find((each) => each.path === yamlOf(path)) : undefined
  return yaml ? [{ json: path, yaml: yaml.path }] : []
})
const different = documents.filter(({ path }) => !twins.some(({ yaml }) => yaml === path))

async function compileFile(path: string): Promise<CompiledDocument> {
  const loaded = await loadDocument({
    address: pathToFileURL(path).href,
    text: readFileSync(path, 'utf8'),
    loadText: (address) => Promise.reject(new Error(`${address} is not loaded here`)),
  })
  return compileDocument(loaded)
}

const validateDeclaration = new Ajv2020({ strict: false, logger: false }).compile(
  toEmitSchema(schemas.tool_declaration),
)

describe('documents that others published', () => {
  it('are more than sixty', () => {
    expect(different.length).toBeGreaterThan(60)
    expect(twins.length).toBeGreaterThan(40)
  })

  it.each(different)('$title: the operations have all that the document describes', async ({ path }) => {
    const { operations } = await compileFile(path)
    const byKey = new Map(operations.map((operation) => [`${operation.method} ${operation.path}`, operation]))
    // Another reader of YAML than the compiler's.
    const described = describedOperations(parse(readFileSync(path, 'utf8'), { maxAliasCount: -1 }) as object)
    expect(operations).toHaveLength(described.length)
    for (const each of described) {
      const key = `${each.method} ${each.path}`
      expect({ key, lacks: lacking(each, byKey.get(key)) }).toEqual({ key, lacks: [] })
    }
    for (const { input, output, examples } of operations) {
      for (const schema of [input, output ?? {}]) {
        validatorOf(schema)
        for (const reference of referencesIn(schema)) expect(reference).toMatch(/^#\/\$defs\//)
      }
      for (const example of examples)
        if (!JSON.stringify(example).includes('"TBD"')) expect(accepts(input, example)).toBe(true)
    }
  })

  it('give tools with valid declarations and unique names', async () => {
    const problems: string[] = []
    const sources = different.map(({ path }, at) =>
      openapiSource({ name: `api${at}`, document: path, onProblem: (message) => problems.push(message) }),
    )
    const crib = await createCrib({ sources, store: memoryStore() })
    try {
      const tools = crib.tools()
      expect(tools.length).toBeGreaterThan(600)
      const names = new Set<string>()
      for (const { toolId } of tools) {
        const declaration = crib.declaration(toolId)!
        expect({
          toolId,
          isValid: validateDeclaration(declaration),
          errors: validateDeclaration.errors,
        }).toEqual({
          toolId,
          isValid: true,
          errors: null,
        })
        expect(declaration.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
        const providerName = (declaration.toolcrib as { provider_name: string }).provider_name
        expect(providerName).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
        names.add(providerName)
      }
      expect(names.size).toBe(tools.length)
      expect(problems).toEqual([])
    } finally {
      await crib.close()
    }
  })

  it('say the same in YAML as in JSON', async () => {
    // The two differ in some methods and descriptions.
    const inputsOf = async (path: string) =>
      (await compileFile(path)).operations.map(({ name, input }) => ({ name, input }))
    for (const { json, yaml } of twins) expect(await inputsOf(yaml)).toEqual(await inputsOf(json))
  })
})
