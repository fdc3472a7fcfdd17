import fc from 'fast-check'
import * as yaml from 'yaml'
import { describe, expect, it } from 'vitest'
import { compileAgent } from '../../../../src/sources/tool-file/compile/compile-agent.js'
import { compileTool } from '../../../../src/sources/tool-file/compile/compile-tool.js'
import { rules } from '../../../../src/sources/tool-file/compile/rules.js'
import type { FileProblem } from '../../../../src/sources/tool-file/compiled.js'
import { schemaOpinion } from './schema-opinion.js'
import { validFiles } from './valid-files.js'

const files = validFiles()
const names = Object.keys(files).filter((name) => name.endsWith('.md'))

interface Result {
  readonly problems: readonly FileProblem[]
  readonly isCompiled: boolean
}

function compile(file: string, bytes: Uint8Array): Result {
  if (file.endsWith('.agent.md')) {
    const { problems, agent } = compileAgent({ file, bytes }, yaml)
    return { problems, isCompiled: agent !== undefined }
  }
  const stem = file.slice(0, -'.tool.md'.length)
  const beside = (ending: string) => {
    const text = files[`${stem}${ending}`]
    return text === undefined ? undefined : { file: `${stem}${ending}`, bytes: Buffer.from(text) }
  }
  const { problems, tool } = compileTool({ file, bytes, sql: beside('.sql'), avro: beside('.avsc') }, yaml)
  return { problems, isCompiled: tool !== undefined }
}

/** Whatever the file is: no crash, known problems in real places, and nothing passes that the schema refuses. */
function check(file: string, bytes: Uint8Array): Result {
  const result = compile(file, bytes)
  const text = Buffer.from(bytes).toString('utf8')
  const count = text.split('\n').length
  for (const problem of result.problems) {
    expect(Object.keys(rules)).toContain(problem.code)
    expect(problem.line).toBeGreaterThan(0)
    expect(problem.column).toBeGreaterThan(0)
    expect(problem.endLine).toBeGreaterThanOrEqual(problem.line)
    if (problem.file === file) expect(problem.endLine).toBeLessThanOrEqual(count)
    if (problem.fix) expect(problem.fix.end).toBeLessThanOrEqual(text.length)
  }
  const hasErrors = result.problems.some(({ level }) => level === 'error')
  expect(result.isCompiled).toBe(!hasErrors)
  const opinion = schemaOpinion(file, text)
  if (opinion?.ok === false && !hasErrors)
    expect.fail(`The schema refuses what compiled:\n${opinion.errors.join('\n')}\n${text}`)
  if (!opinion && !hasErrors) expect.fail(`No YAML, and it compiled:\n${text}`)
  return result
}

const anyFile = fc.constantFrom(...names)
const runs = { numRuns: 400, seed: 1202 }

describe('valid files that are changed at random', () => {
  it('lines that are deleted, doubled, moved or replaced', () => {
    const line = fc.oneof(
      fc.constantFrom(
        '  ',
        '---',
        '...',
        'a: b',
        '  - x',
        '"',
        '}',
        '  type: string',
        '\ttab',
        '? x',
        '<<: {}',
        '&a',
        '*a',
        '!t x',
        '# c',
      ),
      fc.string({ maxLength: 20 }),
    )
    const edit = fc.record({
      kind: fc.constantFrom('delete', 'double', 'replace', 'move'),
      at: fc.nat(),
      to: fc.nat(),
      line,
    })
    fc.assert(
      fc.property(anyFile, fc.array(edit, { minLength: 1, maxLength: 4 }), (file, edits) => {
        const lines = files[file]!.split('\n')
        for (const { kind, at, to, line: other } of edits) {
          const index = at % lines.length
          if (kind === 'delete') lines.splice(index, 1)
          else if (kind === 'double') lines.splice(index, 0, lines[index]!)
          else if (kind === 'replace') lines[index] = other
          else lines.splice(to % lines.length, 0, ...lines.splice(index, 1))
        }
        check(file, Buffer.from(lines.join('\n')))
      }),
      runs,
    )
  })

  it('values that are removed, renamed or replaced by other values', () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(
        'none',
        'iam-role',
        'env',
        'function',
        'action',
        'object',
        'rest-api',
        'database',
        'mcp',
        'https://a.b',
        'GET /a',
        true,
        0,
        1,
        -1,
        [],
        {},
        null,
      ),
    )
    const edit = fc.record({
      at: fc.nat(),
      kind: fc.constantFrom('remove', 'rename', 'set', 'add'),
      name: fc.string({ maxLength: 12 }),
      value,
    })
    fc.assert(
      fc.property(anyFile, fc.array(edit, { minLength: 1, maxLength: 3 }), (file, edits) => {
        const text = files[file]!
        const end = text.indexOf('\n---', 4)
        const document = yaml.parseDocument(text.slice(4, end))
        for (const { at, kind, name, value: other } of edits) {
          const pairs: [yaml.YAMLMap, yaml.Pair][] = []
          yaml.visit(document, {
            Map: (_, map) => void map.items.forEach((pair) => pairs.push([map, pair])),
          })
          if (pairs.length === 0) continue
          const [map, pair] = pairs[at % pairs.length]!
          if (kind === 'remove') map.items.splice(map.items.indexOf(pair), 1)
          else if (kind === 'rename') pair.key = document.createNode(name)
          else if (kind === 'set') pair.value = document.createNode(other)
          else map.items.push(document.createPair(name, other))
        }
        check(file, Buffer.from(`---\n${document.toString()}---\nbody\n`))
      }),
      runs,
    )
  })

  it('characters and bytes that are replaced', () => {
    const byte = fc.record({ at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }), isInserted: fc.boolean() })
    fc.assert(
      fc.property(anyFile, fc.array(byte, { minLength: 1, maxLength: 5 }), (file, edits) => {
        const bytes = [...Buffer.from(files[file]!)]
        for (const { at, byte: other, isInserted } of edits)
          bytes.splice(at % bytes.length, isInserted ? 0 : 1, other)
        check(file, Buffer.from(bytes))
      }),
      runs,
    )
  })

  it('random bytes, and random text as front matter', () => {
    fc.assert(
      fc.property(anyFile, fc.uint8Array({ maxLength: 200 }), (file, bytes) => void check(file, bytes)),
      runs,
    )
    fc.assert(
      fc.property(
        anyFile,
        fc.string({ unit: 'binary', maxLength: 100 }),
        (file, text) => void check(file, Buffer.from(`---\n${text}\n---\n`)),
      ),
      runs,
    )
  })

  it('fixes never make a file worse', () => {
    fc.assert(
      fc.property(anyFile, fc.nat(), fc.constantFrom('x', 'X', ' ', '-', ''), (file, at, character) => {
        const text = files[file]!
        const index = at % text.length
        const changed = text.slice(0, index) + character + text.slice(index + 1)
        const before = check(file, Buffer.from(changed))
        for (const { fix } of before.problems) {
          if (!fix) continue
          const mended = changed.slice(0, fix.start) + fix.text + changed.slice(fix.end)
          const after = check(file, Buffer.from(mended))
          expect(after.problems.length, mended).toBeLessThanOrEqual(before.problems.length)
        }
      }),
      runs,
    )
  })
})
