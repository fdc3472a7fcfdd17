// npm run screenshots: pictures of every page of the console, in light and dark, from the quickstart and its demo. They go to
// docs/images/console. Needs Chromium; CHROMIUM names another one than /usr/bin/chromium.
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { openDemo } from './open-demo.mjs'
import { pages } from './pages.mjs'
import { reduceColors } from './reduce-colors.mjs'

const TARGET = fileURLToPath(new URL('../../docs/images/console', import.meta.url))
const THEMES = ['light', 'dark']
const SCREENS = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 800 } }
const MAX_BYTES = 150_000

// Always the same folder: its name is in some of the pictures.
const folder = join(tmpdir(), 'toolcrib-screenshots')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
const demo = await openDemo(folder)
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
try {
  mkdirSync(TARGET, { recursive: true })
  const context = await browser.newContext({ reducedMotion: 'reduce', timezoneId: 'UTC', locale: 'en-GB' })
  for (const page of pages.filter(({ isPublic }) => isPublic)) await takeAll(await context.newPage(), page)
  const tab = await context.newPage()
  await tab.goto(demo.loginLink)
  await tab.waitForURL((url) => !url.pathname.startsWith('/login'))
  for (const page of pages.filter(({ isPublic }) => !isPublic)) await takeAll(tab, page)
} finally {
  await browser.close()
  await demo.close()
  rmSync(folder, { recursive: true })
}

async function takeAll(tab, { name, title, path, screens = ['wide'] }) {
  for (const screen of screens) {
    for (const colorScheme of THEMES) {
      await tab.setViewportSize(SCREENS[screen])
      await tab.emulateMedia({ colorScheme })
      await tab.goto(new URL(path(demo), demo.url).href)
      await tab.waitForFunction((wanted) => document.title.endsWith(`${wanted} · Toolcrib`), title)
      // The page asks for its data after it is shown.
      await tab.waitForTimeout(700)
      const file = `${name}${screen === 'wide' ? '' : `-${screen}`}-${colorScheme}.png`
      const png = await tab.screenshot({ animations: 'disabled', caret: 'hide' })
      writeFileSync(join(TARGET, file), reduceColors(png))
      report(file)
    }
  }
}

function report(file) {
  const { size } = statSync(join(TARGET, file))
  console.log(`${file.padEnd(28)}${String(Math.round(size / 1000)).padStart(5)} KB`)
  if (size > MAX_BYTES)
    throw new Error(`${file} has more than ${MAX_BYTES / 1000} KB; show less on this page.`)
}
