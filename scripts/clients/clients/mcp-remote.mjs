import { join } from 'node:path'
import { modules } from '../installed.mjs'
import { open as openSdk } from './mcp-sdk-v1.mjs'

/** A program that speaks stdio to its client and HTTP to us; the client is the SDK. */
export function open({ http, workspace }) {
  const program = join(modules, 'mcp-remote/dist/proxy.js')
  const header = `Authorization: ${http.headers.Authorization}`
  const args = [program, http.url, '--transport', 'http-only', '--header', header]
  return openSdk({ stdio: { command: process.execPath, args, env: workspace.env, cwd: workspace.folder } })
}
