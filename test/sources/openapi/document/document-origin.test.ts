import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { documentOrigin } from '../../../../src/sources/openapi/document/document-origin.js'
import { temporaryFolder } from '../../../temporary-folder.js'
import { startApi, type Answer } from '../start-api.js'

const TEXT = '{"openapi":"3.1.0","info":{"title":"Tür"}}'
const { signal } = new AbortController()

/** What is loaded from a server that answers so. */
async function load(answer: Answer): Promise<unknown> {
  const api = await startApi(answer)
  return documentOrigin(`${api.url}/openapi.json`, { folder: '/' }).load(signal)
}

it.each([
  ['gzip', gzipSync(TEXT)],
  ['GZIP', gzipSync(TEXT)],
  ['deflate', deflateSync(TEXT)],
  ['br', brotliCompressSync(TEXT)],
  ['identity', Buffer.from(TEXT)],
])('a document that arrives as %s is decoded', async (encoding, body) => {
  const found = load(
    (_, response) => void response.writeHead(200, { 'content-encoding': encoding }).end(body),
  )
  expect(await found).toMatchObject({ text: TEXT })
})

it('a document whose encoding is broken, or becomes too long, is refused', async () => {
  const answer = (body: Buffer): Answer => {
    return (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(body)
  }
  const why = 'its gzip encoding cannot be read'
  await expect(load(answer(Buffer.from(TEXT)))).rejects.toThrow(why)
  await expect(load(answer(gzipSync(Buffer.alloc(65 * 1024 * 1024))))).rejects.toThrow(why)
})

it('a document behind a login can be added as a file, and the message says so', async () => {
  for (const [status, name] of [
    [401, '401 Unauthorized'],
    [403, '403 Forbidden'],
  ] as const)
    await expect(load((_, response) => void response.writeHead(status).end())).rejects.toThrow(
      `it answered ${name}; a document behind a login can be downloaded and added as a file`,
    )
})

it('a redirect that is not followed is named', async () => {
  const location = 'http://169.254.169.254/latest'
  await expect(load((_, response) => void response.writeHead(302, { location }).end())).rejects.toThrow(
    'it redirects to 169.254.169.254, and its address belongs to the link or to nobody',
  )
})

it.each([
  ['UTF-16, little endian', Buffer.from(`\uFEFF${TEXT}`, 'utf16le')],
  ['UTF-16, big endian', Buffer.from(`\uFEFF${TEXT}`, 'utf16le').swap16()],
  ['UTF-8', Buffer.from(TEXT)],
])('a file in %s is read', async (_, bytes) => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'openapi.json'), bytes)
  const found = await documentOrigin('openapi.json', { folder }).load(signal)
  expect(found).toMatchObject({ text: TEXT })
})

it('a file that is referred to and does not exist is named in plain words', async () => {
  const folder = temporaryFolder()
  const origin = documentOrigin('openapi.json', { folder })
  const path = join(folder, 'missing.yaml')
  await expect(origin.loadReferred(`file://${path}`, signal)).rejects.toThrow(`there is no file ${path}`)
})
