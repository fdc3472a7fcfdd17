import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeExit } from './before-exit.js'
import { thisHost } from './process-identity.js'
import { allProcesses, lineOf, lookAtProcesses, type LookUp, type SeenProcess } from './process-tree.js'

/**
 * Which processes belong to tools: those that run tools, and those that they start. It is written down in files, because
 * the process that wants to know is another one, and whatever a child is told in a variable it can forget.
 *
 * The folder does not depend on any variable either. Each process that runs tools has one file there:
 * `host <host>`, then `runs <pid> <started>` for itself and `started <pid> <started>` for each child.
 */

type Kind = 'runs' | 'started'

interface Entry {
  readonly kind: Kind
  readonly pid: number
  readonly started: string
}

/** Lines after which those of children that have long ended are taken out. */
const TIDY_AFTER = 256

let ownFile: string | undefined
let isHopeless = false
let lines = 0

/** Says that this process runs tools: whatever it starts from now on belongs to them. Cheap after the first time. */
export function runsTools(): void {
  if (ownFile === undefined && !isHopeless) openOwnFile()
}

/** Says that a process of this id was started for a tool, a hook or a server, at the head of a group of its own. */
export function wasStarted(pid: number | undefined): void {
  runsTools()
  if (pid === undefined || ownFile === undefined) return
  const seen = lookAtProcesses()(pid)
  if (!seen) return // it has ended already, and nothing of it can ask
  append({ kind: 'started', pid, started: seen.started })
}

/** The process above this one, or the head of its session or group, that belongs to tools; nothing where there is none. */
export function startedByTools(pid: number = process.pid): { pid: number } | undefined {
  const entries = readEntries()
  if (entries.length === 0) return undefined
  const lookUp = lookAtProcesses()
  const line = lineOf(pid, lookUp)
  return entries.find((entry) => line.some((_, index) => belongsTo(entry, { line, index, lookUp })))
}

interface RegistryPaths {
  /** A process and those above it. */
  readonly line: readonly SeenProcess[]
  /** Which of them is looked at. */
  readonly index: number
  readonly lookUp: LookUp
}

function belongsTo({ kind, pid, started }: Entry, { line, index, lookUp }: RegistryPaths): boolean {
  const seen = line[index]!
  // A process that runs tools is not inside of itself.
  if (seen.pid === pid) return seen.started === started && (kind === 'started' || index > 0)
  const leader = lookUp(pid)
  if (leader !== undefined && leader.started !== started) return false // another process has its number by now
  if (kind === 'started') return pid === seen.group || pid === seen.session
  return leader !== undefined && isOrphanOf(leader, seen, line[index + 1])
}

/**
 * Whether a process was left behind by one that runs tools, or by a child of that: it is in the same group, or at the same
 * terminal in the same session, which one only gets from a parent, but its parent is not. Those who stand above belong to
 * whoever started that one. A session without a terminal may be that of a whole desktop, and tells nothing.
 */
function isOrphanOf(host: SeenProcess, seen: SeenProcess, parent: SeenProcess | undefined): boolean {
  const isOf = (key: 'group' | 'session'): boolean =>
    seen[key] === host[key] && seen.pid !== host[key] && parent?.[key] !== host[key]
  const isAtTerminal = host.terminal !== 0 && seen.terminal === host.terminal
  if (!isOf('group') && !(isAtTerminal && isOf('session'))) return false
  // What was there before cannot be of it. Where the system tells no number, it may be.
  if (Number(seen.started) < Number(host.started)) return false
  return !lineOf(host.pid, lookAtProcesses()).some(({ pid }) => pid === seen.pid)
}

/** What is still there of this process when it ends: children, and those that children left behind. */
function leftBehind(): SeenProcess[] {
  const lookUp = lookAtProcesses()
  const own = lookUp(process.pid)
  if (!own) return []
  const all = allProcesses()
  const known = new Map(all.map((each) => [each.pid, each]))
  const find: LookUp = (pid) => known.get(pid)
  return all.filter((seen) => {
    if (seen.pid === own.pid) return false
    const line = lineOf(seen.pid, find)
    if (line.some(({ pid }) => pid === own.pid)) return true
    return isOrphanOf(own, seen, line[1])
  })
}

function openOwnFile(): void {
  const own = lookAtProcesses()(process.pid)
  const folder = own && makeFolder()
  if (!own || folder === undefined) {
    isHopeless = true
    return
  }
  removeForgotten(folder)
  ownFile = join(folder, `${process.pid}-${own.started.replaceAll(/\W+/g, '-')}`)
  try {
    writeFileSync(ownFile, `host ${thisHost()}\nruns ${process.pid} ${own.started}\n`, { mode: 0o600 })
  } catch {
    ownFile = undefined
    isHopeless = true
    return
  }
  // What outlives this process still belongs to tools: then the file stays until nobody is left of them.
  beforeExit(() => {
    if (ownFile === undefined) return
    for (const { pid, started } of leftBehind()) append({ kind: 'started', pid, started })
    const left = livingOf(entriesIn(readText(ownFile)).filter(({ kind }) => kind === 'started'))
    if (left.length === 0) unlinkSync(ownFile)
  })
}

function append({ kind, pid, started }: Entry): void {
  try {
    appendFileSync(ownFile!, `${kind} ${pid} ${started}\n`)
    lines += 1
    if (lines > TIDY_AFTER) tidy()
  } catch {
    // A full disk must not keep a tool from running; ancestors still tell as long as this process lives.
  }
}

function tidy(): void {
  const text = readFileSync(ownFile!, 'utf8')
  const kept = livingOf(entriesIn(text).filter(({ kind }) => kind === 'started'))
  const own = text.split('\n').slice(0, 2)
  const rows = kept.map(({ kind, pid, started }) => `${kind} ${pid} ${started}`)
  writeFileSync(ownFile!, `${[...own, ...rows].join('\n')}\n`, { mode: 0o600 })
  lines = kept.length
}

/** Those of which a process is left: itself, or one of its group or session. */
function livingOf(entries: readonly Entry[]): Entry[] {
  const all = allProcesses()
  const starts = new Map(all.map(({ pid, started }) => [pid, started]))
  const leaders = new Set(all.flatMap(({ group, session }) => [group, session]))
  return entries.filter(
    ({ pid, started }) => (starts.get(pid) ?? started) === started && (starts.has(pid) || leaders.has(pid)),
  )
}

/** Files of processes that ended without taking theirs away. */
function removeForgotten(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    const text = readText(file)
    const isOfThisHost = text.startsWith(`host ${thisHost()}\n`)
    if (isOfThisHost && livingOf(entriesIn(text)).length > 0) continue
    try {
      // One of another boot or another set of processes: only that one knows, unless it is from before a restart.
      if (isOfThisHost || isOlderThanBoot(file)) unlinkSync(file)
    } catch {
      // Somebody else was faster.
    }
  }
}

function isOlderThanBoot(file: string): boolean {
  const uptimeSeconds = Number(readText('/proc/uptime').split(' ')[0])
  return lstatSync(file).mtimeMs < Date.now() - uptimeSeconds * 1000
}

function readEntries(): Entry[] {
  return foldersOfUser().flatMap((folder) =>
    namesIn(folder).flatMap((name) => {
      const text = readText(join(folder, name))
      return text.startsWith(`host ${thisHost()}\n`) ? entriesIn(text) : []
    }),
  )
}

function entriesIn(text: string): Entry[] {
  return text.split('\n').flatMap((line): Entry[] => {
    const [, kind, pid, started] = /^(runs|started) (\d+) (.+)$/.exec(line) ?? []
    return started === undefined ? [] : [{ kind: kind as Kind, pid: Number(pid), started }]
  })
}

const RUN = '/run/user'
const SHARED = '/tmp'

/** For this user, by the number that the system gave them: a variable could lead elsewhere. */
function makeFolder(): string | undefined {
  const user = process.getuid?.()
  if (user === undefined) return undefined
  const folders = [join(RUN, String(user), 'toolcrib'), join(SHARED, `toolcrib-${user}`)]
  for (const folder of folders) {
    try {
      mkdirSync(folder, { mode: 0o700 })
    } catch {
      // It is there, or cannot be there.
    }
    if (isOwnFolder(folder)) return folder
  }
  return undefined
}

/** Of every number that this user goes by: who enters a user namespace gets another one. */
function foldersOfUser(): string[] {
  const folders = [
    ...namesIn(RUN).map((user) => join(RUN, user, 'toolcrib')),
    ...namesIn(SHARED).flatMap((name) => (/^toolcrib-\d+$/.test(name) ? [join(SHARED, name)] : [])),
  ]
  return folders.filter(isOwnFolder)
}

/** Neither a link nor somebody else's, who could say anything there. */
function isOwnFolder(folder: string): boolean {
  try {
    const stat = lstatSync(folder)
    return stat.isDirectory() && stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0
  } catch {
    return false
  }
}

/** Where processes of tools are written down: no tool may write there. */
export function startedProcessesFolder(): string[] {
  const user = process.getuid?.()
  return user === undefined ? [] : [join(RUN, String(user), 'toolcrib'), join(SHARED, `toolcrib-${user}`)]
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
