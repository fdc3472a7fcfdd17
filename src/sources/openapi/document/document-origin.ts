import { readFile, realpath, stat } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { dirname, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, type ZlibOptions } from 'node:zlib'
import { AddressRefused, type Reach } from '../../../http-client/address-rules.js'
import { sendRequest } from '../../../http-client/send-request.js'
import { statusName } from '../../../http-client/status-name.js'
import { fileStamp } from '../../../platform/files/file-stamp.js'
import { isWithin } from '../../../policy/protected-paths.js'
import { abortAfter } from '../../../platform/async/abort-after.js'

/** Where a document comes from. */
export interface DocumentOrigin {
  readonly address: string
  /** The path, where it is a file. */
  readonly path: string | undefined
  /** The text, or that it has not changed since the given tag (of the server, or made from the file's facts). Rejects with the rest of a sentence. */
  load(signal: AbortSignal, etag?: string): Promise<LoadedText | 'unchanged'>
  /** The text of a document that it refers to. */
  loadReferred(address: string, signal: AbortSignal): Promise<string>
}

export interface LoadedText {
  readonly text: string
  readonly etag: string | undefined
}

export interface OriginOptions {
  /** The base of a relative path. */
  readonly folder: string
}

const MAX_BYTES = 64 * 1024 * 1024
const TIMEOUT_MS = 30_000
const MAX_REDIRECTS = 5
const DOWNLOAD = '; a document behind a login can be downloaded and added as a file'
const NEEDS_LOGIN: ReadonlyMap<number, string> = new Map([
  [401, DOWNLOAD],
  [403, DOWNLOAD],
])

export function documentOrigin(document: string, { folder }: OriginOptions): DocumentOrigin {
  return /^https?:\/\//i.test(document)
    ? fromAddress(new URL(document))
    : fromFile(resolve(folder, toPath(document)), folder)
}

function toPath(document: string): string {
  return document.startsWith('file:') ? fileURLToPath(document) : document
}

function fromFile(path: string, folder: string): DocumentOrigin {
  return {
    address: pathToFileURL(path).href,
    path,
    async load(_signal, etag) {
      // Before the text: a change in between is then seen next time.
      const stamp = fileStamp(path)
      return stamp !== undefined && stamp === etag ? 'unchanged' : { text: await readText(path), etag: stamp }
    },
    async loadReferred(address, signal) {
      if (/^https?:/.test(address))
        return (await fetchText(new URL(address), { reach: 'outside', signal })).text
      if (!address.startsWith('file:')) throw new Error('it is neither a file nor an http address')
      const referred = await realPathOf(fileURLToPath(address))
      const roots = await Promise.all([dirname(path), folder].map((each) => realpath(each)))
      // A document must not make other files of this machine readable.
      if (!roots.some((root) => isWithin(referred, root)))
        throw new Error('it lies outside the folders of the document and of the config')
      return readText(referred)
    },
  }
}

async function readText(path: string): Promise<string> {
  try {
    const { size } = await stat(path)
    if (size > MAX_BYTES) throw new Error(`it is longer than ${MAX_BYTES / 1024 / 1024} MB`)
    return toText(await readFile(path))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new Error(`there is no file ${path}`, { cause: error })
    if (code === 'EISDIR') throw new Error('it is a folder', { cause: error })
    throw new Error(code === undefined ? message : `it cannot be read (${code})`, { cause: error })
  }
}

async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    throw new Error(`there is no file ${path}`, { cause: error })
  }
}

/** Some programs of Windows write UTF-16, with a mark at the start. */
function toText(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString('hex')
  const charset = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : undefined
  return charset === undefined ? bytes.toString('utf8') : new TextDecoder(charset).decode(bytes)
}

function fromAddress(url: URL): DocumentOrigin {
  return {
    address: url.href,
    path: undefined,
    load: (signal, etag) => fetchDocument(url, { reach: 'named', signal, etag }),
    async loadReferred(address, signal) {
      if (!/^https?:/.test(address))
        throw new Error('a document from the network refers to it, and it is no http address')
      const target = new URL(address)
      const reach = target.origin === url.origin ? 'named' : 'outside'
      return (await fetchText(target, { reach, signal })).text
    },
  }
}

interface FetchOptions {
  readonly reach: Reach
  readonly signal: AbortSignal
  readonly etag?: string | undefined
}

async function fetchText(url: URL, options: FetchOptions): Promise<LoadedText> {
  const loaded = await fetchDocument(url, options)
  if (loaded === 'unchanged') throw new Error('it answered 304 without being asked')
  return loaded
}

async function fetchDocument(
  url: URL,
  { reach, signal, etag }: FetchOptions,
): Promise<LoadedText | 'unchanged'> {
  let target = url
  let allowed = reach
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const { status, headers, body } = await sendRequest({
      method: 'GET',
      url: target,
      headers: {
        accept: 'application/json, application/yaml;q=0.9, text/yaml;q=0.9, */*;q=0.5',
        ...(etag !== undefined && { 'if-none-match': etag }),
      },
      signal: abortAfter(TIMEOUT_MS, signal),
      maxBytes: MAX_BYTES,
      reach: allowed,
    }).catch((error: Error) => {
      if (hops === 0 || !(error instanceof AddressRefused)) throw error
      throw new Error(`it redirects to ${target.host}, and ${error.message}`, { cause: error })
    })
    if (status === 304) return 'unchanged'
    if (status >= 200 && status < 300)
      return { text: toText(await decode(body, headers)), etag: headers.etag }
    const { location } = headers
    if (status < 300 || status >= 400 || location === undefined || !URL.canParse(location, target.href))
      throw new Error(
        `it answered ${[status, statusName(status)].join(' ').trim()}${NEEDS_LOGIN.get(status) ?? ''}`,
      )
    const next = new URL(location, target)
    if (!/^https?:$/.test(next.protocol) || (target.protocol === 'https:' && next.protocol === 'http:'))
      throw new Error('it redirects to an address that is less safe')
    // Only the address in the config may be on this machine or in its network.
    if (next.origin !== target.origin) allowed = 'outside'
    target = next
  }
  throw new Error('it redirects too often')
}

const DECODERS: ReadonlyMap<string, (bytes: Buffer, options: ZlibOptions) => Promise<Buffer>> = new Map([
  ['gzip', promisify<Buffer, ZlibOptions, Buffer>(gunzip)],
  ['deflate', promisify<Buffer, ZlibOptions, Buffer>(inflate)],
  ['br', promisify<Buffer, ZlibOptions, Buffer>(brotliDecompress)],
])

/** Some servers encode what they send to a client that did not ask for it. */
async function decode(body: Buffer, { 'content-encoding': encoding }: IncomingHttpHeaders): Promise<Buffer> {
  const decoder = DECODERS.get(encoding?.trim().toLowerCase() ?? '')
  if (!decoder) return body
  try {
    return await decoder(body, { maxOutputLength: MAX_BYTES })
  } catch (error) {
    throw new Error(`its ${encoding} encoding cannot be read`, { cause: error })
  }
}
