// What the conformance suite's authorization scenarios need of a client: our own credentials, tokens in memory, and a
// "browser" whose person always agrees.
import { memoryTokenStorage } from '../../dist/credentials/oauth/memory-token-storage.js'
import { oauthCredentials } from '../../dist/sources/mcp/oauth/oauth-credentials.js'

/** The address that the suite takes for the document of a client. It is an id there, and is never read. */
const CLIENT_DOCUMENT = 'https://conformance-test.local/client-metadata.json'

/** Credentials for one scenario. `context` is what the suite hands over about it, with its name. */
export function suiteCredentials(url, context = {}) {
  const { scenario, client_id: clientId, client_secret: clientSecret } = context
  return oauthCredentials({
    server: 'suite',
    url,
    settings: {
      ...(scenario === 'auth/client-credentials-basic' && { grant: 'client_credentials' }),
      clientMetadataUrl: CLIENT_DOCUMENT,
      ...(clientId !== undefined && { clientId }),
      ...(clientSecret !== undefined && { clientSecret }),
    },
    user: 'suite',
    storage: memoryTokenStorage(),
    openBrowser: agree,
    loginTimeoutMs: 10_000,
    now: () => Date.now(),
  })
}

/** Goes where the page sends a person who agrees. */
async function agree(url) {
  const page = await fetch(url, { redirect: 'manual' })
  const location = page.headers.get('location')
  if (location === null) throw new Error('The authorization page sends nobody back.')
  await (await fetch(new URL(location, url))).text()
}
