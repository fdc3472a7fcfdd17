import { startEndpoint } from './endpoint.mjs'

/** An identity token as Google issues them, without a signature. */
function identityOf(aud) {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'none' })}.${part({ aud, exp: Math.floor(Date.now() / 1000) + 3600 })}.x`
}

/** The metadata server of Google's machines: the identity of this process. */
export async function startMetadata() {
  const metadata = await startEndpoint(({ url }) => {
    const headers = { 'metadata-flavor': 'Google' }
    if (url.includes('/identity'))
      return { headers, text: identityOf(new URL(url, 'http://x').searchParams.get('audience')) }
    if (url.includes('/token'))
      return { headers, json: { access_token: 'token-of-google', expires_in: 3600 } }
    if (url.includes('/universe')) return { headers, json: 'googleapis.com' }
    return { headers, json: {} }
  })
  Object.assign(process.env, {
    GCE_METADATA_HOST: metadata.host,
    METADATA_SERVER_DETECTION: 'assume-present',
    GOOGLE_CLOUD_PROJECT: 'p1',
    HOME: '/nowhere',
    GOOGLE_APPLICATION_CREDENTIALS: '',
  })
  return metadata
}
