import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium, type Browser, type Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { browserFinder } from '../../../src/sources/builtins/browser/find-browser.js'
import { bin, createPlace, root, type Place } from '../../edges/cli/run-cli.js'

const tools = join(root, 'test/console/support/console-tools.mjs')

export interface OpenConsole {
  readonly origin: string
  /** The folder of the config and the command line beside the server. */
  readonly place: Place
  /** The link that logs in by itself. */
  readonly link: string
  /** Starts a call in the background. */
  call(tool: string, input: object, session?: string): Promise<string>
  /** The record of a call. */
  read(invocationId: string): Promise<CallRecord>
  /** A new token with this role. */
  token(role: string): Promise<string>
  /** A page in a browser profile of its own. */
  open(path: string, options?: PageOptions): Promise<Page>
  /** The same in the profile of the owner, who is logged in. */
  openAsOwner(path: string, options?: PageOptions): Promise<Page>
  /** Stops the server and starts it again, with the same store and port. */
  stop(): Promise<void>
  start(): Promise<void>
}

export interface CallRecord {
  readonly invocation: { readonly status: string }
  readonly result?: { readonly status: string; readonly structured_content?: unknown }
}

interface PageOptions {
  /** Who looks at it, for pages of somebody other than the owner. */
  readonly token?: string
  readonly width?: number
  readonly colorScheme?: 'light' | 'dark'
}

interface Listening {
  readonly url: string
  readonly token: string
  readonly console: string
}

/** `toolcrib serve` in a folder of its own, and a real Chromium. */
export async function openConsole(config = `tools: ['${tools}']\n`): Promise<OpenConsole> {
  const place = createPlace(config)
  let served = await serve(place, '0')
  const { origin, port } = new URL(served.url)
  onTestFinished(() => served.end())
  let browser: Browser | undefined
  onTestFinished(() => browser?.close())

  async function ask(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${origin}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${served.token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return response.json()
  }

  async function open(path: string, { token, width = 1280, colorScheme = 'light' }: PageOptions = {}) {
    browser ??= await chromium.launch({ executablePath: chromiumPath() })
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      colorScheme,
      ...(token !== undefined && { extraHTTPHeaders: { authorization: `Bearer ${token}` } }),
    })
    const page = await context.newPage()
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(error.message))
    // A violation of the Content-Security-Policy, among others.
    page.on('console', (message) => {
      if (message.type() === 'error' && !/status of 4\d\d|ERR_/.test(message.text()))
        problems.push(message.text())
    })
    onTestFinished(() => expect(problems).toEqual([]))
    await page.goto(origin + path)
    return page
  }

  return {
    origin,
    place,
    link: served.console,
    async call(tool, input, session = 'one') {
      const started = await ask('POST', '/calls', { tool, input, session, mode: 'background' })
      return (started as { invocation_id: string }).invocation_id
    },
    async token(role) {
      const { stdout } = await place.run(['tokens', 'create', role, '--role', role, '--json'])
      return (JSON.parse(stdout) as { token: string }).token
    },
    read: (id) => ask('GET', `/invocations/${id}`) as Promise<CallRecord>,
    open,
    async openAsOwner(path, options) {
      const { pathname, hash } = new URL(served.console)
      const page = await open(`${pathname}?next=${encodeURIComponent(path)}${hash}`, options)
      await page.waitForURL(({ href }) => href.startsWith(origin + path))
      return page
    },
    stop: () => served.end(),
    async start() {
      served = await serve(place, port)
    },
  }
}

async function serve(place: Place, port: string): Promise<Listening & { end(): Promise<void> }> {
  const child = spawn(
    process.execPath,
    [bin, 'serve', '--json', '--port', port, '--config', 'toolcrib.yaml'],
    {
      cwd: place.folder,
      env: { ...process.env, ...place.env },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const exited = once(child, 'exit')
  const end = async (): Promise<void> => {
    child.kill('SIGTERM')
    await exited
  }
  for await (const line of createInterface({ input: child.stdout })) {
    const said = JSON.parse(line) as Partial<Listening>
    if (said.url !== undefined) return { ...(said as Listening), end }
  }
  throw new Error('The server ended before it listened.')
}

export function chromiumPath(): string {
  const found = browserFinder({ executable: undefined, folder: process.cwd(), env: process.env })()
  if ('missing' in found) throw new Error(found.missing)
  return found.executable
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds wrong with a page, serious or worse. */
export async function seriousProblems(page: Page): Promise<readonly string[]> {
  const found: unknown = await page.evaluate(
    `(async () => { ${axe}; return (await axe.run()).violations.map(
      ({ impact, id, nodes }) => ({ impact, text: id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', ') })) })()`,
  )
  return (found as { impact: string; text: string }[])
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ text }) => text)
}
