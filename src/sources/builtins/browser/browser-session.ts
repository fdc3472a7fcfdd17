import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Download, Page } from 'playwright-core'
import type { CallerView } from '../../../catalog/execute-context.js'
import type { NewArtifact } from '../../../catalog/new-artifact.js'
import { startGuardedProxy, type GuardedProxy } from '../../../http-client/guarded-proxy.js'
import type { Reach, ResolveName } from '../../../http-client/address-rules.js'
import { errorMessage } from '../../../platform/text/error-message.js'
import { BrowserPage, guardNavigation, hostOf, type PageEvents, type ShownDialog } from './browser-page.js'

export interface SessionOptions {
  readonly browser: Browser
  readonly owner: string
  readonly caller: CallerView
  readonly isTraced: boolean
  readonly reachOf: (url: URL) => Reach
  readonly resolveName?: ResolveName | undefined
}

/** What happened on the pages of a session since it was last told. */
export interface SessionChanges {
  readonly dialogs: readonly ShownDialog[]
  /** Addresses that a page wanted to reach and may not. */
  readonly blocked: readonly BlockedAddress[]
  /** Pages that a page opened. */
  readonly popups: readonly { readonly page_id: string; readonly url: string }[]
  readonly downloads: readonly FinishedDownload[]
}

export interface BlockedAddress {
  readonly url: string
  readonly reason: string
}

export interface FinishedDownload {
  readonly name: string
  readonly url: string
  readonly size_bytes?: number
  /** Why there is no file. */
  readonly problem?: string
  readonly artifact?: NewArtifact
}

const VIEWPORT = { width: 1280, height: 720 }
const MAX_EVENTS = 50
const MAX_PAGES = 20
/** A longer download is ended. */
const MAX_DOWNLOAD_BYTES = 500_000_000
const DOWNLOAD_MS = 30_000
const NEEDS_NAVIGATE = 'No rule allows this host for browser.navigate; call browser.navigate with the URL.'

/** A browser session: pages that share cookies, and nothing with other sessions. */
export class BrowserSession {
  readonly id = `bs_${randomBytes(12).toString('base64url')}`
  readonly owner: string
  readonly pages = new Map<string, BrowserPage>()
  readonly #isTraced: boolean
  #context: BrowserContext | undefined
  #proxy: GuardedProxy | undefined
  /** Of the last call. Its rules count for what pages do by themselves. */
  #caller: CallerView
  /** Hosts that calls of the owner have opened. */
  readonly #visited = new Set<string>()
  /** What the rules say about hosts, until the next call. */
  #verdicts = new Map<string, 'allow' | 'pass' | 'refuse'>()
  #dialogs: ShownDialog[] = []
  #blocked = new Map<string, BlockedAddress>()
  #popups: string[] = []
  #downloads: Download[] = []
  #pageCount = 0
  #actionCount = 0
  #isOpening = false

  static async open(options: SessionOptions): Promise<BrowserSession> {
    const session = new BrowserSession(options)
    try {
      await session.#start(options)
      return session
    } catch (error) {
      await session.close()
      throw error
    }
  }

  private constructor({ owner, caller, isTraced }: SessionOptions) {
    this.owner = owner
    this.#caller = caller
    this.#isTraced = isTraced
  }

  async #start({ browser, reachOf, resolveName }: SessionOptions): Promise<void> {
    this.#proxy = await startGuardedProxy({
      check: (url) =>
        this.#verdict(url) === 'refuse' ? { refused: 'A rule forbids this host.' } : reachOf(url),
      onRefused: ({ target, url, why }) =>
        this.#block(!url ? target : url.protocol === 'https:' ? `${url.origin}/` : url.href, why),
      resolveName,
    })
    const { server, username, password } = this.#proxy
    this.#context = await browser.newContext({
      proxy: { server, username, password, bypass: '<-loopback>' },
      acceptDownloads: true,
      // Their requests would belong to no page.
      serviceWorkers: 'block',
      viewport: VIEWPORT,
    })
    if (this.#isTraced) await this.#context.tracing.start({ screenshots: true, snapshots: true })
    this.#context.on('page', (page) => {
      if (!this.#isOpening) void this.#takePopup(page)
    })
  }

  get #events(): PageEvents {
    return {
      onDialog: (dialog) => {
        if (this.#dialogs.length < MAX_EVENTS) this.#dialogs.push(dialog)
      },
      onDownload: (download) => this.#downloads.push(download),
      mayVisit: (url) => {
        if (this.#visited.has(url.hostname) || this.#verdict(url) === 'allow') return true
        this.#block(url.href, NEEDS_NAVIGATE)
        return false
      },
    }
  }

  #block(url: string, reason: string): void {
    if (this.#blocked.size < MAX_EVENTS) this.#blocked.set(url, { url, reason })
  }

  /** What the rules say about a host. A rule that denies it or asks counts for everything that a page loads. */
  #verdict(url: URL): 'allow' | 'pass' | 'refuse' {
    if (this.#visited.has(url.hostname)) return 'allow'
    const known = this.#verdicts.get(url.host)
    if (known !== undefined) return known
    const input = { browser_session_id: this.id, page_id: 'page_1', url: url.href }
    const found = this.#caller.explain({ name: 'tool_browser_navigate', input })
    const isByRule = found?.winning_rule !== undefined
    const verdict =
      found?.behavior === 'allow' ? 'allow' : found?.behavior === 'deny' || isByRule ? 'refuse' : 'pass'
    this.#verdicts.set(url.host, verdict)
    return verdict
  }

  /** A call of the owner begins: its rules count from now on. */
  begin(caller: CallerView): void {
    this.#caller = caller
    this.#verdicts = new Map()
  }

  /** A call that was decided opens this host. */
  visit(url: URL): void {
    this.#visited.add(url.hostname)
  }

  nextActionId(): string {
    return `${this.id}.action_${++this.#actionCount}`
  }

  async newPage(): Promise<BrowserPage> {
    this.#isOpening = true
    try {
      return await this.#add(await this.#context!.newPage())
    } finally {
      this.#isOpening = false
    }
  }

  async #add(page: Page): Promise<BrowserPage> {
    const id = `page_${++this.#pageCount}`
    const added = new BrowserPage(id, page, this.#events)
    this.pages.set(id, added)
    page.once('close', () => this.pages.delete(id))
    await guardNavigation({ page, context: this.#context!, events: this.#events })
    return added
  }

  /** A page that a page opened. Its first request is on its way already: where it may not go there, it is closed. */
  async #takePopup(page: Page): Promise<void> {
    try {
      if (this.pages.size >= MAX_PAGES) return await page.close()
      const { id } = await this.#add(page)
      this.#popups.push(id)
      await page.waitForLoadState('domcontentloaded').catch(() => {})
      const url = page.url()
      if (hostOf(url) !== '' && !this.#events.mayVisit(new URL(url))) await page.close()
    } catch {
      // It was closed meanwhile.
    }
  }

  /** What has happened since the last time. Downloads are waited for. */
  async takeChanges(signal: AbortSignal): Promise<SessionChanges> {
    const downloads = await Promise.all(this.#downloads.splice(0).map((each) => finish(each, signal)))
    const popups = this.#popups.splice(0).flatMap((id) => {
      const found = this.pages.get(id)
      found?.remember()
      return found ? [{ page_id: id, url: found.page.url() }] : []
    })
    const blocked = [...this.#blocked.values()]
    this.#blocked.clear()
    return { dialogs: this.#dialogs.splice(0), blocked, popups, downloads }
  }

  /** The trace of the session, where it keeps one. The folder is removed when it has been read. */
  async takeTrace(): Promise<NewArtifact | undefined> {
    if (!this.#isTraced || !this.#context) return undefined
    const folder = await mkdtemp(join(tmpdir(), 'toolcrib-trace-'))
    const path = join(folder, 'trace.zip')
    await this.#context.tracing.stop({ path })
    const content = createReadStream(path)
    content.once('close', () => void rm(folder, { recursive: true, force: true }))
    return {
      name: 'trace.zip',
      title: 'Browser trace',
      description: `Everything that the session ${this.id} showed; playwright show-trace opens it.`,
      mediaType: 'application/zip',
      content,
    }
  }

  async close(): Promise<void> {
    await this.#context?.close().catch(() => {})
    await this.#proxy?.close()
  }
}

async function finish(download: Download, signal: AbortSignal): Promise<FinishedDownload> {
  const about = {
    name: download.suggestedFilename().slice(0, 200) || 'download',
    url: download.url().slice(0, 2_000),
  }
  const cancel = (): void => void download.cancel().catch(() => {})
  const timer = setTimeout(cancel, DOWNLOAD_MS)
  signal.addEventListener('abort', cancel)
  try {
    const path = await download.path()
    const { size } = await stat(path)
    if (size > MAX_DOWNLOAD_BYTES)
      return { ...about, problem: `it is larger than ${MAX_DOWNLOAD_BYTES} bytes` }
    const content = createReadStream(path)
    content.once('close', () => void download.delete().catch(() => {}))
    return {
      ...about,
      size_bytes: size,
      artifact: { name: about.name, description: `Downloaded from ${about.url}`.slice(0, 500), content },
    }
  } catch (error) {
    return { ...about, problem: (await download.failure().catch(() => null)) ?? errorMessage(error) }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
  }
}
