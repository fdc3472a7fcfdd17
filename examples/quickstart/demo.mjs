// npm run demo: an agent without a model works through a task in the crib that "npm start" serves. If none is served, the demo
// starts one for itself.
//   --answer          answers the questions in the inbox itself, as a reviewer
//   --no-wait         leaves the questions in the inbox, and does not wait for answers
//   --fast            without pauses
//   --folder <path>   the folder of the served crib (default: ./quickstart)
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { lendToken } from './demo/lend-token.mjs'
import { runTask } from './demo/task.mjs'
import { findRunning, isReady } from './running-crib.mjs'

const { values: options } = parseArgs({
  options: {
    answer: { type: 'boolean', default: false },
    'no-wait': { type: 'boolean', default: false },
    fast: { type: 'boolean', default: false },
    folder: { type: 'string', default: 'quickstart' },
  },
})

const running = (await findRunning(resolve(options.folder))) ?? (await startOwn(resolve(options.folder)))
const run = Date.now().toString(36)
const lent = []
try {
  const lend = async (actor, role) => {
    const { token, giveBack } = await lendToken(running, { actor, role, run })
    lent.push(giveBack)
    return token
  }
  await runTask({
    url: running.url,
    session: `demo-${run}`,
    agentToken: await lend('demo-agent', 'caller'),
    reviewerToken: options.answer ? await lend('demo-reviewer', 'reviewer') : undefined,
    waits: !options['no-wait'],
    isFast: options.fast,
    say,
  })
} catch (error) {
  if (await isReady(running.url)) throw error
  say('The server has ended, and the demo with it. To start both again: npm start, then npm run demo')
  process.exitCode = 1
} finally {
  for (const giveBack of lent) await giveBack()
  await running.close?.()
}

/** Long lines are broken where a terminal of 80 columns has its edge. */
function say(text) {
  for (const line of text.split('\n')) {
    const indent = /^ */.exec(line)[0]
    let shown = indent
    for (const word of line.trim().split(' ')) {
      const isFull = shown.trim() !== '' && shown.length + word.length >= 80
      if (isFull) console.log(shown.trimEnd())
      shown = `${isFull ? indent : shown}${word} `
    }
    console.log(shown.trimEnd())
  }
}

/** A server of the demo's own, until its end. */
async function startOwn(folder) {
  say('Nothing is served yet: the demo starts a server of its own, until its end.')
  const start = fileURLToPath(new URL('./start.mjs', import.meta.url))
  const stdio = ['ignore', 'ignore', 'inherit']
  const child = spawn(process.execPath, [start, '--folder', folder, '--quiet'], { stdio })
  const ended = once(child, 'exit')
  const close = async () => {
    child.kill('SIGTERM')
    await ended
  }
  while (child.exitCode === null) {
    const found = await findRunning(folder)
    if (found) return { ...found, close }
    await new Promise((resume) => setTimeout(resume, 50))
  }
  throw new Error('The server did not start.')
}
