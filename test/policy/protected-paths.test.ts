import { describe, expect, it } from 'vitest'
import { findOwnCommand } from '../../src/policy/commands/own-commands.js'
import { findProtected, isWithin } from '../../src/policy/protected-paths.js'
import type { TouchedPath } from '../../src/policy/commands/touched.js'
import {
  behaviorOf,
  callOf,
  HOME,
  judged,
  part,
  pathOf,
  running,
  shellTool,
  WORK,
  writeTool,
  writing,
} from './rule-fixtures.js'

const protectedPaths = { own: ['/data/crib.db', '/home/ann/.config/toolcrib'], secret: ['/data/seal.key'] }
const judgeTouched = (path: TouchedPath): string => {
  const hit = findProtected([path], protectedPaths)
  return hit ? (hit.isOwn ? 'own' : 'asked') : 'free'
}
const written = (path: string, more: Partial<TouchedPath> = {}): string =>
  judgeTouched(pathOf('write', path, more))
const read = (path: string, more: Partial<TouchedPath> = {}): string =>
  judgeTouched(pathOf('read', path, more))

describe('protected paths', () => {
  it.each([
    `${WORK}/.git/hooks/pre-commit`,
    `${WORK}/sub/.git/config`,
    `${WORK}/.GIT/config`,
    `${HOME}/.bashrc`,
    `${HOME}/.zshenv`,
    `${HOME}/.profile`,
    `${HOME}/.gitconfig`,
    `${HOME}/.config/fish/config.fish`,
    `${HOME}/.config/systemd/user/x.service`,
    `${WORK}/.husky/pre-commit`,
    `${WORK}/.vscode/tasks.json`,
    `${WORK}/.claude/settings.json`,
    `${WORK}/.mcp.json`,
    `${WORK}/.envrc`,
  ])('need approval to be written: %s', (path) => {
    expect(written(path)).toBe('asked')
    expect(read(path)).toBe('free')
  })

  it.each([
    `${HOME}/.ssh/id_ed25519`,
    `${HOME}/.aws/credentials`,
    `${HOME}/.gnupg`,
    `${HOME}/.netrc`,
    `${HOME}/.config/gh/hosts.yml`,
  ])('with keys need approval to be read: %s', (path) => {
    expect([read(path), written(path)]).toEqual(['asked', 'asked'])
  })

  it.each([
    `${WORK}/toolcrib.yaml`,
    `${WORK}/toolcrib.local.yaml`,
    '/any/where/toolcrib.config.ts',
    `${WORK}/Toolcrib.YAML`,
    `${WORK}/.toolcrib/crib.db`,
    `${WORK}/.TOOLCRIB/x`,
    `${HOME}/.ssh/.toolcrib/x`,
  ])('of Toolcrib may not be written: %s', (path) => {
    expect([written(path), read(path)].slice(0, 1)).toEqual(['own'])
    expect(read(path)).not.toBe('own')
  })

  it.each([
    '/data/crib.db',
    '/home/ann/.config/toolcrib/trust.json',
    '/home/ann/.config/toolcrib/toolcrib.yaml',
  ])('of Toolcrib may be neither read nor written: %s', (path) => {
    expect([written(path), read(path)]).toEqual(['own', 'own'])
  })

  it('the settings of a project may be read but not written', () => {
    const project = { own: [`${WORK}/toolcrib.yaml`] }
    const outcomes = (['read', 'write'] as const).map(
      (access) => findProtected([pathOf(access, `${WORK}/toolcrib.yaml`)], project)?.isOwn ?? false,
    )
    expect(outcomes).toEqual([false, true])
  })

  it('the key that seals pending calls may not even be read', () => {
    expect([read('/data/seal.key'), written('/data/seal.key')]).toEqual(['own', 'own'])
  })

  it.each([
    `${WORK}/git/config`,
    `${WORK}/.gitignore`,
    `${WORK}/toolcrib.md`,
    `${WORK}/my-toolcrib.yaml`,
    '/data/crib.db2',
    '/x/fish/a',
  ])('do not include similar names: %s', (path) => {
    expect([read(path), written(path)]).toEqual(['free', 'free'])
  })

  it('are found through links too', () => {
    expect(written(`${WORK}/a`, { real: `${WORK}/.git/config` })).toBe('asked')
    expect(written(`${WORK}/.git/x`, { real: '/elsewhere' })).toBe('asked')
    expect(written(`${WORK}/a`, { real: '/data/crib.db' })).toBe('own')
  })

  it("Toolcrib's own come first among several", () => {
    const hit = findProtected(
      [pathOf('write', `${HOME}/.bashrc`), pathOf('write', '/data/crib.db')],
      protectedPaths,
    )
    expect(hit).toMatchObject({ isOwn: true, path: '/data/crib.db' })
  })

  it.each<[string, string]>([
    [`${WORK}/.gi*/config`, 'asked'],
    [`${WORK}/.g[i]t/hooks/*`, 'asked'],
    [`${WORK}/.git/*`, 'asked'],
    [`${HOME}/.bash*`, 'asked'],
    [`${HOME}/.config/f*/x`, 'asked'],
    [`${WORK}/.tool*/crib.db`, 'own'],
    [`${WORK}/.*`, 'own'],
    [`${WORK}/tool*`, 'own'],
    [`${WORK}/toolcrib.ya?l`, 'own'],
    ['/data/*', 'own'],
    ['/d?ta/crib.db', 'own'],
    [`${WORK}/*`, 'free'],
    [`${WORK}/*.json`, 'free'],
    [`${WORK}/src/[a-c]*.ts`, 'free'],
    [`${WORK}/\\.gi\\*x/*`, 'free'],
  ])('are matched by wildcards that could name them: %s is %s', (path, expected) => {
    expect(written(path, { isGlob: true })).toBe(expected)
  })

  it('are named in the reason, and no update that would lift it is suggested', () => {
    const own = judged(
      { allow: ['*'] },
      callOf(writeTool, { touched: writing('/data/crib.db') }),
      protectedPaths,
    )
    expect(own).toMatchObject({
      behavior: 'deny',
      madeBy: 'protected',
      path: '/data/crib.db',
      reason: { type: 'safety_check' },
    })
    const asked = judged({ allow: ['*'] }, callOf(writeTool, { touched: writing(`${WORK}/.git/x`) }))
    expect(asked).toMatchObject({ behavior: 'ask', madeBy: 'protected', path: `${WORK}/.git/x` })
    expect(
      behaviorOf({ deny: ['Edit(./.git/**)'] }, callOf(writeTool, { touched: writing(`${WORK}/.git/x`) })),
    ).toBe('deny')
  })

  it('a folder that only shares the start of a name is not protected', () => {
    expect([
      isWithin('/a/b', '/a'),
      isWithin('/a', '/a'),
      isWithin('/ab', '/a'),
      isWithin('/a', '/'),
    ]).toEqual([true, true, false, true])
  })
})

describe('Toolcrib commands that are for people', () => {
  const outcome = (...texts: string[]): string =>
    behaviorOf(
      { allow: ['Bash'] },
      callOf(shellTool, { mode: 'bypass', touched: running({ commands: texts.map((text) => part(text)) }) }),
    )

  it.each([
    'toolcrib trust',
    'toolcrib rules add allow Bash',
    'npx toolcrib@latest approvals approve x',
    'node ./node_modules/.bin/toolcrib rules',
    '/usr/bin/toolcrib --json trust',
    'toolcrib --config other.yaml trust',
    'toolcrib --store x.db --json approvals approve y',
    'toolcrib --config=other.yaml trust',
    'node bin/toolcrib.js hooks',
    'toolcrib call notes.write --yes',
    'toolcrib call -vy notes.write',
    'toolcrib call notes.write --allow notes.*',
    'toolcrib call notes.write --mode=bypass',
    'toolcrib call notes.write --rules mine.yaml',
  ])('are denied in every mode: %s', (text) => {
    expect(outcome(text)).toBe('deny')
    expect(outcome('ls', text)).toBe('deny')
  })

  it.each([
    'toolcrib tools',
    'toolcrib call notes.write --deny other',
    'toolcrib explain Bash',
    'toolcrib --config trust tools',
    'echo trust',
    'mytoolcrib trust',
  ])('others are not: %s', (text) => {
    expect(outcome(text)).toBe('allow')
  })

  it('say who may run them', () => {
    expect(findOwnCommand(running({ commands: [part('toolcrib trust')] }).command!)).toContain(
      'for the person',
    )
  })
})
