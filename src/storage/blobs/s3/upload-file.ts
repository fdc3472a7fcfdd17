import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { blobError } from '../blob-error.js'
import type { FinishedFile } from '../spool/temporary-file.js'
import { escapeXml, textOf } from './parse-s3-xml.js'
import type { S3Body, S3Client } from './s3-client.js'

export interface UploadOptions {
  client: S3Client
  key: string
  maxRequestBytes: number
}

const MIB = 1024 * 1024
const PART_BYTES = 16 * MIB
const MAX_PARTS = 10_000

/** Uploads a finished file. The object appears as a whole when it resolves, and not at all before. */
export async function uploadFile(file: FinishedFile, options: UploadOptions): Promise<void> {
  if (file.sizeBytes > options.maxRequestBytes) return uploadParts(file, options)
  // The hash is signed, so that the server refuses bytes that changed during the upload.
  const body = { sizeBytes: file.sizeBytes, hash: file.hex, open: () => createReadStream(file.path) }
  await options.client.ask({ method: 'PUT', key: options.key, body })
}

async function uploadParts(
  file: FinishedFile,
  { client, key, maxRequestBytes }: UploadOptions,
): Promise<void> {
  const { text } = await client.ask({ method: 'POST', key, query: { uploads: '' } })
  const uploadId = textOf(text, 'UploadId')
  if (uploadId === undefined) throw oddAnswer('began no upload in parts')
  try {
    const tags: string[] = []
    const partBytes = partSizeOf(file.sizeBytes, maxRequestBytes)
    for (let start = 0; start < file.sizeBytes; start += partBytes) {
      const body = await bodyOfPart(file, start, Math.min(start + partBytes, file.sizeBytes))
      const query = { partNumber: String(tags.length + 1), uploadId }
      const { headers } = await client.ask({ method: 'PUT', key, query, body })
      tags.push(String(headers.etag ?? ''))
    }
    if (!(await complete(client, { key, uploadId, tags })) && !(await isThere(client, key, file.sizeBytes)))
      throw oddAnswer('did not complete an upload in parts')
  } catch (error) {
    // Parts cost money until they are removed. Where that fails too, the bucket's own rules must clear them.
    await client.ask({ method: 'DELETE', key, query: { uploadId }, accept: [404] }).catch(() => {})
    throw error
  }
}

async function complete(
  client: S3Client,
  { key, uploadId, tags }: { key: string; uploadId: string; tags: readonly string[] },
): Promise<boolean> {
  const parts = tags.map(
    (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`,
  )
  const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
  const { text } = await client.ask({ method: 'POST', key, query: { uploadId }, body, accept: [404] })
  // The response begins before the work is done: a failure is then in its body.
  return text.includes('CompleteMultipartUploadResult')
}

/** A lost response: on a retry the server no longer knows the upload, but has the object. */
async function isThere(client: S3Client, key: string, sizeBytes: number): Promise<boolean> {
  const { status, headers } = await client.ask({ method: 'HEAD', key, accept: [404] })
  return status !== 404 && Number(headers['content-length']) === sizeBytes
}

function partSizeOf(sizeBytes: number, maxRequestBytes: number): number {
  const needed = Math.ceil(sizeBytes / MAX_PARTS / MIB) * MIB
  return Math.max(needed, Math.min(PART_BYTES, maxRequestBytes))
}

/** Reads the part twice, once for its hash: a file's bytes are in the cache of the system, and not in ours. */
async function bodyOfPart({ path }: FinishedFile, start: number, end: number): Promise<S3Body> {
  const open = () => createReadStream(path, { start, end: end - 1 })
  const hash = createHash('sha256')
  for await (const chunk of open() as AsyncIterable<Buffer>) hash.update(chunk)
  return { sizeBytes: end - start, hash: hash.digest('hex'), open }
}

function oddAnswer(what: string): Error {
  return blobError('toolcrib.blobs_failed', `The server ${what}; check that the endpoint speaks S3.`)
}
