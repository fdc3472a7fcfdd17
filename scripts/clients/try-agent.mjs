import { firstLines } from './first-lines.mjs'
import { createWorkspace } from './workspace.mjs'

/**
 * A coding agent in a home of its own: after `toolcrib connect … --write`, does its own command say that it is connected?
 * It needs a key only to talk to a model.
 */
export async function tryAgent({ agent, transport, expected }) {
  const workspace = createWorkspace()
  const gateway = transport === 'http' ? await workspace.serve() : undefined
  try {
    const way = gateway ? ['--url', gateway.http.url] : ['--stdio']
    const written = await workspace.run(['connect', agent.id, '--write', ...way])
    if (written.code !== 0) throw new Error(`toolcrib connect ended with ${written.code}: ${written.stderr}`)
    const { isConnected, tools, text } = await agent.health(workspace)
    if (!isConnected) throw new Error(`not connected: ${text}`)
    // Some say how many tools they see: fewer than all is a failure as it is for the other clients.
    if (tools !== undefined && tools !== expected.length)
      throw new Error(`connected, with ${tools} of ${expected.length} tools`)
    return { connected: tools === undefined ? 'ok' : `ok, ${tools} tools`, failures: [] }
  } catch (error) {
    return { connected: 'failed', failures: [`connected: ${firstLines(error)}`] }
  } finally {
    await gateway?.stop()
    workspace.remove()
  }
}
