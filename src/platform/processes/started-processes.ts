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
import { allProcesses, ancestryOf, lookAtProcesses, type LookUp, type SeenProcess } from './process-tree.js'

/**
 * Which processes belong to tools: those that run tools, and those that they start. It is recorded in files, because
 * another process needs to know it, and a child could drop a variable.
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

/** The number of lines after which the entries of ended children are removed. */
const TIDY_AFTER = 256

let ownFile: string | undefined
let isHopeless = false
let lines = 0

/**
 * Records that this process runs tools: every process that it starts from now on belongs to them. Cheap after the first
 * time.
 */
export function runsTools(): void {
  if (ownFile === undefined && !isHopeless) openOwnFile()
}

/** Records that a process with this id was started for a tool, a hook or a server, as the leader of its own group. */
export function wasStarted(pid: number | undefined): void {
  runsTools()
  if (pid === undefined || ownFile === undefined) return
  const seen = lookAtProcesses()(pid)
  if (!seen) return // it has ended already, and cannot ask any more
  append({ kind: 'started', pid, started: seen.started })
}

/**
 * The process above this one, or the leader of its session or group, that belongs to tools; undefined where there is
 * none.
 */
export function startedByTools(pid: number = process.pid): { pid: number } | undefined {
  const entries = readEntries()
  if (entries.length === 0) return undefined
  const lookUp = lookAtProcesses()
  const line = ancestryOf(pid, lookUp)
  return entries.find((entry) => line.some((_, index) => belongsTo(entry, { line, index, lookUp })))
}

interface ProcessAncestry {
  /** A process and those above it. */
  readonly line: readonly SeenProcess[]
  /** The process to look at. */
  readonly index: number
  readonly lookUp: LookUp
}

function belongsTo({ kind, pid, started }: Entry, { line, index, lookUp }: ProcessAncestry): boolean {
  const seen = line[index]!
  // A process that runs tools is not inside itself.
  if (seen.pid === pid) return seen.started === started && (kind === 'started' || index > 0)
  const leader = lookUp(pid)
  if (leader !== undefined && leader.started !== started) return false // the process id was reused
  if (kind === 'started') return pid === seen.group || pid === seen.session
  return leader !== undefined && isOrphanOf(leader, seen, line[index + 1])
}

/**
 * Whether a process was left behind by one that runs tools, or by a child of it: it is in the same group, or in the
 * same session with the same terminal, which are inherited only from a parent, but its parent is not. Processes above
 * it belong to whatever started that one. A session without a terminal may be that of a whole desktop, and says
 * nothing.
 */
function isOrphanOf(host: SeenProcess, seen: SeenProcess, parent: SeenProcess | undefined): boolean {
  const isOf = (key: 'group' | 'session'): boolean =>
    seen[key] === host[key] && seen.pid !== host[key] && parent?.[key] !== host[key]
  const isAtTerminal = host.terminal !== 0 && seen.terminal === host.terminal
  if (!isOf('group') && !(isAtTerminal && isOf('session'))) return false
  // Processes that started earlier cannot belong to it. Where the system reports no start time, they may.
  if (Number(seen.started) < Number(host.started)) return false
  return !ancestryOf(host.pid, lookAtProcesses()).some(({ pid }) => pid === seen.pid)
}

/** Processes that remain when this process ends: children, and those that children left behind. */
function leftBehind(): SeenProcess[] {
  const lookUp = lookAtProcesses()
  const own = lookUp(process.pid)
  if (!own) return []
  const all = allProcesses()
  const known = new Map(all.map((each) => [each.pid, each]))
  const find: LookUp = (pid) => known.get(pid)
  return all.filter((seen) => {
    if (seen.pid === own.pid) return false
    const line = ancestryOf(seen.pid, find)
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
  // Processes that outlive this one still belong to tools: the file stays until all of them have ended.
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
    // A full disk must not prevent a tool from running; the ancestors are known as long as this process lives.
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

/** The entries of which a process is left: itself, or one of its group or session. */
function livingOf(entries: readonly Entry[]): Entry[] {
  const lookUp = lookAtProcesses()
  let leaders: ReadonlySet<number> | undefined
  return entries.filter(({ pid, started }) => {
    const seen = lookUp(pid)
    if (seen) return seen.started === started
    leaders ??= new Set(allProcesses().flatMap(({ group, session }) => [group, session]))
    return leaders.has(pid)
  })
}

/** Files of processes that ended without removing them. */
function removeForgotten(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    const text = readText(file)
    const isOfThisHost = text.startsWith(`host ${thisHost()}\n`)
    if (isOfThisHost && livingOf(entriesIn(text)).length > 0) continue
    try {
      // From another boot or another pid namespace: only that one knows, unless the file is from before a restart.
      if (isOfThisHost || isOlderThanBoot(file)) unlinkSync(file)
    } catch {
      // Another process removed it first.
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

/** The folder of this user, by user id: a variable could point elsewhere. */
function makeFolder(): string | undefined {
  const user = process.getuid?.()
  if (user === undefined) return undefined
  const folders = [join(RUN, String(user), 'toolcrib'), join(SHARED, `toolcrib-${user}`)]
  for (const folder of folders) {
    try {
      mkdirSync(folder, { mode: 0o700 })
    } catch {
      // It exists, or cannot be created.
    }
    if (isOwnFolder(folder)) return folder
  }
  return undefined
}

/** One for every id of this user: a process in a user namespace has another one. */
function foldersOfUser(): string[] {
  const folders = [
    ...namesIn(RUN).map((user) => join(RUN, user, 'toolcrib')),
    ...namesIn(SHARED).flatMap((name) => (/^toolcrib-\d+$/.test(name) ? [join(SHARED, name)] : [])),
  ]
  return folders.filter(isOwnFolder)
}

/** Neither a link nor owned by another user, who could write anything there. */
function isOwnFolder(folder: string): boolean {
  try {
    const stat = lstatSync(folder)
    return stat.isDirectory() && stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0
  } catch {
    return false
  }
}

/** The folder where processes of tools are recorded: no tool may write there. */
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
