import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { bin, createPlace, root } from '../edges/cli/run-cli.js'

const page = readFileSync(`${root}docs/limits.md`, 'utf8')
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, code]) => code!)
const run = promisify(execFile)

it('the config of docs/limits.md is valid, and the command prints what is shown below it', async () => {
  const [config] = blocks('yaml')
  const [shown] = blocks('text')
  const { folder, env } = createPlace(config)
  const printed = await run(process.execPath, [bin, 'limits'], {
    cwd: folder,
    env: { ...process.env, ...env },
  })
  expect(printed).toEqual({ stdout: shown, stderr: '' })
})

describe('the snippets of docs/limits.md', () => {
  it.each(blocks('js').map((code, index) => [index + 1, code] as const))(
    'snippet %i prints what is written beside it',
    async (_number, code) => {
      const promised = [...code.matchAll(/^console\.log\(.*\) \/\/ (.*)$/gm)].map(([, words]) => words)
      expect(promised.length).toBeGreaterThan(0)
      const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], { cwd: root })
      expect(stdout.trimEnd().split('\n')).toEqual(promised)
    },
  )
})
