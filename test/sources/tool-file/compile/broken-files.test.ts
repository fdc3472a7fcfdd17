import { describe, expect, it } from 'vitest'
import { rules, type RuleCode } from '../../../../src/sources/tool-file/compile/rules.js'
import type { FileProblem } from '../../../../src/sources/tool-file/compiled.js'
import { brokenFiles } from './broken/broken-files.js'
import { compileFiles, type Files } from './compile-files.js'
import { schemaOpinion } from './schema-opinion.js'

const placeOf = ({ code, file, line, column }: FileProblem): string =>
  `${code} ${line}:${column}${file.endsWith('.sql') ? ' (sql)' : ''}`

/** Errors that need another file or the comparison of two fields; a schema cannot express them. */
const BEYOND_SCHEMAS: readonly RuleCode[] = [
  'aml/duplicate-ref',
  'aml/empty-sql',
  'aml/file-name',
  'aml/missing-avro-schema',
  'aml/missing-sql',
  'aml/path-parameter',
  'aml/schema-pattern',
  'aml/sql-parameter',
  'aml/sql-placeholder',
  'aml/sql-statements',
  'aml/sql-syntax',
  'aml/unresolved-ref',
]

const textOf = (files: Files, file: string): string => {
  const text = files[file]!
  return typeof text === 'string' ? text : Buffer.from(text).toString('utf8')
}

describe('[AML-FILE-02] [AML-FILE-13] [AML-FILE-14] files with a mistake', () => {
  it('are many, each with a title of its own', () => {
    expect(brokenFiles.length).toBeGreaterThan(200)
    expect(new Set(brokenFiles.map(({ title }) => title)).size).toBe(brokenFiles.length)
  })

  it.each(brokenFiles)('$title', async ({ files, expected }) => {
    const compiled = await compileFiles(files)
    expect(compiled.problems.map(placeOf)).toEqual(expected)
    const broken = new Set(compiled.problems.filter(({ level }) => level === 'error').map(({ file }) => file))
    for (const { file } of [...compiled.tools, ...compiled.agents]) expect(broken).not.toContain(file)
    for (const problem of compiled.problems) {
      expect(problem.level).toBe(rules[problem.code as RuleCode].level)
      expect(problem.message).toMatch(/^\S.*[.?]$/)
      expect([problem.endLine, problem.endColumn]).not.toEqual([0, 0])
      expect(problem.endLine).toBeGreaterThanOrEqual(problem.line)
    }
  })

  it.each(brokenFiles)('the schema for editors agrees on: $title', async ({ files }) => {
    const { problems } = await compileFiles(files)
    for (const file of Object.keys(files).filter((each) => each.endsWith('.md'))) {
      const opinion = schemaOpinion(file, textOf(files, file))
      if (!opinion) continue
      const errors = problems.filter(
        (problem) =>
          problem.file === file &&
          problem.level === 'error' &&
          !BEYOND_SCHEMAS.includes(problem.code as RuleCode),
      )
      // What is wrong with the text or its YAML is not visible in the value.
      if (errors.some(({ code }) => isOfText(code))) continue
      expect(opinion.ok, opinion.errors.join('\n')).toBe(errors.length === 0)
    }
  })

  it.each(brokenFiles)('a fix mends: $title', async ({ files }) => {
    const { problems } = await compileFiles(files)
    for (const problem of problems.filter(({ fix }) => fix)) {
      const { start, end, text } = problem.fix!
      const before = textOf(files, problem.file)
      const after = await compileFiles({
        ...files,
        [problem.file]: before.slice(0, start) + text + before.slice(end),
      })
      expect(after.problems.map(placeOf)).not.toContain(placeOf(problem))
      expect(after.problems.length).toBeLessThan(problems.length)
    }
  })
})

const isOfText = (code: string): boolean =>
  /^aml\/(?:yaml-|merge-key|duplicate-key|encoding|file-too-large|front-matter-too-large|control-character)/.test(
    code,
  )
