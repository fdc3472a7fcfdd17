// A crib whose tools call an API that repeats everything it gets, once with each credential. It prints what a program would
// see. The argument says which build to use, where the store is, and which credentials there are.
import { createServer } from 'node:http'

const { base, store, credentials } = JSON.parse(process.argv[2])
const load = (path) => import(new URL(path, base))
const { createCrib, defineTool, runProcess, sqliteStore } = await load('index.js')
const { createLiveSecrets } = await load('redaction/live-secrets.js')
const { openCredential } = await load('credentials/open-credential.js')
const { parseCredentialSettings } = await load('credentials/parse-credential-settings.js')
const { login } = await load('credentials/oauth/login.js')
const { sendRequest } = await load('http-client/send-request.js')

const say = (value) => console.log(JSON.stringify(value))

/** Repeats the request in every part of its answer, or redirects it. */
const echo = createServer((request, response) => {
  const { url, headers } = request
  const all = JSON.stringify({ url, headers })
  if (url.startsWith('/redirect'))
    response.writeHead(302, { location: `http://127.0.0.1:1/?q=${encodeURIComponent(all)}` })
  else response.writeHead(url.startsWith('/refuse') ? 401 : 200, { 'x-echo': encodeURIComponent(all) })
  response.end(all)
})
await new Promise((listening) => echo.listen(0, '127.0.0.1', listening))
const origin = `http://127.0.0.1:${echo.address().port}`

const live = createLiveSecrets()
const opened = credentials.map(({ name, settings, sentAs, oauth }) => {
  const parsed = settings && parseCredentialSettings(settings, `credentials.${name}`)
  if (parsed && !parsed.ok) throw new Error(parsed.problems.join('\n'))
  const context = { origin, sentAs, oauth, live, env: process.env, owner: { entry: 'echo', name } }
  return { name, settings: parsed?.settings, context, credential: openCredential(parsed?.settings, context) }
})
for (const { settings, context } of opened)
  if (settings?.kind === 'oauth' && settings.grant === 'authorization_code')
    await login({
      settings,
      context,
      show: () => {},
      async openBrowser(url) {
        const page = await fetch(url, { redirect: 'manual' })
        await fetch(page.headers.get('location'))
      },
    })

const ask = async (credential, path, signal) => {
  const request = {
    method: 'GET',
    url: new URL(path, origin),
    credential,
    reach: 'named',
    maxBytes: 100_000,
    signal,
  }
  const { status, headers, body } = await sendRequest(request)
  return { status, headers, body: body.toString() }
}
const tools = opened.flatMap(({ name, credential }) => {
  const tool = (kind, execute) =>
    defineTool({ namespace: 'echo', name: `${name}_${kind}`, description: kind, isReadOnly: true, execute })
  return [
    tool('text', async (_, { signal, progress }) => {
      const { body } = await ask(credential, '/pets', signal)
      progress({ message: body })
      return body
    }),
    tool('data', async (_, { signal }) => ({
      missing: credential.missing(),
      refused: await ask(credential, '/refuse', signal),
      redirected: await ask(credential, '/redirect', signal),
    })),
    tool('fails', async (_, { signal }) => {
      throw new Error((await ask(credential, '/pets', signal)).body)
    }),
    tool('elsewhere', async (_, { signal }) => {
      const url = new URL('http://localhost:1/')
      return sendRequest({ method: 'GET', url, credential, reach: 'named', maxBytes: 100, signal })
    }),
    tool('process', async (_, { signal }) =>
      runProcess(process.execPath, ['-p', 'JSON.stringify(process.env)'], { signal }),
    ),
  ]
})

const crib = await createCrib({
  store: sqliteStore({ path: store, pollMs: 5 }),
  tools,
  decider: () => ({ behavior: 'allow' }),
  redaction: { live, environment: false, patterns: false },
})
const surface = await crib.surface({ scope: 'session', session: 's1' })
const statuses = {}
for (const { name } of tools) {
  const call = crib.call(surface, { name: `echo.${name}`, input: {} })
  for await (const event of call) say({ event })
  const result = await call
  statuses[name] = result.status
  say({ result, story: await crib.story(call.invocationId) })
}
await crib.close()
await new Promise((closed) => echo.close(closed))
say({ statuses })
