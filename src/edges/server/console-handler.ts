import { createReadStream, readdirSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'
import { ownPackage } from '../../platform/files/own-package.js'
import type { PublicHandler } from './request-handler.js'
import { sendEmpty, sendJsonText } from './respond.js'

/** Nothing is fetched from elsewhere, and no text of a tool can become code. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
  "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  json: 'application/json',
  txt: 'text/plain; charset=utf-8',
}

/** Serves the files of the console. A path that is no file is a page of it. */
export function createConsoleHandler(folder = join(ownPackage(), 'lib', 'console')): PublicHandler {
  const files = listFiles(folder)
  const zipped = createZipped()
  return {
    refuse: (response, { status, message, headers }) =>
      sendJsonText(response, status, JSON.stringify({ error: message }), headers),
    handlePublic({ request, response, path }) {
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return sendEmpty(response, 405, { allow: 'GET, HEAD' })
      const name = path.slice(1)
      if (files.has(name)) return sendFile({ request, response }, { folder, name, zipped })
      // Only names from the list are opened: a path cannot lead out of the folder.
      if (isFilePath(path) || !files.has('index.html')) return sendMissing(response, files.size === 0)
      sendFile({ request, response }, { folder, name: 'index.html', zipped })
    },
  }
}

/** Files are at the top or below `assets/`. The path of a page may end with the id of a tool, which has dots too. */
function isFilePath(path: string): boolean {
  return path.startsWith('/assets/') || /^\/[^/]*\.\w+$/.test(path)
}

function listFiles(folder: string): ReadonlySet<string> {
  try {
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    const isFile = (name: string): boolean => statSync(join(folder, name)).isFile()
    return new Set(found.filter(isFile).map((name) => relative('.', name).split(sep).join('/')))
  } catch {
    return new Set()
  }
}

function sendMissing(response: ServerResponse, isUnbuilt: boolean): void {
  const message = isUnbuilt
    ? 'The console is not built; run "npm run build" in the folder of Toolcrib.'
    : 'There is no such file.'
  sendJsonText(response, 404, JSON.stringify({ error: message }))
}

function sendFile(
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  { folder, name, zipped }: { folder: string; name: string; zipped: (path: string) => Promise<Buffer> },
): void {
  const mediaType = MEDIA_TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
  // The names of these files contain a digest of their content.
  const isAsset = name.startsWith('assets/')
  const isZipped = isText(mediaType) && /\bgzip\b/.test(String(request.headers['accept-encoding']))
  response.writeHead(200, {
    'content-type': mediaType,
    ...(isZipped && { 'content-encoding': 'gzip' }),
    vary: 'accept-encoding',
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': isAsset ? 'public, max-age=31536000, immutable' : 'no-cache',
  })
  const fail = (): void => void response.destroy()
  const path = join(folder, name)
  if (isZipped && isAsset) zipped(path).then((bytes) => response.end(bytes), fail)
  else if (isZipped) createReadStream(path).on('error', fail).pipe(createGzip()).pipe(response)
  else createReadStream(path).on('error', fail).pipe(response)
}

const zip = promisify(gzip)

/** Each asset is compressed once: its content does not change. */
function createZipped(): (path: string) => Promise<Buffer> {
  const known = new Map<string, Promise<Buffer>>()
  return (path) => {
    const before = known.get(path)
    if (before !== undefined) return before
    const made = readFile(path).then((bytes) => zip(bytes))
    known.set(path, made)
    made.catch(() => known.delete(path))
    return made
  }
}

function isText(mediaType: string): boolean {
  return mediaType.startsWith('text/') || mediaType === 'image/svg+xml'
}
