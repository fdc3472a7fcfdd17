// How long the page of a call with 5,000 events of progress takes to open in Chromium: from the navigation to the result on the
// screen, with a cold and with a warm cache of the browser, and from a click in the list of calls. The call is a real one in a
// SQLite store. Needs a Chromium; run "npm run build" first.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { createCrib } from '../dist/crib/create-crib.js'
import { defineTool, sqliteStore } from '../dist/index.js'
import { mountApi } from '../dist/edges/http-api/mount-api.js'
import { tokenTable } from '../dist/edges/server/auth/token-table.js'
import { createConsoleHandler } from '../dist/edges/server/console-handler.js'
import { createHttpServer } from '../dist/edges/server/http-server.js'
import { browserFinder } from '../dist/sources/builtins/browser/find-browser.js'

const UPDATES = 5_000
const ROUNDS = 9
const TOKEN = `owner-token-${'x'.repeat(20)}`
const roles = ['caller', 'reviewer', 'operator', 'auditor']

const found = browserFinder({ executable: undefined, folder: process.cwd(), env: process.env })()
if (found.missing) {
  console.log(`skipped: ${found.missing}`)
  process.exit(0)
}

const count = defineTool({
  namespace: 'build',
  name: 'index',
  description: 'Index files.',
  isReadOnly: true,
  isOpenWorld: false,
  isDestructive: false,
  execute: async (_input, { progress }) => {
    for (let at = 1; at <= UPDATES; at++)
      progress({ percent: (at / UPDATES) * 100, message: `indexed file ${at} of ${UPDATES}` })
    return { files: UPDATES }
  },
})

const folder = mkdtempSync(join(tmpdir(), 'toolcrib-bench-'))
const crib = await createCrib({
  store: sqliteStore({ path: join(folder, 'records.db') }),
  tools: [count],
  permission: { allow: ['build.*'] },
  maxProgressPerSecond: Infinity,
})
const server = createHttpServer({ authenticate: tokenTable([{ actor: 'owner', token: TOKEN, roles }]) })
mountApi(server, {
  crib,
  tenant: 'default',
  surfaceRequest: () => ({ scope: 'session' }),
  sourceHealth: async () => [],
  report: (problem) => console.error(problem),
})
server.mount('/', createConsoleHandler())
const { url, close } = await server.listen()

const surface = await crib.surface({ actor: 'agent' })
const { invocation_id: id } = await crib.call(surface, { name: 'build.index', input: {} })
await crib.flush()
const browser = await chromium.launch({
  executablePath: found.executable,
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
const extraHTTPHeaders = { authorization: `Bearer ${TOKEN}` }

/** Milliseconds from the start of the page, or of the click, until the result was painted. */
const painted = (selector) => `new Promise((resolve) => {
  const look = () => document.querySelector(${JSON.stringify(selector)}) === null
    ? requestAnimationFrame(look)
    : requestAnimationFrame(() => resolve(performance.now() - (window.clickedAt ?? 0)))
  look()
})`
const RESULT = '.step.result .representations'
const EVENTS = '.virtual-table .table-row'

async function openAt(page, path, selector) {
  await page.goto(url + path, { waitUntil: 'commit' })
  return page.evaluate(painted(selector))
}

async function openByClick(page) {
  await page.goto(`${url}/calls`)
  await page.locator('.table-row a').first().waitFor()
  await page.evaluate(
    `document.querySelector('.table-row a').addEventListener('click', () => { window.clickedAt = performance.now() })`,
  )
  await page.locator('.table-row a').first().click()
  return page.evaluate(painted(RESULT))
}

const times = { cold: [], warm: [], click: [], events: [] }
for (let round = 0; round < ROUNDS; round++) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, extraHTTPHeaders })
  const page = await context.newPage()
  times.cold.push(await openAt(page, `/calls/${id}`, RESULT))
  times.warm.push(await openAt(page, `/calls/${id}`, RESULT))
  times.click.push(await openByClick(page))
  times.events.push(await openAt(page, `/calls/${id}?tab=events`, EVENTS))
  await context.close()
}

const words = {
  cold: 'cold cache',
  warm: 'warm cache',
  click: 'click in the list',
  events: 'events tab, warm',
}
console.log(
  `A call with ${UPDATES.toLocaleString('en')} events of progress, ${ROUNDS} rounds (aim: under 500 ms):`,
)
for (const [name, list] of Object.entries(times)) {
  const sorted = list.toSorted((a, b) => a - b)
  const median = Math.round(sorted[Math.floor(sorted.length / 2)])
  console.log(`  ${words[name].padEnd(18)} median ${median} ms, slowest ${Math.round(sorted.at(-1))} ms`)
}

await browser.close()
await close()
await crib.close()
rmSync(folder, { recursive: true, force: true })
