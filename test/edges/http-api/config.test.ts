import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { until } from '../../until.js'
import { bare, documentOf } from '../../sources/openapi/open-tools.js'
import { openApi } from './support/open-api.js'
import { trustConfig } from '../../trust-config.js'
import { openServedApi } from './support/open-served-api.js'

interface Config {
  readonly text: string
  readonly revision: string
}

const FIRST = 'permission:\n  deny: [Bash]\n'

it('reads, checks and replaces the config, and the change takes effect', async () => {
  const { ask, crib, configPath, folder } = await openServedApi(FIRST, (at) => {
    at.write('shop.json', JSON.stringify(documentOf({ '/pets': { get: bare('listPets') } })))
    at.write('tools.mjs', 'export default {}\n')
  })
  const first = (await ask('auditor', 'GET', '/config')).body as Config
  expect(first).toMatchObject({ path: configPath, text: FIRST, is_trusted: true, is_editable: true })
  const text = `${FIRST}openapi:\n  shop: { document: shop.json, server: "http://127.0.0.1:9" }\nretries: 2\n`
  const checked = await ask('operator', 'POST', '/config/validate', { body: { text } })
  expect(checked.body).toEqual({ valid: true, problems: [] })
  const put = (body: object, revision: string, as = 'operator') =>
    ask(as, 'PUT', '/config', { body, headers: { 'if-match': `"${revision}"` } })
  expect((await put({ text }, first.revision, 'auditor')).status).toBe(403)
  const written = await put({ text }, first.revision)
  expect(written.body).toMatchObject({ is_trusted: true, untrusted_files: [], restart_keys: ['retries'] })
  expect(readFileSync(configPath, 'utf8')).toBe(text)
  await until(() => crib.tool('api.shop.listPets') !== undefined, 'the tool of the new config')

  const stale = await put({ text: FIRST }, first.revision)
  expect(stale.status).toBe(412)
  const { revision } = (await ask('operator', 'GET', '/config')).body as Config
  expect(stale.body).toMatchObject({ revision })
  const named = await put({ text: 'tools: [tools.mjs]\n' }, revision)
  // Nobody trusted the module yet: until then the config that is in force stays in force.
  expect(named.body).toMatchObject({ is_trusted: false, untrusted_files: [folder.file('tools.mjs')] })
  const next = (named.body as Config).revision
  expect((await put({ text: 'permission:\n  deny: [Bash, Read]\n' }, next)).body).toMatchObject({
    is_trusted: true,
  })
  await until(() => crib.policy.rules().length === 2, 'the new rule')
  await until(() => crib.tool('api.shop.listPets') === undefined, 'the tool is gone')
})

it('that is not trusted as it is now is named with the sources, with the command by which a person trusts it', async () => {
  const text = 'openapi:\n  shop: { document: shop.json, server: "http://127.0.0.1:9" }\n'
  const served = await openServedApi(text, undefined, { isTrusted: false })
  const { ask, configPath, folder } = served
  const untrusted = async () =>
    ((await ask('reviewer', 'GET', '/sources')).body as { untrusted?: object }).untrusted
  const command = `toolcrib trust --config ${configPath}`
  expect(await untrusted()).toEqual({
    message: expect.stringMatching(
      /^Nothing that .*toolcrib\.yaml names is opened or run, because you have not/,
    ),
    command,
  })
  trustConfig(configPath)
  await until(async () => (await untrusted()) === undefined, 'the trust')
  folder.write('toolcrib.yaml', `${text}retries: 2\n`)
  await until(async () => (await untrusted()) !== undefined, 'the change')
  expect(await untrusted()).toEqual({
    message: expect.stringMatching(/^The changes of .* have no effect, because it has changed since you/),
    command,
  })
})

it('a text that is no config is refused with its places', async () => {
  const { ask, configPath } = await openServedApi(FIRST)
  const text = 'permission:\n  mode: nothing\nretries: many\n'
  const { body } = await ask('auditor', 'POST', '/config/validate', { body: { text } })
  expect(body).toMatchObject({
    valid: false,
    problems: [
      { line: 2, column: 3, severity: 'error' },
      { line: 3, column: 1 },
    ],
  })
  const { revision } = (await ask('operator', 'GET', '/config')).body as Config
  const refused = await ask('operator', 'PUT', '/config', {
    body: { text },
    headers: { 'if-match': `"${revision}"` },
  })
  expect(refused.status).toBe(422)
  expect(refused.body).toMatchObject({ errors: [{ path: 'line 2, column 3' }, { path: 'line 3, column 1' }] })
  expect((await ask('operator', 'PUT', '/config', { body: { text } })).status).toBe(428)
  expect(readFileSync(configPath, 'utf8')).toBe(FIRST)
})

it('a config with a secret is shown without it, and is not replaced', async () => {
  const { ask } = await openServedApi(
    'mcpServers:\n  notes: { command: no-such-program, env: { NOTES_API_KEY: k9-Zq81LmTx04vBn7 } }\n',
  )
  const { body } = await ask('operator', 'GET', '/config')
  const config = body as Config & { is_editable: boolean }
  expect(config).toMatchObject({ is_editable: false, why_not_editable: expect.any(String) as string })
  expect(JSON.stringify(config)).not.toContain('Zq81LmTx04vBn7')
  const headers = { 'if-match': `"${config.revision}"` }
  expect((await ask('operator', 'PUT', '/config', { body: { text: '{}' }, headers })).status).toBe(403)
})

it('the config belongs to the tenant of the server, and may be missing', async () => {
  const { ask } = await openServedApi(FIRST)
  expect((await ask('stranger', 'GET', '/config')).status).toBe(403)
  expect((await ask('reviewer', 'GET', '/config')).status).toBe(403)
  const without = await openApi()
  expect((await without.ask('operator', 'GET', '/config')).status).toBe(404)
  expect((await without.ask('operator', 'POST', '/config/validate', { body: { text: '' } })).status).toBe(404)
})

it('a text with very many faults is answered with the first of them, and a very long one is refused', async () => {
  const { ask } = await openServedApi('{}\n')
  const validate = async (keys: number) => {
    const text = Array.from({ length: keys }, (_, at) => `k${at}: 1`).join('\n')
    return ask('auditor', 'POST', '/config/validate', { body: { text } })
  }
  const { problems } = (await validate(5000)).body as { problems: { message: string }[] }
  expect(problems).toHaveLength(101)
  expect(problems.at(-1)!.message).toBe('and 4900 more')
  expect((await validate(50_000)).status).toBe(400)
})
