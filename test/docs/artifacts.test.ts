import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { root } from '../edges/cli/run-cli.js'

const page = readFileSync(`${root}docs/artifacts.md`, 'utf8')
const snippets = [...page.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, code]) => code!)
const run = promisify(execFile)

describe('the snippets of docs/artifacts.md', () => {
  it.each(snippets.map((code, index) => [index + 1, code] as const))(
    'snippet %i prints what is written beside it',
    async (_number, code) => {
      const promised = [...code.matchAll(/^console\.log\(.*\) \/\/ (.*)$/gm)].map(([, words]) => words)
      expect(promised.length).toBeGreaterThan(0)
      const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], { cwd: root })
      expect(stdout.trimEnd().split('\n')).toEqual(promised)
    },
  )
})
