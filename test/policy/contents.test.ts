import { describe, expect, it } from 'vitest'
import { reachByName } from '../../src/policy/arguments/argument-reach.js'
import { readSchemaNames } from '../../src/policy/arguments/schema-names.js'
import { gatherTouched } from '../../src/policy/commands/gather-touched.js'
import { knownTool } from '../../src/policy/rules/known-tools.js'
import type { Policy } from '../../src/policy/policy.js'
import type { RuleTool } from '../../src/policy/rules/rule-tool.js'
import type { Touched } from '../../src/policy/commands/touched.js'
import type { Judgement } from '../../src/policy/judgement.js'
import { callOf, HOME, policyWith, rulesOf, toolOf, UNSAID, WORK } from './rule-fixtures.js'

const KEY = `${HOME}/.local/share/toolcrib/seal.key`
const SETTINGS = `${HOME}/.config/toolcrib`
const protectedPaths = { own: [SETTINGS, `${WORK}/crib.db`], secret: [KEY], home: HOME }
const there = new Set([
  KEY,
  SETTINGS,
  `${WORK}/.env`,
  `${WORK}/.npmrc`,
  `${WORK}/.toolcrib`,
  `${WORK}/crib.db`,
])

/** A tool of a server on this machine with every allow, and a deny for the file `.env`. */
function judged(name: string, properties: readonly string[], input: Record<string, unknown>): Judgement {
  const schema = { properties: Object.fromEntries(properties.map((each) => [each, { type: 'string' }])) }
  const names = readSchemaNames(schema)
  const reach = { runs: 'here', folders: [], onlyReads: false, names, hasPaths: names.hasPaths } as const
  const tool = toolOf('tool', { arguments: { ...reach, ...reachByName([name]) } })
  const policy = policyWith(rulesOf({ allow: ['tool'], deny: ['Read(.env)'] }), { protectedPaths })
  return policy.judge(callOf(tool, { input, facts: UNSAID, touched: touchedBy(tool, input, policy) }))
}

function touchedBy(tool: RuleTool, input: unknown, policy: Policy): Touched | undefined {
  return gatherTouched(tool, input, {
    workspace: WORK,
    home: HOME,
    followLinks: (path) => (path === `${WORK}/link` ? KEY : path),
    exists: (path) => there.has(path),
    isOwn: policy.isOwn,
    isOwnName: policy.isOwnName,
    hasPathRules: policy.hasPathRules(tool),
  })
}

/** A call of another agent with a tool that is known only by name. */
function judgedByName(name: string, input: Record<string, unknown>): string {
  const policy = policyWith(rulesOf({ allow: [name], deny: ['Read(.env)'] }), { protectedPaths })
  const { tool } = knownTool(name, input)
  return policy.judge(callOf(tool, { input, facts: UNSAID, touched: touchedBy(tool, input, policy) }))
    .behavior
}

describe('the content of a file', () => {
  it.each<[string, string, unknown]>([
    ['write_file', 'content', 'node_modules\ntoolcrib.local.yaml\n'],
    ['write_file', 'content', '.toolcrib/\n'],
    ['write_file', 'content', '{"files":["toolcrib.yaml"]}'],
    ['write_file', 'content', 'toolcrib.yaml'],
    ['write_file', 'content', '.env\n'],
    ['write_file', 'content', '.git\n.vscode/\n.npmrc\n'],
    ['write_file', 'file_text', '.env\n.env.local\n'],
    ['write_file', 'contents', 'PATHS=a,.env,b'],
    ['write_code', 'code', 'open(".env")\nopen("toolcrib.yaml")'],
    ['edit_file', 'new_string', 'dist/\n.toolcrib/\n'],
    ['edit_file', 'edits', [{ oldText: 'dist\n', newText: 'dist\n.env\n' }]],
    ['push_files', 'files', [{ path: 'docs/a', content: '.env\ntoolcrib.yaml\n' }]],
  ])('is text, whatever names it mentions: %s %s %j', (tool, name, value) => {
    expect(judged(tool, ['path', name], { path: 'docs/a', [name]: value }).behavior).toBe('allow')
  })

  it.each<[string, string, unknown]>([
    ['write_file', 'content', '.env'],
    ['write_file', 'content', `${WORK}/.env`],
    ['write_file', 'data', '@.env'],
    ['write_file', 'content', '.npmrc'],
  ])('needs approval if all of it is a path: %s %s %j', (tool, name, value) => {
    expect(judged(tool, ['path', name], { path: 'docs/a', [name]: value }).behavior).toBe('ask')
  })

  it.each<[string, readonly string[], Record<string, unknown>]>([
    // The whole text is a protected path, directly or through a link.
    ['write_file', ['path', 'content'], { path: 'docs/a', content: KEY }],
    ['write_file', ['path', 'content'], { path: 'docs/a', content: `${KEY}\n` }],
    ['write_file', ['path', 'content'], { path: 'docs/a', content: `file://${KEY}` }],
    ['write_file', ['path', 'content'], { path: 'docs/a', content: '~/.config/toolcrib/rules.yaml' }],
    ['write_file', ['path', 'content'], { path: 'docs/a', content: 'link' }],
    ['write_file', ['path', 'content'], { path: 'docs/a', content: 'crib.db' }],
    // The tool has no other argument for a path.
    ['take', ['data'], { data: '.env' }],
    ['take', ['data'], { data: 'x\n.env' }],
    ['take', ['data'], { data: '{"files":["toolcrib.yaml"]}' }],
    ['take', ['q'], { q: 'a, toolcrib.yaml' }],
    ['take', ['data'], { data: '.env', path: 'docs/a' }],
    // Names that do not mean contents, also below such names.
    ['write_file', ['path', 'q'], { path: 'docs/a', q: 'a\n.env' }],
    ['write_file', ['path', 'data'], { path: 'docs/a', data: { path: '.env' } }],
    ['write_file', ['path', 'data'], { path: 'docs/a', data: { q: '.env' } }],
    ['write_file', ['path', 'contents'], { path: 'docs/a', contents: { 'toolcrib.yaml': 'x' } }],
    // Arguments that are run.
    ['run_code', ['cwd', 'code'], { cwd: 'docs', code: 'cat .env' }],
    ['python', ['cwd', 'code'], { cwd: 'docs', code: 'open(".env")' }],
    ['write_file', ['path', 'content'], { path: 'toolcrib.yaml', content: 'x' }],
  ])('does not bypass a deny: %s %j %j', (tool, names, input) => {
    expect(judged(tool, names, input).behavior).toBe('deny')
  })

  it.each<[string, Record<string, unknown>, string]>([
    ['mcp__files__write_file', { path: 'docs/a', content: '.env\ntoolcrib.yaml\n' }, 'allow'],
    ['mcp__files__write_file', { path: 'docs/a', content: KEY }, 'deny'],
    ['mcp__x__take', { data: 'a\n.env' }, 'deny'],
    // A path that the caller adds does not turn the other argument into content.
    ['mcp__x__take', { data: 'a\n.env', path: 'docs/a' }, 'deny'],
    ['mcp__x__run_file', { path: 'docs/a', code: 'cat .env' }, 'deny'],
  ])('is recognized by the name of an otherwise unknown tool: %s %j', (name, input, expected) => {
    expect(judgedByName(name, input)).toBe(expected)
  })

  it('that is a settings path is reported as a change if the tool may write', () => {
    for (const path of [KEY, `${SETTINGS}/rules.yaml`])
      expect(judged('write_file', ['path'], { path }).reason.message).toMatch(/^No tool may change/)
  })
})
