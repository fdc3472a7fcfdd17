import { expect, test } from 'vitest'
import { describeProblem } from '../../../src/platform/config/describe-problem.js'

const message = 'unknown key "stroe"; did you mean "store"?'

test('file, line and message; the file as seen from the current folder', () => {
  const problem = { file: '/srv/app/toolcrib.yaml', line: 7, column: 1, message }
  expect(describeProblem(problem, '/srv/app')).toBe(`toolcrib.yaml:7: ${message}`)
  expect(describeProblem(problem, '/srv')).toBe(`app/toolcrib.yaml:7: ${message}`)
})

test('shows the absolute path where the relative one is no shorter', () => {
  const problem = { file: '/a/toolcrib.yaml', line: 7, message }
  expect(describeProblem(problem, '/home/ada/work/deep')).toBe(`/a/toolcrib.yaml:7: ${message}`)
})

test('shows no line where none is known', () => {
  expect(describeProblem({ file: '/a/toolcrib.config.ts', message }, '/a')).toBe(
    `toolcrib.config.ts: ${message}`,
  )
})

test('breaks between words at 80 columns, and indents the rest', () => {
  const long = `unknown key "x"; known keys are ${Array.from({ length: 20 }, (_, index) => `key${index}`).join(', ')}`
  const lines = describeProblem({ file: '/a/toolcrib.yaml', line: 3, message: long }, '/a').split('\n')
  expect(lines.length).toBe(3)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
  expect(lines[0]).toMatch(/^toolcrib\.yaml:3: unknown key/)
  expect(lines[1]).toMatch(/^ {2}key/)
})
