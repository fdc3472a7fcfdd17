import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { createCrib } from '../../../src/crib/create-crib.js'
import type { Crib, CribOptions } from '../../../src/crib/crib.js'
import { mountApi, type ApiOptions } from '../../../src/edges/http-api/mount-api.js'
import { tokenTable } from '../../../src/edges/server/auth/token-table.js'
import { createConsoleHandler } from '../../../src/edges/server/console-handler.js'
import { createHttpServer } from '../../../src/edges/server/http-server.js'
import { memoryStore } from '../../../src/storage/memory/memory-store.js'
import { withChromium } from '../../sources/builtins/browser/with-chromium.js'
import { chromiumPath } from './open-console.js'

const TOKEN = `owner-token-${'x'.repeat(20)}`
const ROLES = ['caller', 'reviewer', 'operator', 'auditor'] as const
const WIDE: BrowserContextOptions = { viewport: { width: 1280, height: 800 } }
export const NARROW: BrowserContextOptions = { viewport: { width: 390, height: 844 } }

/** The console of a crib in this process. */
export interface CribConsole {
  readonly crib: Crib
  /** A page of the owner. The tests fail where it throws, opens a dialog or violates its Content-Security-Policy. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>
}

interface ConsoleOptions {
  readonly crib?: CribOptions
  readonly api?: Partial<ApiOptions>
}

/** Tests that share a crib in memory, its server and a real Chromium. */
export function withConsole(
  title: string,
  { crib: cribOptions = {}, api = {} }: ConsoleOptions,
  tests: (console: CribConsole) => void,
): void {
  withChromium(title, () => {
    let browser: Browser
    let crib: Crib
    let listening: { url: string; close(): Promise<void> }
    const problems: unknown[] = []
    beforeAll(async () => {
      crib = await createCrib({ store: memoryStore(), reviewers: ['owner'], ...cribOptions })
      const server = createHttpServer({
        authenticate: tokenTable([{ actor: 'owner', token: TOKEN, roles: ROLES }]),
      })
      mountApi(server, {
        crib,
        tenant: 'default',
        surfaceRequest: (name) => (name === 'default' ? { scope: 'session' } : undefined),
        sourceHealth: async () => [],
        report: (problem) => problems.push(problem),
        ...api,
      })
      server.mount('/', createConsoleHandler())
      listening = await server.listen()
      browser = await chromium.launch({ executablePath: chromiumPath() })
    })
    afterAll(async () => {
      await browser.close()
      await listening.close()
      await crib.close({ graceMs: 0 })
      if (problems.length > 0) throw problems[0]
    })
    tests({
      get crib() {
        return crib
      },
      async open(path, options = {}) {
        const extraHTTPHeaders = { authorization: `Bearer ${TOKEN}` }
        const context = await browser.newContext({ ...WIDE, ...options, extraHTTPHeaders })
        onTestFinished(() => context.close())
        const page = await context.newPage()
        page.on('pageerror', (error) => problems.push(error))
        page.on('dialog', (dialog) => problems.push(new Error(`A dialog opened: ${dialog.message()}`)))
        page.on('console', (message) => {
          if (/Content Security Policy/i.test(message.text())) problems.push(new Error(message.text()))
        })
        await page.goto(listening.url + path)
        return page
      },
    })
  })
}

/** How wide the page is; wider than the screen where something sticks out. */
export function pageWidth(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth')
}
