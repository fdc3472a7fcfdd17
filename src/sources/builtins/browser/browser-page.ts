import type { BrowserContext, CDPSession, Page, Request } from 'playwright-core'
import { failure } from '../../http/to-failure.js'

/** What the page did that the caller must know. */
export interface PageEvents {
  onDialog(dialog: ShownDialog): void
  onDownload(download: import('playwright-core').Download): void
  /** Whether the page itself may go to another address. */
  mayVisit(url: URL): boolean
}

/** A dialog of a page, and how it was answered. */
export interface ShownDialog {
  readonly page_id: string
  readonly type: string
  readonly message: string
  readonly answer: 'accept' | 'dismiss'
}

/** How dialogs are answered that an action meets. */
export interface DialogAnswer {
  readonly answer: 'accept' | 'dismiss'
  readonly text?: string | undefined
}

const DISMISS: DialogAnswer = { answer: 'dismiss' }
/** How long an action may take to start requests. */
const START_MS = 150
/** How long requests that it started are waited for. */
const SETTLE_MS = 5_000
const MAX_MESSAGE_CHARS = 2_000

/** One page of a session. */
export class BrowserPage {
  readonly id: string
  readonly page: Page
  /** The ref of the last observation. */
  observationRef: string | undefined
  /** The host that the caller knows the page to be at. */
  #knownHost = ''
  #dialogAnswer = DISMISS
  readonly #running = new Set<Request>()

  constructor(id: string, page: Page, events: PageEvents) {
    this.id = id
    this.page = page
    page.on('dialog', (dialog) => {
      const { answer, text } = this.#dialogAnswer
      events.onDialog({
        page_id: id,
        type: dialog.type(),
        message: dialog.message().slice(0, MAX_MESSAGE_CHARS),
        answer,
      })
      // The page may be gone already.
      void (answer === 'accept' ? dialog.accept(text) : dialog.dismiss()).catch(() => {})
    })
    page.on('download', (download) => events.onDownload(download))
    page.on('request', (request) => this.#running.add(request))
    page.on('requestfinished', (request) => this.#running.delete(request))
    page.on('requestfailed', (request) => this.#running.delete(request))
  }

  get host(): string {
    return hostOf(this.page.url())
  }

  /** From now on the caller knows where the page is. */
  remember(): void {
    this.#knownHost = this.host
  }

  /** Throws where the page has gone to another host since the caller was told. */
  checkHost(): void {
    if (this.host === this.#knownHost) return
    throw failure(`The page has gone to ${this.host || 'an empty page'} by itself; observe it first.`, {
      errorClass: 'execution_failed',
      code: 'toolcrib.execution_failed',
      nothingHappened: true,
    })
  }

  /** Acts on the page, and waits until the requests that this started have ended. */
  async act<Value>(
    action: () => Promise<Value>,
    { dialog = DISMISS, signal }: { dialog?: DialogAnswer | undefined; signal: AbortSignal },
  ): Promise<Value> {
    this.#dialogAnswer = dialog
    try {
      this.#running.clear()
      const value = await action()
      await this.#settle(signal)
      return value
    } finally {
      this.#dialogAnswer = DISMISS
    }
  }

  async #settle(signal: AbortSignal): Promise<void> {
    // The handlers of the page have run then. A page that goes elsewhere meanwhile does not answer.
    const hasRun = this.page.evaluate('new Promise((done) => setTimeout(done))').catch(() => {})
    await Promise.race([hasRun, new Promise((done) => setTimeout(done, SETTLE_MS).unref())])
    const until = performance.now() + SETTLE_MS
    const pause = (): Promise<void> => new Promise((done) => setTimeout(done, START_MS))
    do await pause()
    while (this.#running.size > 0 && performance.now() < until && !signal.aborted && !this.page.isClosed())
    const timeout = Math.max(1, until - performance.now())
    await this.page.waitForLoadState('load', { timeout }).catch(() => {})
  }
}

/**
 * Stops navigations of a page to addresses that the caller may not visit, redirects included. Frames within the page
 * are not looked at here.
 */
export async function guardNavigation({
  page,
  context,
  events,
}: {
  page: Page
  context: BrowserContext
  events: PageEvents
}): Promise<void> {
  const session = await context.newCDPSession(page)
  const { frameTree } = await session.send('Page.getFrameTree')
  session.on('Fetch.requestPaused', ({ requestId, frameId, request }) => {
    const isAllowed = frameId !== frameTree.frame.id || mayVisit(request.url, events)
    void resume(session, { requestId, isAllowed })
  })
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*', resourceType: 'Document' }] })
}

async function resume(
  session: CDPSession,
  { requestId, isAllowed }: { requestId: string; isAllowed: boolean },
): Promise<void> {
  try {
    if (isAllowed) await session.send('Fetch.continueRequest', { requestId })
    else await session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
  } catch {
    // The page is gone, and its request with it.
  }
}

function mayVisit(text: string, { mayVisit: ask }: PageEvents): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  return !/^https?:$/.test(url.protocol) || ask(url)
}

export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : ''
}
