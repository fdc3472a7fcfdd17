import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { canonicalJson } from '../../platform/json/canonical-json.js'
import { readOnce } from '../../shell/read-once.js'
import type { ShellReading } from '../../shell/shell-reading.js'
import { gatherArguments, namesNothing } from '../arguments/gather-arguments.js'
import { argumentAt } from '../patterns/argument-condition.js'
import { normalHost, readUrl } from '../patterns/host-pattern.js'
import { escapeWildcards, isWild, plainName } from '../patterns/path-pattern.js'
import type { RuleFields, RuleTool } from '../rules/rule-tool.js'
import { followFolder } from './follow-folder.js'
import { gatherNames } from './gather-names.js'
import type { CommandNames, Touched, TouchedPath } from './touched.js'
import { walkOf, type Walk } from '../../shell/walk-of.js'
import type { GatherContext } from './gather-context.js'

/** Whether gathering would find nothing, so that it need not be prepared: as for most inputs without texts. */
export function touchesNothing({ fields }: RuleTool, input: unknown): boolean {
  const { paths, urls, command } = fields
  return paths.length === 0 && urls.length === 0 && !command && namesNothing(input)
}

interface Gathered {
  readonly paths: TouchedPath[]
  readonly hosts: string[]
  readonly urls: string[]
}

/**
 * What an input names that rules are about. `resolved` has the content of refs in their place: declared fields hold
 * none, and in other fields the tool gets the content.
 */
export function gatherTouched(
  tool: RuleTool,
  input: unknown,
  context: GatherContext,
  resolved = input,
): Touched | undefined {
  const declared = gatherDeclared(tool, input, context)
  const { paths, isTooMuch } = gatherArguments(tool, resolved, context)
  if (paths.length === 0 && !isTooMuch) return declared
  const { hosts, urls, command, commandText, isShifting, paths: known } = declared ?? UNTOUCHED
  return {
    hosts,
    urls,
    command,
    commandText,
    isShifting,
    paths: [...known, ...paths],
    ...(isTooMuch && { isTooMuch }),
    get accounts() {
      return declared?.accounts
    },
  }
}

const UNTOUCHED: Touched = { paths: [], hosts: [], urls: [], command: undefined, commandText: undefined }

function gatherDeclared(
  { fields, names }: RuleTool,
  input: unknown,
  context: GatherContext,
): Touched | undefined {
  if (fields.paths.length === 0 && fields.urls.length === 0 && !fields.command) return undefined
  const gathered: Gathered = { paths: [], hosts: [], urls: [] }
  for (const { field, access, asksBelow } of fields.paths) {
    const goesIn = asksBelow !== true && names.some(isSearch)
    for (const given of textsAt(input, field)) {
      addPath(gathered, { access, path: resolve(context.workspace, given), isSearch: goesIn }, context)
    }
  }
  for (const field of fields.urls) {
    for (const given of textsAt(input, field)) addUrl(gathered, given, context)
  }
  const commandText = fields.command && commandAt(input, fields.command.field)
  if (commandText === undefined) return { ...gathered, command: undefined, commandText }
  const cwd = startOf(fields.command!, input, context)
  const shell = fields.command!.shell ?? 'sh'
  const { home, folders } = context
  const doubted = fields.command!.doubts?.programs
  const command = readOnce(commandText, { cwd, home, shell, folders, doubted })
  const walk = walkIn(command)
  for (const path of command.reads) addShellPath(gathered, { access: 'read', written: path, walk }, context)
  for (const path of command.executes)
    addShellPath(gathered, { access: 'read', written: path, walk: 'none' }, context)
  for (const path of command.writes) addShellPath(gathered, { access: 'write', written: path, walk }, context)
  if (walk !== 'none' && searchesHere(command))
    addShellPath(gathered, { access: 'read', written: escapeWildcards(cwd), walk }, context)
  gathered.hosts.push(...command.hosts.map(normalHost))
  const isShifting = shiftsPaths(commandText, command, { cwd, followLinks: context.followLinks })
  let accounts: readonly CommandNames[] | undefined
  return {
    ...gathered,
    command,
    commandText,
    ...(isShifting && { isShifting }),
    get accounts() {
      return (accounts ??= gatherNames(command, gathered.paths, context))
    },
  }
}

/**
 * Search programs skip hidden files unless a file in the folder says otherwise, and the command line may write such a
 * file.
 */
function walkIn({ commands, writes }: ShellReading): Walk {
  const walk = walkOf(commands)
  return walk === 'visible' && writes.some((path) => /\/\.\w*ignore$/.test(path)) ? 'all' : walk
}

/** Programs that walk what they get in order to change it, and nothing else. */
const CHANGERS = new Set(['rm', 'mv', 'chmod', 'chown', 'chgrp'])

/** A search without a path searches the working folder. For programs that only change folders, the folders are known. */
function searchesHere({ commands, reads, writes, redirects }: ShellReading): boolean {
  if (reads.length > 0) return false
  if (writes.every((path) => redirects.includes(path))) return true
  return walkOf(commands.filter(({ words }) => !CHANGERS.has((words[0] ?? '').split('/').at(-1)!))) !== 'none'
}

function startOf(
  { cwd, folder }: NonNullable<RuleFields['command']>,
  input: unknown,
  context: GatherContext,
): string {
  const given = cwd === undefined ? undefined : textsAt(input, cwd)[0]
  const base = folder ?? context.workspace
  return given === undefined ? base : resolve(base, given)
}

function textsAt(input: unknown, field: string): string[] {
  const value = argumentAt(input, field)
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

/** A command as text. A list contains the words of a command: each is quoted, so that it stays one word. */
function commandAt(input: unknown, field: string): string | undefined {
  const value = argumentAt(input, field)
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.map(quoteWord).join(' ') : undefined
}

function quoteWord(given: unknown): string {
  const word = typeof given === 'string' ? given : canonicalJson(given)
  return /^[\w@%+:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/** Tools that read every file of a folder. */
const isSearch = (name: string): boolean => /(?:^|[._])(?:search|grep)$/i.test(name)

function addPath(
  { paths }: Gathered,
  { access, path, isSearch: goesIn }: { access: TouchedPath['access']; path: string; isSearch: boolean },
  { followLinks }: GatherContext,
): void {
  paths.push({
    access,
    path,
    real: followLinks(path),
    isGlob: false,
    ...(goesIn && { walk: 'all' as const }),
  })
}

function addUrl(gathered: Gathered, given: string, context: GatherContext): void {
  const url = readUrl(given)
  // A text that is not a URL is kept as it is: a rule about a domain then does not allow it.
  gathered.hosts.push(url && url.hostname !== '' ? normalHost(url.hostname) : given.toLowerCase())
  gathered.urls.push(url ? plainUrl(url) : given)
  const path = url && filePath(url)
  if (path !== undefined) addPath(gathered, { access: 'read', path, isSearch: false }, context)
}

/** The part of a URL that decides where a request goes, without user and fragment. */
function plainUrl(url: URL): string {
  const isPlain = url.username === '' && url.password === '' && url.hash === '' && !url.hostname.endsWith('.')
  // The usual case: building another URL costs as much as parsing it did.
  if (isPlain && !url.href.endsWith('#')) return url.href
  const plain = new URL(url)
  plain.username = ''
  plain.password = ''
  plain.hash = ''
  plain.hostname = plain.hostname.replace(/\.+$/, '')
  return plain.href
}

/** A `file:` URL is a path that is read. */
function filePath(url: URL): string | undefined {
  if (url.protocol !== 'file:') return undefined
  try {
    return fileURLToPath(url)
  } catch {
    return undefined
  }
}

/** Wildcards that the shell will expand stay; quoted ones are plain characters of the name. */
function addShellPath(
  { paths }: Gathered,
  { access, written, walk }: { access: TouchedPath['access']; written: string; walk: Walk },
  { followLinks }: GatherContext,
): void {
  const isGlob = isWild(written)
  const path = isGlob ? written : plainName(written)
  if (paths.some((each) => each.access === access && each.path === path)) return
  const real = isGlob ? followFolder(path, followLinks) : followLinks(path)
  paths.push({ access, path, real, isGlob, ...(walk !== 'none' && { walk }) })
}

/** Names that mean something else in each process: their target is known only when the command runs. */
const OF_A_PROCESS = /\/proc\/(?:self|thread-self|\d+|\$|\*|\?)|\/dev\/fd\/(?!\d+(?:\s|$|[;&|<>)]))/

/** Whether the files that a command names are known only while it runs: it goes through a process, or back out of a link. */
function shiftsPaths(
  text: string,
  { commands }: ShellReading,
  { cwd, followLinks }: { cwd: string; followLinks(path: string): string },
): boolean {
  if (OF_A_PROCESS.test(text)) return true
  if (!text.includes('..')) return false
  const isLink = (path: string): boolean =>
    followLinks(resolve(cwd, path)) !== resolve(followLinks(cwd), path)
  return commands.some(({ words }) => {
    const [program = '', ...operands] = words
    // A path into a link and out again leads elsewhere than its text says.
    if (
      (program === 'cd' || program === 'pushd') &&
      operands.some((each) => !each.startsWith('-') && isLink(each))
    )
      return true
    return operands.some((each) => {
      const out = /^(.*?[^/.][^/]*)\/\.\.(?:\/|$)/.exec(each)
      return out !== null && isLink(out[1]!)
    })
  })
}
