import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import * as cedar from '@cedar-policy/cedar-wasm/nodejs'
import { cedarEngine } from 'toolcrib'
import { toCedarCall } from '../../src/policy/engines/cedar/to-cedar-call.js'
import { engineRequest } from '../policy/requests.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const page = readFileSync(`${root}docs/policy-engines.md`, 'utf8')
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, code]) => code!)

it.each(blocks('js').map((code, index) => [index + 1, code] as const))(
  'snippet %i prints what is written beside it',
  async (_number, code) => {
    const promised = [...code.matchAll(/^console\.log\(.*\) \/\/ (.*)$/gm)].map(([, words]) => words)
    expect(promised.length).toBeGreaterThan(0)
    const run = promisify(execFile)
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], { cwd: root })
    expect(stdout.trimEnd().split('\n')).toEqual(promised)
  },
)

it('the schema matches the policies on the page, and every call', async () => {
  const [schema] = blocks('cedarschema')
  const [policies] = blocks('js').flatMap((code) => /policies: `([\s\S]*?)`/.exec(code)?.[1] ?? [])
  expect(await cedarEngine({ policies: policies!, schema: schema! }).check()).toEqual([])
  for (const more of [
    {},
    { session: undefined, reads: ['/a'], writes: [], hosts: ['h'], commands: ['ls'] },
  ]) {
    const { own, unseen: _unseen, ...call } = toCedarCall(engineRequest(more))
    const answer = cedar.isAuthorized({
      ...call,
      schema: schema!,
      validateRequest: true,
      policies: { staticPolicies: policies! },
      entities: own,
    })
    expect(answer).toMatchObject({ type: 'success', response: { diagnostics: { errors: [] } } })
  }
})
