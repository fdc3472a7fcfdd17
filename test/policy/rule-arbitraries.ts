import fc from 'fast-check'
import { ruleSources } from '../../src/contract/unions.js'
import type { JudgedCall } from '../../src/policy/judged-call.js'
import { parseRule } from '../../src/policy/rules/parse-rule.js'
import { permissionModes } from '../../src/policy/permission-mode.js'
import {
  ruleBehaviors,
  type Rule,
  type RuleBehavior,
  type RuleConditions,
} from '../../src/policy/rules/rule.js'
import { NO_FIELDS } from '../../src/policy/rules/rule-tool.js'
import type { Touched } from '../../src/policy/commands/touched.js'
import { argumentPhrases, commandPhrases, hostPhrases, pathPhrases, toolPhrases } from './naive-judge.js'
import {
  callOf,
  fetchTool,
  HOME,
  part,
  pathOf,
  readTool,
  READS,
  running,
  shellTool,
  toolOf,
  touching,
  UNSAID,
  WORK,
  WRITES,
  writeTool,
} from './rule-fixtures.js'

const oneOf = <Value>(...values: readonly Value[]): fc.Arbitrary<Value> => fc.constantFrom(...values)
const keysOf = (map: object): fc.Arbitrary<string> => oneOf(...Object.keys(map))
const sometimes = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
const mostly = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.oneof({ weight: 1, arbitrary: fc.constant(undefined) }, { weight: 3, arbitrary })

const lookTool = toolOf('notes.look', {
  fields: { ...NO_FIELDS, paths: [{ field: 'path', access: 'read' }], urls: ['url'] },
  profile: { risk_level: 'high' },
})
const githubTool = toolOf('mcp.github.create', {
  names: ['mcp.github.create', 'mcp__github__create'],
  ownNames: ['mcp.github.create', 'mcp__github__create'],
  ids: ['mcp.github.create', 'mcp__github__create'],
  hosts: ['api.example.com'],
})

const phrased = (prefix: string, phrases: object): fc.Arbitrary<string> =>
  keysOf(phrases).map((phrase) => `${prefix}:${phrase}`)
const anySpecifier = fc.oneof(
  phrased('path', pathPhrases),
  phrased('command', commandPhrases),
  phrased('domain', hostPhrases),
  phrased('arg', argumentPhrases),
)

/** Mostly values that can match the call: others would never be tested. */
function specifierFor({ tool, touched }: JudgedCall): fc.Arbitrary<string | undefined> {
  const fitting = [phrased('arg', argumentPhrases)]
  if (tool.fields.command)
    fitting.push(phrased('command', commandPhrases), phrased('command', commandPhrases))
  if (touched && touched.paths.length > 0) fitting.push(phrased('path', pathPhrases))
  if (tool.hosts || (touched && touched.hosts.length > 0)) fitting.push(phrased('domain', hostPhrases))
  return fc.oneof(
    { weight: 8, arbitrary: fc.oneof(...fitting) },
    { weight: 2, arbitrary: anySpecifier },
    { weight: 1, arbitrary: fc.constant(undefined) },
  )
}

const conditions: fc.Arbitrary<RuleConditions> = fc
  .record({
    actor: sometimes(oneOf(['ann'], ['agent:*'], ['ann', 'bob'])),
    role: sometimes(oneOf(['writer'])),
    session: sometimes(oneOf(['s1'])),
    mode: sometimes(oneOf(['default'], ['auto', 'bypass'])),
    risk: sometimes(oneOf(['low'] as const, ['high', 'critical'] as const)),
    destructive: sometimes(fc.boolean()),
    args: sometimes(
      oneOf(
        [{ field: 'a', comparison: '=', value: 1 } as const],
        [{ field: 'a', comparison: '>', value: 5 } as const],
      ),
    ),
  })
  .map((given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)))

/** A rule of any source, about this call half of the time; sometimes with conditions. */
export function ruleFor(asked: JudgedCall): fc.Arbitrary<Rule> {
  const fitting = oneOf(...toolPhrases[asked.tool.toolId]!)
  const any = oneOf(...new Set(Object.values(toolPhrases).flat()))
  return fc
    .record({
      tool: fc.oneof({ weight: 3, arbitrary: fitting }, { weight: 1, arbitrary: any }),
      isShouted: fc.boolean(),
      specifier: specifierFor(asked),
      behavior: oneOf<RuleBehavior>(...ruleBehaviors, 'allow', 'allow'),
      source: oneOf(...ruleSources),
      when: sometimes(conditions),
    })
    .map(({ tool, isShouted, specifier, behavior, source, when }) => {
      const name = isShouted && behavior !== 'allow' ? tool.toUpperCase() : tool
      const text = specifier === undefined ? name : `${name}(${specifier})`
      return parseRule(text, { behavior, source, base: WORK }, { when })
    })
}

const path = oneOf(
  `${WORK}/src`,
  `${WORK}/src/a.ts`,
  `${WORK}/src/deep/b.txt`,
  `${WORK}/deep/x/y`,
  `${WORK}/.env`,
  `${WORK}/a1.txt`,
  `${HOME}/notes/today.md`,
  '/etc/hosts',
  '/tmp/prod.env',
)

const touchedPath = (access: 'read' | 'write') =>
  fc
    .record({ written: path, real: sometimes(path) })
    .map(({ written, real }) => pathOf(access, written, { real: real ?? written }))

const command = fc
  .record({
    text: oneOf(
      'git status',
      'git push origin main',
      'git push',
      'npm run test:unit',
      'rm -r x',
      'ls',
      'git push rm -r x',
    ),
    unknown: fc.boolean(),
    isReadOnly: fc.boolean(),
    isTransparent: fc.boolean(),
    wrappedBy: sometimes(fc.nat({ max: 2 })),
  })
  .map(({ text, unknown, ...more }) => {
    const said = unknown && text.length % 2 === 0 ? `${text} $X` : text
    return part(said, { ...more, isLiteral: said === text })
  })

const line: fc.Arbitrary<Touched> = fc
  .record({
    commands: fc.array(command, { maxLength: 3 }),
    paths: fc.array(fc.oneof(touchedPath('read'), touchedPath('write')), { maxLength: 2 }),
    hosts: fc.array(oneOf('example.com', 'api.example.com', 'other.org'), { maxLength: 1 }),
    redirects: fc.boolean(),
    isComplete: fc.boolean(),
    isParsed: fc.integer({ min: 0, max: 5 }).map((dice) => dice > 0),
    hidesCode: fc.integer({ min: 0, max: 5 }).map((dice) => dice === 0),
  })
  .map(({ commands, paths, hosts, redirects, isComplete, isParsed, hidesCode }) =>
    running({
      commands: commands.map((each, index) => ({
        ...each,
        // Only by an earlier one.
        wrappedBy: each.wrappedBy !== undefined && each.wrappedBy < index ? each.wrappedBy : undefined,
      })),
      paths,
      hosts,
      reading: {
        isComplete,
        isParsed,
        hidesCode,
        redirects: redirects ? paths.flatMap((each) => (each.access === 'write' ? [each.path] : [])) : [],
      },
    }),
  )

const some = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value[]> =>
  fc.array(arbitrary, { minLength: 1, maxLength: 3 })
const host = oneOf('example.com', 'api.example.com', 'other.org')

const subject: fc.Arbitrary<Pick<JudgedCall, 'tool' | 'touched'>> = fc.oneof(
  line.map((touched) => ({ tool: shellTool, touched })),
  some(touchedPath('read')).map((paths) => ({ tool: readTool, touched: touching({ paths }) })),
  some(touchedPath('write')).map((paths) => ({ tool: writeTool, touched: touching({ paths }) })),
  some(host).map((hosts) => ({ tool: fetchTool, touched: touching({ hosts }) })),
  fc
    .record({
      paths: fc.array(touchedPath('read'), { maxLength: 2 }),
      hosts: fc.array(host, { maxLength: 2 }),
    })
    .map(({ paths, hosts }) => ({ tool: lookTool, touched: touching({ paths, hosts }) })),
  fc.constant({ tool: githubTool, touched: undefined }),
)

const input = fc.record(
  { a: oneOf<unknown>(0, 1, 7, 10, '7', null), to: oneOf('bob', 'eve', 'ann@example.org') },
  { requiredKeys: ['to'] },
)

const DESTRUCTIVE = { ...WRITES, is_destructive: true }
const PERSONAL = { ...READS, requires_user_interaction: true }

export const call: fc.Arbitrary<JudgedCall> = fc
  .record({
    subject,
    input,
    facts: oneOf(WRITES, WRITES, READS, UNSAID, DESTRUCTIVE, PERSONAL),
    mode: oneOf(...permissionModes, 'default', 'default'),
    actor: mostly(oneOf('ann', 'agent:7')),
    role: mostly(oneOf('writer', 'reader')),
    session: mostly(oneOf('s1', 's2')),
  })
  .map(({ subject: { tool, touched }, ...more }) => callOf(tool, { touched, ...more }))

export interface Scene {
  readonly call: JudgedCall
  readonly rules: readonly Rule[]
}

/** A call, and rules of which many match it. */
export const scene: fc.Arbitrary<Scene> = call.chain((asked) =>
  fc.record({ call: fc.constant(asked), rules: fc.array(ruleFor(asked), { maxLength: 8 }) }),
)

/** The same, and one rule more. */
export const sceneAndRule: fc.Arbitrary<Scene & { readonly more: Rule }> = scene.chain((given) =>
  ruleFor(given.call).map((more) => ({ ...given, more })),
)
