import { resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reachByName, type RunLocation } from '../../src/policy/arguments/argument-reach.js'
import { readSchemaNames } from '../../src/policy/arguments/schema-names.js'
import { gatherTouched } from '../../src/policy/commands/gather-touched.js'
import { permissionModes } from '../../src/policy/permission-mode.js'
import type { RuleTool } from '../../src/policy/rules/rule-tool.js'
import { callOf, HOME, policyWith, READS, rulesOf, toolOf, UNSAID, WORK, writeTool } from './rule-fixtures.js'

const KEY = `${HOME}/.local/share/toolcrib/seal.key`
const protectedPaths = { own: [`${HOME}/.config/toolcrib`, `${WORK}/crib.db`], secret: [KEY], home: HOME }
const there = new Set([
  KEY,
  `${WORK}/.env`,
  `${WORK}/src`,
  `${WORK}/src/a.ts`,
  `${WORK}/link`,
  '/',
  HOME,
  WORK,
])

const STRICTNESS: Record<string, number> = { allow: 0, passthrough: 1, ask: 2, deny: 3 }

const texts = fc.constantFrom(
  KEY,
  '.env',
  './src/a.ts',
  'src/new.ts',
  'hello',
  '/',
  '~',
  '~/.ssh/id',
  '/etc/passwd',
  `file://${KEY}`,
  'link',
  'crib.db',
  'toolcrib.yaml',
  'a, .env',
  `x\n${KEY}`,
  '%2eenv',
  'https://example.com/.env',
  '',
  '..',
)
const names = fc.constantFrom(
  'path',
  'paths',
  'q',
  'text',
  'destination',
  'outputFile',
  'uri',
  'source',
  'content',
  'recursive',
  '.env',
)
const values = fc.oneof(
  texts,
  fc.array(texts, { maxLength: 3 }),
  fc.dictionary(names, texts, { maxKeys: 2 }),
  fc.boolean(),
)
const rules = fc.record({
  allow: fc.subarray(['*', 'tool', 'tool(./src/**)', 'files.write(./**)']),
  ask: fc.subarray(['Edit(./src/**)', 'Read(~/**)']),
  deny: fc.subarray(['Read(.env)', 'Edit(//etc/**)', 'Read(./src/new.ts)']),
})
const tools = fc.record({
  runs: fc.constantFrom<RunLocation>('here', 'in_process', 'elsewhere'),
  onlyReads: fc.boolean(),
  name: fc.constantFrom('take', 'search', 'move'),
  declares: fc.boolean(),
})

function toolFor({
  runs,
  onlyReads,
  name,
  declares,
}: {
  runs: RunLocation
  onlyReads: boolean
  name: string
  declares: boolean
}): RuleTool {
  const reach = {
    runs,
    folders: [],
    onlyReads,
    names: readSchemaNames(),
    hasPaths: declares,
    ...reachByName([name]),
  }
  return declares ? { ...writeTool, arguments: reach } : toolOf('tool', { arguments: reach })
}

describe('one more argument', () => {
  it('never loosens what is decided', () => {
    fc.assert(
      fc.property(
        tools,
        rules,
        fc.constantFrom(...permissionModes),
        fc.boolean(),
        fc.dictionary(names, values, { maxKeys: 3 }),
        fc.dictionary(names, values, { minKeys: 1, maxKeys: 3 }),
        (kind, lists, mode, isBounded, before, more) => {
          const tool = toolFor(kind)
          const policy = policyWith(rulesOf(lists), {
            protectedPaths,
            workingDirectories: isBounded ? [WORK] : [],
          })
          const judged = (input: Record<string, unknown>): number => {
            const touched = gatherTouched(tool, input, {
              workspace: WORK,
              home: HOME,
              followLinks: (path) => (path === `${WORK}/link` ? KEY : path),
              exists: (path) => there.has(resolve(path)),
              isOwn: policy.isOwn,
              isOwnName: policy.isOwnName,
              hasPathRules: policy.hasPathRules(tool),
            })
            const facts = kind.onlyReads ? READS : UNSAID
            return STRICTNESS[policy.judge(callOf(tool, { input, facts, touched, mode })).behavior]!
          }
          // An allow about paths needs a path: without one it does not hold, so there is always one.
          const first = { path: './src/a.ts' }
          expect(judged({ ...more, ...before, ...first })).toBeGreaterThanOrEqual(
            judged({ ...before, ...first }),
          )
        },
      ),
      { numRuns: 800 },
    )
  })

  it('that names the seal key is denied in any position, although a rule allows it', () => {
    fc.assert(
      fc.property(
        tools,
        rules,
        fc.constantFrom(...permissionModes),
        values,
        names,
        (kind, lists, mode, other, name) => {
          fc.pre(kind.runs !== 'elsewhere' && name !== 'recursive')
          const tool = toolFor(kind)
          fc.pre(!(kind.declares && name === 'path'))
          const policy = policyWith(rulesOf({ ...lists, allow: ['*', 'tool', 'files.write'] }), {
            protectedPaths,
          })
          const input = { other, [name]: [{ deep: KEY }] }
          const touched = gatherTouched(tool, input, {
            workspace: WORK,
            home: HOME,
            followLinks: (path) => path,
            exists: (path) => there.has(path),
            isOwn: policy.isOwn,
            isOwnName: policy.isOwnName,
            hasPathRules: policy.hasPathRules(tool),
          })
          expect(policy.judge(callOf(tool, { input, touched, mode })).behavior).toBe('deny')
        },
      ),
    )
  })
})
