import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { searchNextActions } from '../../src/crib/discovery/next-action.js'
import { bin, createPlace, root } from '../edges/cli/run-cli.js'

const page = readFileSync(`${root}docs/deferred-loading.md`, 'utf8')
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, code]) => code!)
const run = promisify(execFile)

it('the config of docs/deferred-loading.md is valid', async () => {
  const { folder, env } = createPlace(blocks('yaml')[0])
  const { stderr } = await run(process.execPath, [bin, 'tools'], {
    cwd: folder,
    env: { ...process.env, ...env },
  })
  expect(stderr).toContain('names no tools')
})

it('the page names every next action', () => {
  const [, section] = page.split('## Finding tools')
  const named = [...section!.split('\n## ')[0]!.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)
  expect(named.filter((name) => name !== 'next_action')).toEqual([...searchNextActions])
})

describe('the snippets of docs/deferred-loading.md', () => {
  it.each(blocks('js').map((code, index) => [index + 1, code] as const))(
    'snippet %i prints what is written beside it',
    async (_number, code) => {
      const promised = [...code.matchAll(/(?:^console\.log\(.*|^\)) \/\/ (.*)$/gm)].map(([, words]) => words)
      expect(promised.length).toBeGreaterThan(0)
      const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], { cwd: root })
      expect(stdout.trimEnd().split('\n')).toEqual(promised)
    },
  )
})
