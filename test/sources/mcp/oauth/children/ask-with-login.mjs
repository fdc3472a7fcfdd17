/** A process that sends a request with the stored login, when it gets a line: <url> <user>. */
import { once } from 'node:events'
import { fileTokenStorage } from '../../../../../dist/credentials/oauth/file-token-storage.js'
import { oauthCredentials } from '../../../../../dist/sources/mcp/oauth/oauth-credentials.js'

const [url, user] = process.argv.slice(2)
const credentials = oauthCredentials({
  server: 'files',
  url,
  settings: {},
  user,
  storage: fileTokenStorage(),
  now: Date.now,
})
process.stdout.write('ready\n')
await once(process.stdin, 'data')
for (let round = 0; round < 5; round++) {
  const sent = await credentials.proof()
  const { status, headers } = await fetch(url, { method: 'POST', headers: sent.headers, body: '{}' })
  const wwwAuthenticate = headers.get('www-authenticate') ?? undefined
  if (status === 200 || (await credentials.refused({ status, wwwAuthenticate, sent })) === 'give_up') {
    process.stdout.write(`${status}\n`)
    break
  }
}
process.exit()
