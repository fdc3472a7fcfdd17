// Writes schemas/*.schema.json, the schemas of the records, from the built contract. `--check` only compares.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { reportGenerated, writeGenerated } from './write-generated.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Schemas of files that people write: their names, modules and exports. */
const OF_FILES = [
  ['toolcrib-config.schema.json', 'platform/config/schema/config-schema.js', 'configSchema'],
  ['tool_file.schema.json', 'sources/tool-file/schema/tool-file-schema.js', 'toolFileSchema'],
  ['agent_file.schema.json', 'sources/tool-file/schema/agent-file-schema.js', 'agentFileSchema'],
]
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

  for (const [name, path, exported] of OF_FILES) {
    const module = join(ROOT, 'dist', path)
    if (existsSync(module)) files[`schemas/${name}`] = toText((await import(pathToFileURL(module)))[exported])
  }

  const folder = join(ROOT, 'schemas')
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const path = `schemas/${name}`
    // If a module is not built, its schema file must not be removed.
    const isOfFile = OF_FILES.some(([each]) => each === name)
    if (name.endsWith(ENDING) && !isOfFile && !Object.hasOwn(files, path)) files[path] = undefined
  }
  reportGenerated(writeGenerated(ROOT, files, { check }), { check, remedy: 'npm run build' })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
