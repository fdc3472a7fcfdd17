import { createHash, createHmac } from 'node:crypto'

export interface S3Credentials {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string | undefined
}

export interface UnsignedRequest {
  method: string
  host: string
  /** As it is in the URL: encoded. */
  path: string
  query: Readonly<Record<string, string>>
  /** In lower case. All of them are signed. */
  headers: Readonly<Record<string, string>>
  payloadHash: string
}

export interface SigningOptions {
  credentials: S3Credentials
  region: string
  now: Date
}

const ALGORITHM = 'AWS4-HMAC-SHA256'

/** The headers of a request with its signature (version 4), which the server checks. */
export function signRequest(
  request: UnsignedRequest,
  { credentials, region, now }: SigningOptions,
): Record<string, string> {
  const time = now.toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const headers: Record<string, string> = {
    ...request.headers,
    host: request.host,
    'x-amz-content-sha256': request.payloadHash,
    'x-amz-date': time,
    ...(credentials.sessionToken ? { 'x-amz-security-token': credentials.sessionToken } : {}),
  }
  const names = Object.keys(headers).toSorted()
  const signedHeaders = names.join(';')
  const canonical = [
    request.method,
    request.path,
    toQuery(request.query),
    ...names.map((name) => `${name}:${headers[name]!.trim()}`),
    '',
    signedHeaders,
    request.payloadHash,
  ].join('\n')
  const day = time.slice(0, 8)
  const scope = `${day}/${region}/s3/aws4_request`
  const text = [ALGORITHM, time, scope, sha256(canonical)].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${credentials.secretAccessKey}`,
  )
  const signature = hmac(key, text).toString('hex')
  const authorization = `${ALGORITHM} Credential=${credentials.accessKeyId}/${scope},SignedHeaders=${signedHeaders},Signature=${signature}`
  return { ...headers, authorization }
}

/** Sorted and encoded, as it is signed and sent. */
export function toQuery(query: Readonly<Record<string, string>>): string {
  return Object.keys(query)
    .toSorted()
    .map((name) => `${encodeStrictly(name)}=${encodeStrictly(query[name]!)}`)
    .join('&')
}

/** The path of a key: its slashes stay. */
export function toPath(key: string): string {
  return key.split('/').map(encodeStrictly).join('/')
}

/** Encodes everything but letters, digits and `-._~`: the signature requires exactly this encoding. */
function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

export function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
