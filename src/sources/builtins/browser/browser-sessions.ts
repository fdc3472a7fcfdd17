import type { Browser } from 'playwright-core'
import type { CallerView, ExecuteContext } from '../../../catalog/execute-context.js'
import type { Reach, ResolveName } from '../../../http-client/address-rules.js'
import { ownCommand } from '../../../platform/text/own-command.js'
import { failure } from '../../http/to-failure.js'
import type { BrowserPage } from './browser-page.js'
import { BrowserSession } from './browser-session.js'
import type { FoundBrowser } from './find-browser.js'

export interface SessionsOptions {
  find(): FoundBrowser
  readonly reachOf: (url: URL) => Reach
  readonly isTraced: boolean
  /** A session without calls ends after this time. */
  readonly idleMs: number
  readonly resolveName?: ResolveName | undefined
}

type Caller = Pick<ExecuteContext, 'tenant' | 'actor'> & { readonly caller: CallerView }

/** The sessions of a set, and the browser that they share. It runs while there is a session. */
export interface BrowserSessions {
  readonly size: number
  open(caller: Caller): Promise<BrowserSession>
  /** The session of this id, if it belongs to the caller. Throws with a failure. */
  get(id: string, caller: Caller): BrowserSession
  /** The address of a page, for rules. */
  urlOf(page: { browser_session_id: string; page_id?: string | undefined }): string | undefined
  /** Does something with a session, which is not idle meanwhile. */
  during<Value>(id: string, work: () => Promise<Value>): Promise<Value>
  end(session: BrowserSession): Promise<void>
  close(): Promise<void>
}

const MAX_SESSIONS = 20

export function createBrowserSessions(options: SessionsOptions): BrowserSessions {
  const { find, reachOf, isTraced, idleMs, resolveName } = options
  const sessions = new Map<string, BrowserSession>()
  const timers = new Map<string, NodeJS.Timeout>()
  /** How many calls use each session. */
  const running = new Map<string, number>()
  let browser: Promise<Browser> | undefined
  let opening = 0

  async function launch(): Promise<Browser> {
    const found = find()
    if ('missing' in found)
      throw failure(found.missing, {
        errorClass: 'setup_required',
        code: 'toolcrib.setup_required',
        nothingHappened: true,
      })
    const { launchBrowser } = await import('./launch-browser.js')
    const launched = await launchBrowser(found.executable)
    launched.once('disconnected', () => {
      browser = undefined
      for (const session of sessions.values()) void end(session)
    })
    return launched
  }

  function start(): Promise<Browser> {
    browser ??= launch().catch((error: unknown) => {
      browser = undefined
      throw error
    })
    return browser
  }

  /** Counts the calls in a session; without any, its time runs. */
  function count(id: string, change: 1 | -1): void {
    const calls = (running.get(id) ?? 0) + change
    running.set(id, calls)
    clearTimeout(timers.get(id))
    const session = sessions.get(id)
    if (calls > 0) return
    running.delete(id)
    if (session) timers.set(id, setTimeout(() => void end(session), idleMs).unref())
  }

  async function end(session: BrowserSession): Promise<void> {
    clearTimeout(timers.get(session.id))
    timers.delete(session.id)
    if (!sessions.delete(session.id)) return
    await session.close()
    if (sessions.size === 0 && opening === 0) await stop()
  }

  async function stop(): Promise<void> {
    const ending = browser
    browser = undefined
    await (await ending?.catch(() => undefined))?.close().catch(() => {})
  }

  return {
    get size() {
      return sessions.size
    },
    async open({ tenant, actor, caller }) {
      if (sessions.size + opening >= MAX_SESSIONS)
        throw failure(`${MAX_SESSIONS} browser sessions are open; close one of them.`, {
          errorClass: 'execution_failed',
          code: 'toolcrib.execution_failed',
          nothingHappened: true,
        })
      opening++
      try {
        const owner = ownerOf({ tenant, actor })
        const opened = await BrowserSession.open({
          browser: await start(),
          owner,
          caller,
          isTraced,
          reachOf,
          resolveName,
        })
        sessions.set(opened.id, opened)
        return opened
      } finally {
        opening--
      }
    },
    get(id, { tenant, actor, caller }) {
      const found = sessions.get(id)
      // Whether another caller has such a session is none of this caller's business.
      if (!found || found.owner !== ownerOf({ tenant, actor }))
        throw failure(
          `There is no such browser session: it was closed, or it ended with the process that opened it. Call browser.open again; "${ownCommand('serve')}" keeps sessions between commands.`,
          {
            errorClass: 'execution_failed',
            code: 'toolcrib.execution_failed',
            nothingHappened: true,
            needsOtherArguments: true,
          },
        )
      found.begin(caller)
      return found
    },
    urlOf({ browser_session_id: id, page_id: pageId }) {
      const session = sessions.get(id)
      return session && pageOf(session, pageId)?.page.url()
    },
    async during(id, work) {
      count(id, 1)
      try {
        return await work()
      } finally {
        count(id, -1)
      }
    },
    end,
    async close() {
      await Promise.all([...sessions.values()].map((session) => end(session)))
      await stop()
    },
  }
}

/** The page of this id; without an id, the first one. */
export function pageOf(session: BrowserSession, id: string | undefined): BrowserPage | undefined {
  return id === undefined ? session.pages.values().next().value : session.pages.get(id)
}

const ownerOf = ({ tenant, actor }: Pick<ExecuteContext, 'tenant' | 'actor'>): string =>
  JSON.stringify([tenant, actor ?? null])
