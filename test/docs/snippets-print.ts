import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { root } from '../edges/cli/run-cli.js'

const run = promisify(execFile)

/** Runs every snippet of a page in a separate process: it prints what is written beside each `console.log`. */
export function snippetsPrint(title: string, page: string): void {
  const snippets = [...page.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(
    ([, code], index) => [index + 1, code!] as const,
  )
  describe(`the snippets of ${title}`, () => {
    it.each(snippets)('snippet %i prints what is written beside it', async (_number, code) => {
      const promised = [...code.matchAll(/^console\.log\(.*\) \/\/ (.*)$/gm)].map(([, words]) => words)
      expect(promised.length).toBeGreaterThan(0)
      const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], { cwd: root })
      expect(stdout.trimEnd().split('\n')).toEqual(promised)
    })
  })
}
