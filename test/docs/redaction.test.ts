import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { piiClasses } from '../../src/platform/config/pii-classes.js'
import { redactionModes } from '../../src/platform/config/redaction-modes.js'
import { root } from '../edges/cli/run-cli.js'

const page = readFileSync(`${root}docs/redaction.md`, 'utf8')
const snippets = [...page.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, code]) => code!)
const run = promisify(execFile)

describe('the snippets of docs/redaction.md', () => {
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

it('docs/redaction.md names every mode and every class of personal data', () => {
  for (const mode of redactionModes) expect(page).toMatch(new RegExp(`^\\| \`${mode}\``, 'm'))
  expect(page).toContain(`pii: [${piiClasses.map((each) => `'${each}'`).join(', ')}]`)
})
