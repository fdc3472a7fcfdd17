// Writes schemas/*.schema.json, the schemas of what we emit, from the built contract. `--check` only compares.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { reportGenerated, writeGenerated } from './write-generated.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CONFIG_FILE = 'toolcrib-config.schema.json'
const ENDING = '.schema.json'

/** The text of every schema file of the contract, by path. */
export function schemaFiles({ schemas, ownSchemas, toEmitSchema }) {
  return Object.fromEntries(
    Object.entries({ ...schemas, ...ownSchemas }).map(([object, schema]) => [
      `schemas/${object}${ENDING}`,
      toText(toEmitSchema(schema)),
    ]),
  )
}

function toText(schema) {
  return `${JSON.stringify(schema, null, 2)}\n`
}

async function main() {
  const check = process.argv.includes('--check')
  const files = schemaFiles(await import(new URL('../dist/contract/index.js', import.meta.url)))

  const configModule = join(ROOT, 'dist/platform/config/config-schema.js')
  if (existsSync(configModule)) {
    const { configSchema } = await import(pathToFileURL(configModule))
    files[`schemas/${CONFIG_FILE}`] = toText(configSchema)
  }

  const folder = join(ROOT, 'schemas')
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const path = `schemas/${name}`
    // An unbuilt config room says nothing about its file.
    if (name.endsWith(ENDING) && name !== CONFIG_FILE && !Object.hasOwn(files, path)) files[path] = undefined
  }
  reportGenerated(writeGenerated(ROOT, files, { check }), { check, remedy: 'npm run build' })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
