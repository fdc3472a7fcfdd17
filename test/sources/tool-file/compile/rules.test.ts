import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { rules } from '../../../../src/sources/tool-file/compile/rules.js'

const here = fileURLToPath(new URL('..', import.meta.url))
const tests = readdirSync(here, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('rules.test.ts'))
  .map((name) => readFileSync(`${here}/${name}`, 'utf8'))
  .join('\n')

describe('the table of rules', () => {
  it.each(Object.entries(rules))('%s has words, and a test expects it', (code, { title, advice }) => {
    expect(code).toMatch(/^aml\/[a-z]+(?:-[a-z]+)*$/)
    expect(title).toMatch(/^\S.*[^.]$/)
    expect(advice).toMatch(/^\S.*\.$/)
    expect(tests.includes(`${code} `) || tests.includes(`'${code}'`), 'a test expects it').toBe(true)
  })
})
