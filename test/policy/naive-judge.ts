import type { JudgedCall } from '../../src/policy/judged-call.js'
import type { Rule } from '../../src/policy/rules/rule.js'
import type { TouchedPath } from '../../src/policy/commands/touched.js'
import { bookOf, HOME, WORK } from './rule-fixtures.js'
import { judge } from '../../src/policy/judge.js'

/*
 * The simplest implementation of the rules: each is judged separately, by hand-written tests, with no index and nothing
 * compiled. It supports only a small set of rule texts, and each has its meaning beside it.
 */

type Held = 'yes' | 'maybe' | 'no'

const inFolder = (path: string, folder: string): boolean => path.startsWith(`${folder}/`)
const isAt = (path: string, name: string): boolean => path === name || inFolder(path, name)
const hasSegment = (path: string, test: (segment: string) => boolean): boolean =>
  path
    .split('/')
    .filter((segment) => segment !== '')
    .some(test)

export const pathPhrases: Readonly<Record<string, (path: string) => boolean>> = {
  './src/**': (path) => inFolder(path, `${WORK}/src`),
  './src': (path) => isAt(path, `${WORK}/src`),
  'src/*.ts': (path) => /^\/work\/project\/src\/[^/]*\.ts(\/|$)/.test(path),
  './**/deep/*': (path) => /^\/work\/project\/(.*\/)?deep\/[^/]+/.test(path),
  '.env': (path) => hasSegment(path, (segment) => segment === '.env'),
  '*.env': (path) => hasSegment(path, (segment) => segment.endsWith('.env')),
  '[ab]?.txt': (path) => hasSegment(path, (segment) => /^[ab].\.txt$/.test(segment)),
  '~/notes/**': (path) => inFolder(path, `${HOME}/notes`),
  '//etc/hosts': (path) => isAt(path, '/etc/hosts'),
  '//**': (path) => path !== '/',
}

const orMore = (start: string) => (text: string) =>
  text === start || text.startsWith(`${start} `) || text.startsWith(`${start}:`)

export const commandPhrases: Readonly<
  Record<string, { test: (text: string) => boolean; lead: string; isOpen: boolean }>
> = {
  'git status': { test: (text) => text === 'git status', lead: 'git status', isOpen: false },
  'git push:*': { test: orMore('git push'), lead: 'git push', isOpen: false },
  'git:*': { test: orMore('git'), lead: 'git', isOpen: false },
  'npm run test:*': { test: orMore('npm run test'), lead: 'npm run test', isOpen: false },
  'git * main': { test: (text) => /^git .* main$/s.test(text), lead: 'git', isOpen: true },
  'rm *': { test: orMore('rm'), lead: 'rm', isOpen: false },
}

export const hostPhrases: Readonly<Record<string, (host: string) => boolean>> = {
  'example.com': (host) => host === 'example.com',
  '*.example.com': (host) => host.endsWith('.example.com'),
  '*': () => true,
}

type Input = Readonly<Record<string, unknown>>
const above = (value: unknown, limit: number, isTight: boolean): boolean =>
  typeof value === 'number' ? value > limit : value !== undefined && isTight

const below = (value: unknown, limit: number, isTight: boolean): boolean =>
  typeof value === 'number' ? value < limit : value !== undefined && isTight

export const argumentPhrases: Readonly<Record<string, (input: Input, isTight: boolean) => boolean>> = {
  'a = 1': ({ a }) => a === 1,
  'a > 5': ({ a }, isTight) => above(a, 5, isTight),
  'a > 9': ({ a }, isTight) => above(a, 9, isTight),
  'a < 3 and to = bob': ({ a, to }, isTight) => below(a, 3, isTight) && to === 'bob',
  'to in [bob, eve]': ({ to }) => to === 'bob' || to === 'eve',
  'to != bob': ({ to }) => to !== 'bob',
  'to not in [bob, eve]': ({ to }) => to !== 'bob' && to !== 'eve',
  'to ~ *@example.org': ({ to }) => String(to).endsWith('@example.org'),
  'to ~ e*': ({ to }) => String(to).startsWith('e'),
  // "bob"
  'to sha256 81b637d8fcd2c6da6359e6963113a1170de795e4b725b84d1e0b4cfd9ec58ce9': ({ to }) => to === 'bob',
}

/** The tools of this set, with the rule names that match each of them. */
export const toolPhrases: Readonly<Record<string, readonly string[]>> = {
  'shell.exec': ['shell.exec', 'Bash', 'shell.*', '*'],
  'files.read': ['files.read', 'Read', 'files.*', '*'],
  'files.write': ['files.write', 'Edit', 'files.*', '*'],
  'http.fetch': ['http.fetch', 'WebFetch', '*'],
  'notes.look': ['notes.look', '*'],
  'mcp.github.create': ['mcp__github', 'mcp__github__*', 'mcp__github__create', '*'],
}

const effectPhrases: Readonly<Record<'read' | 'write' | 'hosts', readonly string[]>> = {
  read: ['files.read', 'Read', 'files.*', '*'],
  write: ['files.write', 'Edit', 'files.*', '*'],
  hosts: ['http.fetch', 'WebFetch', '*'],
}

function conditionsHold({ when, behavior }: Rule, call: JudgedCall): Held {
  if (!when) return 'yes'
  const answers: Held[] = []
  const names = (wanted: readonly string[] | undefined, name: string | undefined): void => {
    if (!wanted) return
    const isMet =
      name !== undefined &&
      wanted.some((each) => (each.endsWith('*') ? name.startsWith(each.slice(0, -1)) : each === name))
    answers.push(isMet ? 'yes' : 'no')
  }
  names(when.actor, call.actor)
  names(when.role, call.role)
  names(when.session, call.session)
  names(when.mode, call.mode)
  if (when.risk) {
    const said = call.tool.profile['risk_level'] as string | undefined
    answers.push(
      said === undefined ? 'maybe' : (when.risk as readonly string[]).includes(said) ? 'yes' : 'no',
    )
  }
  if (when.destructive !== undefined) {
    const { is_destructive, origins } = call.facts
    const isSaid = origins['is_destructive'] !== 'default'
    answers.push(isSaid ? (is_destructive === when.destructive ? 'yes' : 'no') : 'maybe')
  }
  for (const { field, comparison, value } of when.args ?? []) {
    const phrase = argumentPhrases[`${field} ${comparison} ${String(value)}`]!
    answers.push(phrase(call.input as Input, behavior !== 'allow') ? 'yes' : 'no')
  }
  return answers.includes('no') ? 'no' : answers.includes('maybe') ? 'maybe' : 'yes'
}

interface Spec {
  kind: 'none' | 'command' | 'path' | 'domain' | 'arg'
  phrase: string
}

function specOf({ specifier }: Rule): Spec {
  if (specifier === undefined) return { kind: 'none', phrase: '' }
  const [kind, ...rest] = specifier.split(':')
  return { kind: kind as Spec['kind'], phrase: rest.join(':') }
}

const meansTool = (rule: Rule, call: JudgedCall): boolean =>
  toolPhrases[call.tool.toolId]!.includes(rule.behavior === 'allow' ? rule.tool : unfold(rule.tool))

/** A deny or ask may be written in another case. */
const unfold = (name: string): string =>
  Object.values(toolPhrases)
    .flat()
    .find((each) => each.toLowerCase() === name.toLowerCase()) ?? name

const hasEffect = (rule: Rule, effect: 'read' | 'write' | 'hosts'): boolean =>
  effectPhrases[effect].includes(rule.behavior === 'allow' ? rule.tool : unfold(rule.tool))

/** A deny or ask needs a path as written or with its links followed. */
const meetsEither = (phrase: string, { path, real }: TouchedPath): boolean =>
  pathPhrases[phrase]!(path) || pathPhrases[phrase]!(real)
const meetsBoth = (rules: readonly string[], { path, real }: TouchedPath): boolean =>
  rules.some((phrase) => pathPhrases[phrase]!(path)) && rules.some((phrase) => pathPhrases[phrase]!(real))

/** Whether a deny or ask matches the call, before its conditions are tested. */
function specHolds(rule: Rule, call: JudgedCall): boolean {
  const { kind, phrase } = specOf(rule)
  const { tool, touched } = call
  const isOwn = meansTool(rule, call)
  switch (kind) {
    case 'none':
      return isOwn
    case 'arg':
      return isOwn && argumentPhrases[phrase]!(call.input as Input, true)
    case 'command': {
      if (!isOwn || !tool.fields.command || !touched?.command) return false
      const texts = [touched.commandText!, ...touched.command.commands.map(({ text }) => text)]
      return texts.some(commandPhrases[phrase]!.test)
    }
    case 'path':
      return (touched?.paths ?? []).some(
        (path) => (isOwn || hasEffect(rule, path.access)) && meetsEither(phrase, path),
      )
    case 'domain':
      return (
        (isOwn || hasEffect(rule, 'hosts')) &&
        [...(touched?.hosts ?? []), ...(tool.hosts ?? [])].some(hostPhrases[phrase]!)
      )
  }
}

/** Whether words that only the shell can expand could make a deny or ask match the call. */
function mayBeMeant(rule: Rule, call: JudgedCall): boolean {
  const command = call.touched?.command
  if (!command) return false
  const { kind, phrase } = specOf(rule)
  const isOwn = meansTool(rule, call)
  const open = command.commands.filter(({ isLiteral }) => !isLiteral)
  if (kind === 'command' && isOwn) {
    const { lead, isOpen } = commandPhrases[phrase]!
    const starts = command.isParsed && !command.hidesCode ? open.map(({ text }) => text.split('$')[0]!) : ['']
    return starts.some((start) => lead.startsWith(start) || (isOpen && start.startsWith(lead)))
  }
  const hidesWhatItTouches =
    !command.isParsed || command.hidesCode || (!command.isComplete && open.length > 0)
  if (!hidesWhatItTouches) return false
  if (kind === 'path') return isOwn || hasEffect(rule, 'read') || hasEffect(rule, 'write')
  return kind === 'domain' && (isOwn || hasEffect(rule, 'hosts'))
}

function tightest(rules: readonly Rule[], call: JudgedCall): 'deny' | 'ask' | undefined {
  let found: 'deny' | 'ask' | undefined
  for (const rule of rules) {
    if (rule.behavior === 'allow') continue
    const held = conditionsHold(rule, call)
    if (held === 'no') continue
    if (specHolds(rule, call)) {
      if (rule.behavior === 'deny' && held === 'yes') return 'deny'
      found = 'ask'
    } else if (mayBeMeant(rule, call)) found = 'ask'
  }
  return found
}

function isAllowed(rules: readonly Rule[], call: JudgedCall): boolean {
  const allows = rules.filter(
    (rule) => rule.behavior === 'allow' && meansTool(rule, call) && conditionsHold(rule, call) === 'yes',
  )
  const phrasesOf = (wanted: Spec['kind']): string[] =>
    allows.map(specOf).flatMap(({ kind, phrase }) => (kind === wanted ? [phrase] : []))
  if (phrasesOf('none').length > 0) return true
  if (phrasesOf('arg').some((phrase) => argumentPhrases[phrase]!(call.input as Input, false))) return true
  const { touched } = call
  if (!touched) return false
  if (touched.command) return isCommandAllowed(rules, call, phrasesOf('command'))
  const { paths, hosts } = touched
  if (paths.length > 0 && paths.every((path) => meetsBoth(phrasesOf('path'), path))) return true
  const isHostAllowed = (host: string): boolean =>
    phrasesOf('domain').some((phrase) => hostPhrases[phrase]!(host))
  return hosts.length > 0 && hosts.every(isHostAllowed)
}

function isCommandAllowed(rules: readonly Rule[], call: JudgedCall, phrases: readonly string[]): boolean {
  const { command, commandText, paths } = call.touched!
  const { commands, redirects, isParsed } = command!
  const isNamed = (text: string): boolean => phrases.some((phrase) => commandPhrases[phrase]!.test(text))
  const exact = phrases.filter((phrase) => !phrase.includes('*'))
  if (exact.some((phrase) => commandPhrases[phrase]!.test(commandText!))) return true
  if (!isParsed || command!.hidesCode || commands.length === 0) return false
  const covers = (index: number): boolean => {
    const { text, isReadOnly, isTransparent } = commands[index]!
    if (isNamed(text) || isReadOnly) return true
    for (let at = commands[index]!.wrappedBy; at !== undefined; at = commands[at]!.wrappedBy) {
      if (isNamed(commands[at]!.text) && commands[at]!.text.includes(text)) return true
    }
    const inner = commands.flatMap((each, at) => (each.wrappedBy === index ? [at] : []))
    return isTransparent && inner.length > 0 && inner.every(covers)
  }
  const writable = rules.filter(
    (rule) =>
      rule.behavior === 'allow' &&
      specOf(rule).kind === 'path' &&
      hasEffect(rule, 'write') &&
      conditionsHold(rule, call) === 'yes',
  )
  const areRedirectsAllowed = redirects.every((target) => {
    const path = paths.find((each) => each.access === 'write' && each.path === target)
    return (
      path !== undefined &&
      meetsBoth(
        writable.map((rule) => specOf(rule).phrase),
        path,
      )
    )
  })
  return (
    commands.every((_, index) => covers(index)) &&
    commands.some(({ text }) => isNamed(text)) &&
    areRedirectsAllowed
  )
}

/** The part of a judgement that no rule decides is taken from the real judge, called without rules. */
export function naiveJudge(rules: readonly Rule[], call: JudgedCall): string {
  const tight = tightest(rules, call)
  if (tight === 'deny') return 'deny'
  const bare = judge(bookOf([]), call)
  const isRefused = bare.behavior === 'deny' && (bare.madeBy === 'protected' || bare.madeBy === 'mode')
  // In the mode dontAsk a protected path is denied too, but only because it would need approval.
  if (isRefused && call.mode !== 'dontAsk') return 'deny'
  if (tight === 'ask') return call.mode === 'dontAsk' ? 'deny' : 'ask'
  if (bare.madeBy === 'protected' || bare.madeBy === 'person') return bare.behavior
  return isAllowed(rules, call) ? 'allow' : bare.behavior
}
