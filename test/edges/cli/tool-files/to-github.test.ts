import { expect, it } from 'vitest'
import { toGithub } from '../../../../src/edges/cli/tool-files/to-github.js'

const problem = {
  folder: '/work',
  code: 'aml/yaml-syntax',
  level: 'warning',
  message: '50% of it:\nis wrong, see ::error::',
  file: 'tools/a,b:c.tool.md',
  line: 3,
  column: 5,
  endLine: 3,
  endColumn: 5,
} as const

it('escapes what would end a property, the properties or the line', () => {
  expect(toGithub(problem, '/work')).toBe(
    '::warning file=tools/a%2Cb%3Ac.tool.md,line=3,endLine=3,col=5,endColumn=5,title=aml/yaml-syntax::50%25 of it:%0Ais wrong, see ::error::',
  )
})

it('names no columns for a problem of several lines', () => {
  expect(toGithub({ ...problem, endLine: 4, message: 'Wrong.' }, '/')).toBe(
    '::warning file=work/tools/a%2Cb%3Ac.tool.md,line=3,endLine=4,title=aml/yaml-syntax::Wrong.',
  )
})
