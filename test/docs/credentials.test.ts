import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { parseCredentialSettings } from '../../src/credentials/parse-credential-settings.js'
import { commands } from '../../src/edges/cli/program/commands.js'
import { checkConfig } from '../../src/platform/config/check-config.js'
import { credentialSchema, credentialsSchema } from '../../src/platform/config/schema/credentials-schema.js'
import { root } from '../edges/cli/run-cli.js'

const page = readFileSync(`${root}docs/credentials.md`, 'utf8')
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, code]) => code!)

it('the settings of docs/credentials.md are valid', () => {
  const examples = blocks('yaml').map((text) => (parse(text) as { credentials: object }).credentials)
  expect(examples).toHaveLength(3)
  for (const credentials of examples) {
    expect(checkConfig(credentials, credentialsSchema)).toEqual([])
    for (const [name, settings] of Object.entries(credentials))
      expect(parseCredentialSettings(settings, name)).toMatchObject({ ok: true })
  }
})

it('docs/credentials.md names every field and every value of a field', () => {
  const fields = Object.entries(credentialSchema.properties)
  const words = fields.flatMap(([name, schema]) => [name, ...('enum' in schema ? schema.enum : [])])
  expect(words.filter((word) => !new RegExp(`\\b${word}\\b`).test(page))).toEqual([])
})

it('the commands of docs/credentials.md exist', () => {
  const names = blocks('sh')[0]!.match(/^toolcrib [a-z]+( [a-z]+)?(?= |$)/gm)!
  const known = commands.map(({ name }) => `toolcrib ${name}`)
  expect(names.filter((name) => !known.includes(name))).toEqual([])
})
