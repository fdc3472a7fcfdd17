import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { createConsoleHandler } from '../../../src/edges/server/console-handler.js'
import { createHttpServer } from '../../../src/edges/server/http-server.js'
import { ownPackage } from '../../../src/platform/files/own-package.js'
import { temporaryFolder } from '../../temporary-folder.js'

const folders: string[] = []

async function serveConsole(): Promise<string> {
  const folder = temporaryFolder()
  folders.push(folder)
  mkdirSync(join(folder, 'site', 'assets'), { recursive: true })
  writeFileSync(join(folder, 'secret.txt'), 'secret')
  writeFileSync(join(folder, 'site', 'index.html'), '<!doctype html><title>page</title>')
  writeFileSync(join(folder, 'site', 'assets', 'a-1.js'), 'export {}')
  const server = createHttpServer({ authenticate: undefined })
  server.mount('/', createConsoleHandler(join(folder, 'site')))
  const listening = await server.listen()
  onTestFinished(() => listening.close())
  return listening.url
}

/** Sends the path as it is: `fetch` would resolve the dots first. */
function get(
  url: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string; headers: Record<string, unknown> }> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode!, text, headers: response.headers }))
    })
      .on('error', reject)
      .end()
  })
}

it('serves its files, and its page for every other path', async () => {
  const url = await serveConsole()
  for (const path of ['/', '/inbox', '/calls/inv_1', '/catalog/api.shop.js', '/index.html'])
    expect(await get(url, path)).toMatchObject({ status: 200, text: '<!doctype html><title>page</title>' })
  const script = await get(url, '/assets/a-1.js')
  expect(script).toMatchObject({ status: 200, text: 'export {}' })
  expect(script.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  const { headers } = await get(url, '/inbox')
  expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'")
  expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff' })
})

it('opens no file outside of its folder', async () => {
  const url = await serveConsole()
  for (const path of [
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%5c..%5csecret.txt',
    '//secret.txt',
    '/./../secret.txt',
    '/assets/a-1.js/../../../secret.txt',
    '/secret.txt%00.js',
    '/etc/passwd',
    '/file:///etc/passwd',
  ]) {
    const { text } = await get(url, path)
    expect(text, path).not.toContain('secret')
    expect(text, path).not.toContain('root:')
  }
})

it('is reached under the names of this machine only', async () => {
  const url = await serveConsole()
  expect((await get(url, '/', { host: 'evil.example' })).status).toBe(403)
  expect((await get(url, '/', { origin: 'https://evil.example' })).status).toBe(403)
})

it('is sent compressed, and all of it takes less than 300 KB', async () => {
  const server = createHttpServer({ authenticate: undefined })
  const built = join(ownPackage(), 'lib', 'console')
  server.mount('/', createConsoleHandler(built))
  const { url, close } = await server.listen()
  onTestFinished(close)
  let bytes = 0
  for (const name of ['index.html', ...readdirSync(join(built, 'assets')).map((each) => `assets/${each}`)]) {
    const sent = await receive(`${url}/${name}`)
    expect(gunzipSync(sent)).toEqual(readFileSync(join(built, name)))
    bytes += sent.length
  }
  expect(bytes).toBeLessThan(300_000)
})

it('compresses each asset once', async () => {
  const url = await serveConsole()
  const name = `${url}/assets/a-1.js`
  const first = await receive(name)
  expect(gunzipSync(first).toString()).toBe('export {}')
  rmSync(join(folders.at(-1)!, 'site', 'assets', 'a-1.js'))
  expect(await receive(name)).toEqual(first)
})

/** The bytes as they are sent: `fetch` would unpack them. */
function receive(url: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { 'accept-encoding': 'gzip, br' } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve(Buffer.concat(chunks)))
    })
      .on('error', reject)
      .end()
  })
}
