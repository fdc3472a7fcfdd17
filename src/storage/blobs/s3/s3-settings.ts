import { blobError } from '../blob-error.js'
import type { S3Credentials } from './sign-request.js'

export interface S3BlobsOptions {
  /** The URL of any S3-compatible server, such as `http://127.0.0.1:9000`; by default that of AWS for the region. */
  endpoint?: string | undefined
  /** By default from `AWS_REGION`, else `us-east-1`. */
  region?: string | undefined
  bucket: string
  /** The prefix of every key. */
  prefix?: string | undefined
  /** By default from `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`. */
  accessKeyId?: string | undefined
  secretAccessKey?: string | undefined
  sessionToken?: string | undefined
  /** The bucket is in the path and not in the host's name; by default when there is an endpoint. */
  pathStyle?: boolean | undefined
  /** A local folder for uploads in progress and for `localPath`; by default one in the system's temporary folder. */
  spoolFolder?: string | undefined
  /** How long the server may be silent before a request is given up and retried; 30 seconds by default. */
  timeoutMs?: number | undefined
  /**
   * The largest request that the server accepts; larger blobs are uploaded in parts. 64 MiB by default, at least 5 MiB.
   */
  maxRequestBytes?: number | undefined
}

export interface S3Settings {
  origin: URL
  host: string
  /** Before every key: the endpoint's own path and, in path style, the bucket. */
  basePath: string
  bucket: string
  region: string
  /** Empty, or with a slash at its end. */
  prefix: string
  credentials: S3Credentials
  timeoutMs: number
  maxRequestBytes: number
  /** For people; without secrets. */
  location: string
}

const MIB = 1024 * 1024
const BUCKET = /^[a-z0-9A-Z][a-z0-9A-Z._-]{1,254}$/

export function resolveS3Settings(
  options: S3BlobsOptions,
  environment: Readonly<Record<string, string | undefined>>,
): S3Settings {
  const { bucket, timeoutMs = 30_000, maxRequestBytes = 64 * MIB } = options
  if (typeof bucket !== 'string' || !BUCKET.test(bucket))
    throw wrongOption('"bucket" must be the name of a bucket')
  if (!(maxRequestBytes >= 5 * MIB)) throw wrongOption('"maxRequestBytes" must be 5 MiB or more')
  if (!(timeoutMs > 0)) throw wrongOption('"timeoutMs" must be a number above 0')
  const region = options.region ?? environment['AWS_REGION'] ?? 'us-east-1'
  const origin = parseEndpoint(options.endpoint ?? `https://s3.${region}.amazonaws.com`)
  const isPathStyle = options.pathStyle ?? options.endpoint !== undefined
  const ownPath = origin.pathname.replace(/\/+$/, '')
  const trimmed = (options.prefix ?? '').replaceAll(/^\/+|\/+$/g, '')
  const prefix = trimmed === '' ? '' : `${trimmed}/`
  return {
    origin,
    host: isPathStyle ? origin.host : `${bucket}.${origin.host}`,
    basePath: isPathStyle ? `${ownPath}/${bucket}` : ownPath,
    bucket,
    region,
    prefix,
    credentials: resolveCredentials(options, environment),
    timeoutMs,
    maxRequestBytes,
    location: `s3://${bucket}/${prefix} at ${origin.origin}`,
  }
}

function parseEndpoint(endpoint: string): URL {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw wrongOption('"endpoint" must be an http or https address')
  if (url.username || url.password || url.search)
    throw wrongOption('"endpoint" must be a plain address; give keys as accessKeyId and secretAccessKey')
  return url
}

function resolveCredentials(
  options: S3BlobsOptions,
  environment: Readonly<Record<string, string | undefined>>,
): S3Credentials {
  const { accessKeyId, secretAccessKey, sessionToken } = options
  if (accessKeyId && secretAccessKey) return { accessKeyId, secretAccessKey, sessionToken }
  const [id, secret] = [environment['AWS_ACCESS_KEY_ID'], environment['AWS_SECRET_ACCESS_KEY']]
  if (id && secret && accessKeyId === undefined && secretAccessKey === undefined) {
    return { accessKeyId: id, secretAccessKey: secret, sessionToken: environment['AWS_SESSION_TOKEN'] }
  }
  throw wrongOption(
    'there are no keys; give accessKeyId and secretAccessKey, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  )
}

function wrongOption(what: string): Error {
  return blobError('toolcrib.blob_invalid', `S3 blobs: ${what}.`)
}
