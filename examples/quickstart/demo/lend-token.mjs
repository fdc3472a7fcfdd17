import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { toolcrib } from '../open-crib.mjs'

/** A token for one run of the demo: it is made for the crib of a folder, and revoked at the end. */
export async function lendToken({ url, folder }, { actor, role, run }) {
  const name = `${actor}-${run}`
  const tokens = (...args) =>
    promisify(execFile)(process.execPath, [toolcrib, 'tokens', ...args], { cwd: folder })
  const properties = ['--actor', actor, '--role', role, '--expires', '1h']
  const { stdout } = await tokens('create', name, ...properties, '--json')
  const { token } = JSON.parse(stdout)
  const headers = { authorization: `Bearer ${token}` }
  // The server sees the new token in its store, a moment later.
  while ((await fetch(`${url}/api/v1/session`, { headers })).status === 401)
    await new Promise((resolve) => setTimeout(resolve, 200))
  return { token, giveBack: () => tokens('revoke', name) }
}
