import { join } from 'node:path'
import { writeClientConfig } from '../client-config.mjs'
import { modules } from '../installed.mjs'
import { runProgram } from '../run-program.mjs'
import { textOf } from '../text-of.mjs'

const program = join(modules, 'mcporter/dist/cli.js')

export function open(target) {
  const { workspace } = target
  const config = writeClientConfig(target)
  const ask = async (...args) => {
    const given = [program, '--config', config, ...args]
    const { stdout, text } = await runProgram(process.execPath, given, {
      env: workspace.env,
      cwd: workspace.folder,
    })
    try {
      return JSON.parse(stdout)
    } catch {
      throw new Error(text)
    }
  }
  return {
    list: async () => {
      const { tools, ...rest } = await ask('list', 'toolcrib', '--json')
      if (tools === undefined) throw new Error(JSON.stringify(rest))
      return tools.map(({ name }) => name)
    },
    call: async (name, input) => {
      const args = ['--args', JSON.stringify(input), '--output', 'json']
      return answerOf(await ask('call', `toolcrib.${name}`, ...args))
    },
    close() {},
  }
}

/** It prints the structured content alone where there is one; of the filesystem server that is the text. */
function answerOf(printed) {
  if (Array.isArray(printed.content)) return textOf(printed)
  const text = typeof printed.content === 'string' ? printed.content : JSON.stringify(printed)
  return { text, isError: printed.isError === true }
}
