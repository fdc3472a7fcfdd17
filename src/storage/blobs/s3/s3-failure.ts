import type { IncomingHttpHeaders } from 'node:http'
import { blobError, type BlobError } from '../blob-error.js'
import type { S3Settings } from './s3-settings.js'

export interface S3Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

export interface S3Refusal extends BlobError {
  /** The same request may succeed in a moment. */
  mayPass: boolean
}

const FULL = ['QuotaExceeded', 'XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded', 'EntityTooLarge']

/** The server's refusal as one sentence. Only the code of its response is shown: the rest may name keys. */
export function s3Refusal(settings: S3Settings, answer: S3Answer): S3Refusal {
  const { status, text } = answer
  const code = /<Code>([A-Za-z0-9.]{1,80})<\/Code>/.exec(text)?.[1] ?? ''
  const isBusy = (status >= 500 && status !== 507) || status === 429 || status === 408
  return Object.assign(explain(settings, answer, code), { mayPass: isBusy || code === 'RequestTimeout' })
}

function explain({ location, bucket }: S3Settings, { status, headers }: S3Answer, code: string): BlobError {
  const said = code === '' ? `${status}` : `${status} ${code}`
  if (status === 507 || FULL.includes(code))
    return blobError(
      'toolcrib.blobs_full',
      `The blob store ${location} takes no more (${said}); free some space there.`,
    )
  if (status === 403 || status === 401)
    return blobError(
      'toolcrib.blobs_read_only',
      `Access to the blob store ${location} was refused (${said}); check the keys, their rights and this machine's clock.`,
    )
  if (status === 404)
    return blobError(
      'toolcrib.blobs_unreachable',
      `There is no bucket "${bucket}" for ${location} (${said}); make it, or name another.`,
    )
  if (status >= 300 && status < 400) {
    const region = /^[a-z0-9-]+$/.exec(String(headers['x-amz-bucket-region'] ?? ''))?.[0]
    return blobError(
      'toolcrib.blobs_unreachable',
      `The blob store ${location} answers from another place (${said}); set "region"${region ? ` to ${region}` : ''} or another endpoint.`,
    )
  }
  return blobError('toolcrib.blobs_failed', `The blob store ${location} failed (${said}); try again later.`)
}

export function s3Unreachable({ location }: S3Settings, error: unknown): BlobError {
  const { code, message } = error as NodeJS.ErrnoException
  return blobError(
    'toolcrib.blobs_unreachable',
    `The blob store ${location} cannot be reached (${code ?? message}); check the endpoint and the network.`,
  )
}
