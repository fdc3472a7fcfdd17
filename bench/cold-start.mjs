// From "npm start" in a clone to a console that a person can use: the login link is printed, and the inbox is shown in a browser
// that was open before and has nothing cached. Each run has a new home, so that nothing is there from before. Without Chromium
// only the first number is measured. RUNS=5
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const RUNS = Number(process.env.RUNS ?? 5)
const MAX_SECONDS = 5
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const root = fileURLToPath(new URL('..', import.meta.url))

const browser = await launchBrowser()
const columns = ['the first start', 'the next start']
const times = columns.map(() => ({ link: [], inbox: [] }))
for (let run = 0; run < RUNS; run++) {
  const home = mkdtempSync(join(tmpdir(), 'toolcrib-bench-'))
  for (const { link, inbox } of times) {
    const taken = await measureStart(home)
    link.push(taken.link)
    if (taken.inbox !== undefined) inbox.push(taken.inbox)
  }
  rmSync(home, { recursive: true })
}
await browser?.close()

console.log(`Seconds from "npm start", best and worst of ${RUNS} runs, Node ${process.versions.node}`)
console.log(`${''.padEnd(20)}${'link printed'.padStart(18)}${'inbox usable'.padStart(18)}`)
columns.forEach((name, at) => {
  const { link, inbox } = times[at]
  const isOver = Math.max(...link, ...inbox) > MAX_SECONDS
  console.log(`${name.padEnd(20)}${range(link)}${range(inbox)}  ${isOver ? `over ${MAX_SECONDS}` : 'ok'}`)
  if (isOver) process.exitCode = 1
})

function range(list) {
  const text =
    list.length === 0 ? 'no Chromium' : `${Math.min(...list).toFixed(2)} – ${Math.max(...list).toFixed(2)}`
  return text.padStart(18)
}

async function measureStart(home) {
  const started = performance.now()
  const secondsSince = () => (performance.now() - started) / 1000
  const { TOOLCRIB_HOME: _, ...env } = process.env
  const child = spawn('npm', ['start', '--silent', '--', '--folder', join(home, 'crib'), '--port', '0'], {
    cwd: root,
    env: { ...env, XDG_CONFIG_HOME: join(home, 'config'), XDG_DATA_HOME: join(home, 'data') },
    detached: true,
  })
  const ended = once(child, 'exit')
  try {
    const address = await readLink(child)
    const link = secondsSince()
    if (!browser) return { link, inbox: undefined }
    const close = await openInbox(address)
    const inbox = secondsSince()
    await close()
    return { link, inbox }
  } finally {
    // As Ctrl-C in a terminal does.
    process.kill(-child.pid, 'SIGINT')
    await ended
  }
}

async function launchBrowser() {
  if (!existsSync(CHROMIUM)) return undefined
  const { chromium } = await import('playwright-core')
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
}

async function openInbox(address) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(address)
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  return () => context.close()
}

async function readLink({ stdout, stderr }) {
  let text = ''
  return new Promise((resolve, reject) => {
    const take = (chunk) => {
      text += chunk
      const link = /http\S+\/login#code=\S+/.exec(text)
      if (link) resolve(link[0])
    }
    stdout.on('data', take)
    stderr.on('data', take).once('end', () => reject(new Error(`It did not start: ${text}`)))
  })
}
