import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApi } from '../../examples/quickstart/demo/api.mjs'
import { lendToken } from '../../examples/quickstart/demo/lend-token.mjs'
import { findRunning } from '../../examples/quickstart/running-crib.mjs'

const QUICKSTART = fileURLToPath(new URL('../../examples/quickstart', import.meta.url))

/** The quickstart in a home of its own, after the demo: calls of every kind, two questions in the inbox, one call under way. */
export async function openDemo(folder) {
  // Everything that the processes of this script write goes there.
  Object.assign(process.env, {
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_DATA_HOME: join(folder, 'data'),
  })
  delete process.env.TOOLCRIB_HOME
  const crib = join(folder, 'quickstart')
  const script = (name, stdio, ...args) =>
    spawn(process.execPath, [join(QUICKSTART, name), '--folder', crib, ...args], { stdio, cwd: folder })

  const server = script('start.mjs', ['ignore', 'ignore', 'pipe'])
  const ended = once(server, 'exit')
  const loginLink = await readLink(server)
  try {
    await run(script('demo.mjs', 'ignore', '--fast', '--answer'))
    await run(script('demo.mjs', 'ignore', '--fast', '--no-wait'))
    const running = await findRunning(crib)
    const { url } = running
    for (const role of ['reviewer', 'auditor'])
      await lendToken(running, { actor: `demo-${role}`, role, run: '1' })
    const { token } = await lendToken(running, { actor: 'demo-agent', role: 'caller', run: '1' })
    const agent = createApi(url, token)
    await startCount(agent)
    const { items } = await agent.get('/invocations?limit=200')
    return {
      url,
      loginLink,
      /** The oldest call of a tool: the demo has finished it. */
      callOf: (tool) => items.findLast(({ tool_id: id }) => id === tool).invocation_id,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }

  async function close() {
    server.kill('SIGTERM')
    await ended
  }
}

async function startCount(agent) {
  const session = 'screenshots'
  await agent.post('/calls', {
    tool: 'tool.search',
    input: { query: 'select:mcp__stock__count_shelves' },
    session,
  })
  const input = { seconds_per_shelf: 10 }
  await agent.post('/calls', { tool: 'mcp.stock.count_shelves', input, session, mode: 'background' })
}

async function run(child) {
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('The demo failed; run "npm run demo -- --fast --answer" to see why.')
}

/** The link that logs the owner in, as the server prints it. */
async function readLink(server) {
  let text = ''
  for await (const chunk of server.stderr.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    text += chunk
    const link = /http\S+\/login#code=\S+/.exec(text)
    if (link) {
      server.stderr.resume()
      return link[0]
    }
  }
  throw new Error(`The server did not start: ${text}`)
}
