import { join } from 'node:path'
import { writeClientConfig } from '../client-config.mjs'
import { laterNode, modules } from '../installed.mjs'
import { runProgram } from '../run-program.mjs'
import { textOf } from '../text-of.mjs'

const launcher = join(modules, '@modelcontextprotocol/inspector/clients/launcher/build/index.js')

export function open(target) {
  const { workspace } = target
  const config = writeClientConfig(target)
  // There is no keychain in a throwaway home.
  const env = { ...workspace.env, MCP_INSPECTOR_SECRET_STORE: 'memory' }
  const ask = async (...args) => {
    const given = [launcher, '--cli', '--config', config, '--server', 'toolcrib', ...args]
    const { stdout, text } = await runProgram(laterNode(), given, { env, cwd: workspace.folder })
    // A result that is an error makes it exit with another code than 0; the result is printed all the same.
    const start = stdout.indexOf('{')
    // Its own words come last, after what the gateway printed.
    if (start < 0) throw new Error(text.slice(-350))
    return JSON.parse(stdout.slice(start))
  }
  return {
    list: async () => (await ask('--method', 'tools/list')).tools.map(({ name }) => name),
    call: async (name, input) => {
      const pairs = Object.entries(input).map(([key, value]) => `${key}=${value}`)
      return textOf(await ask('--method', 'tools/call', '--tool-name', name, '--tool-arg', ...pairs))
    },
    close() {},
  }
}
