import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import * as cli from '../../src/edges/cli/program/commands.js'
import { configSchema } from '../../src/platform/config/schema/config-schema.js'
import * as contract from '../../src/contract/index.js'
import { routes } from '../../src/edges/http-api/routes.js'
import { ruleGroups } from '../../src/sources/tool-file/compile/rules.js'

interface Sources {
  contract: typeof contract
  cli: typeof cli
  configSchema: typeof configSchema
  ruleGroups: typeof ruleGroups
  routes: typeof routes
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const { docFiles } = (await import(`${root}scripts/write-docs.mjs`)) as {
  docFiles: (from: Sources) => Record<string, string>
}
const { schemaFiles } = (await import(`${root}scripts/write-schemas.mjs`)) as {
  schemaFiles: (from: typeof contract) => Record<string, string>
}
const docs = docFiles({ contract, cli, configSchema, ruleGroups, routes })

// The same texts as the scripts write, but rendered from the sources: a stale build hides nothing.
describe('generated files agree with the code', () => {
  it.each(Object.entries({ ...docs, ...schemaFiles(contract) }))('%s', (path, text) => {
    expect(existsSync(root + path), 'is there').toBe(true)
    expect(readFileSync(root + path, 'utf8')).toBe(text)
  })

  it('schemas/ has no other files', () => {
    const known = Object.keys(schemaFiles(contract)).map((path) => path.slice('schemas/'.length))
    const ofFiles = ['toolcrib-config.schema.json', 'tool_file.schema.json', 'agent_file.schema.json']
    for (const name of readdirSync(`${root}schemas`)) {
      if (name.endsWith('.schema.json')) expect([...known, ...ofFiles]).toContain(name)
    }
  })
})
