import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { persistenceStrategies } from '../../src/contract/unions.js'
import { bin, createPlace, fixtures, root } from '../edges/cli/run-cli.js'

const page = readFileSync(`${root}docs/results.md`, 'utf8')
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, code]) => code!)
const run = promisify(execFile)

it('the config of docs/results.md is valid, and a call uses it', async () => {
  const [config] = blocks('yaml')
  const { folder, env } = createPlace(`tools: ['${fixtures}']\n${config}`)
  const at = { cwd: folder, env: { ...process.env, ...env } }
  const { stdout } = await run(
    process.execPath,
    [bin, 'call', 'test.echo', `text=${'many words '.repeat(3000)}`, '--json'],
    at,
  )
  const result = JSON.parse(stdout) as {
    content: { text: string }[]
    created_at: string
    persisted_payload_ref: { expires_at: string }
  }
  expect(result.content[0]!.text.length).toBeLessThanOrEqual(1500)
  const days = Date.parse(result.persisted_payload_ref.expires_at) - Date.parse(result.created_at)
  expect(Math.round(days / 86_400_000)).toBe(14)
  const kept = await run(process.execPath, [bin, 'read', 'last', '--all'], { ...at, maxBuffer: 1e7 })
  expect(JSON.parse(kept.stdout)).toEqual({ text: 'many words '.repeat(3000) })
})

it('the commands of docs/results.md do what they say', async () => {
  const { folder, env, run: runIn } = createPlace(`tools: ['${fixtures}']`)
  await runIn(['call', 'test.echo', 'text=a timeout'])
  for (const line of blocks('console')[0]!.trim().split('\n')) {
    const args = line
      .replace(/ > .*$/, '')
      .split(' ')
      .slice(1)
    const given = args.map((word) => (word === '8000' ? '1' : word))
    const { stdout } = await run(process.execPath, [bin, ...given], {
      cwd: folder,
      env: { ...process.env, ...env },
    })
    expect(stdout, line).toContain('a timeout')
  }
})

it('the page names every strategy', () => {
  const named = [...page.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)
  expect(named.toSorted()).toEqual([...persistenceStrategies].toSorted())
})

describe('the snippets of docs/results.md', () => {
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
