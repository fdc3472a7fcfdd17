import { ownCommand } from '../../../platform/text/own-command.js'
import { chmodSync } from 'node:fs'
import { replaceFile } from '../../../platform/files/replace-file.js'
import { usageProblem } from '../program/usage-problem.js'
import { ENTRY } from './client-snippet.js'
import type { Client } from './client.js'
import {
  changeText,
  modeOf,
  readConnection,
  readTextOf,
  undoChange,
  writeConnection,
  writeThrough,
  type FileChange,
  type MovedServer,
} from './connection.js'
import { rawOwnEntry, serversIn, type ServerBlock } from './edit-client-text.js'
import { clientFile, homePath } from './find-client.js'
import type { Offer } from './offers.js'

export interface Written {
  /** Copies of the original files. */
  readonly backups: readonly string[]
  /** Whether other users could read the file before. */
  readonly isMadePrivate: boolean
}

/**
 * Writes Toolcrib's entry into the file of a client and removes servers from its files. All edits start from the files
 * as they were before the first connect, so that disconnecting restores those.
 */
export function connectFiles(
  client: Client,
  {
    entry,
    holdsToken,
    moved,
  }: { entry: Record<string, unknown>; holdsToken: boolean; moved: readonly Offer[] },
): Written {
  const main = clientFile(client)
  const earlier = readConnection(client.id)?.files ?? []
  const files = new Set([main, ...moved.map(({ from }) => from.file)])
  const block: ServerBlock = { format: client.format, path: [client.key] }
  const changes = [...files].map((file) => {
    const own = file === main ? { ...block, entry } : undefined
    return planChange(client, file, { own, moved, earlier: earlier.find((each) => each.file === file) })
  })
  const isMadePrivate = holdsToken && tightens(main)
  const written = changes.filter(({ file, after }) => after !== readTextOf(file))
  // Stored before any file is changed: an interrupted command can still be undone.
  writeConnection({
    client: client.id,
    files: [...earlier.filter(({ file }) => !files.has(file)), ...changes],
  })
  // Before the token is written.
  if (isMadePrivate) chmodSync(main, 0o600)
  const backups = written.flatMap(({ file, before, after }) => {
    const backup = `${file}.before-toolcrib`
    if (before !== null) replaceFile(backup, before)
    writeThrough(file, after)
    return before === null ? [] : [backup]
  })
  return { backups, isMadePrivate }
}

function planChange(
  client: Client,
  file: string,
  {
    own,
    moved,
    earlier,
  }: {
    own: (ServerBlock & { entry: Record<string, unknown> }) | undefined
    moved: readonly Offer[]
    earlier: FileChange | undefined
  },
): FileChange {
  const current = readTextOf(file)
  const undone = earlier ? undoChange(earlier, current) : { ok: true as const, text: current }
  const base = undone.ok ? undone.text : undefined
  const there = undone.ok && own ? serversIn(base ?? '', own) : undone
  if (!there.ok)
    throw usageProblem(
      `${homePath(file)} ${there.why}; put it there by hand: ${ownCommand(`connect ${client.id}`)}`,
    )
  const all = [...(earlier?.moved ?? []), ...moved.filter(({ from }) => from.file === file).map(toMoved)]
  const gone = all.filter((each, at) => all.findIndex((other) => isSame(other, each)) === at)
  const raw = own && rawOwnEntry(base ?? '', own, own.entry)
  const after = changeText(base ?? '', {
    moved: gone,
    ...(own && { own: { format: own.format, path: own.path, raw: raw! } }),
  })
  if (own && !isWellMade(after, own, gone))
    throw usageProblem(
      `${homePath(file)} cannot be edited in place; put it there by hand: ${ownCommand(`connect ${client.id}`)}`,
    )
  const mode = earlier ? earlier.mode : modeOf(file)
  return {
    file,
    before: base ?? null,
    after,
    moved: gone,
    ...(mode !== undefined && { mode }),
    ...(own && { own: { format: own.format, path: own.path } }),
  }
}

/** A file that its client can no longer read is worse than an unchanged one. */
function isWellMade(text: string, own: ServerBlock, gone: readonly MovedServer[]): boolean {
  const there = serversIn(text, own)
  if (!there.ok || there.servers.get(ENTRY)?.entry === undefined) return false
  return gone.every((server) => {
    const rest = serversIn(text, server)
    return rest.ok && !rest.servers.has(server.name)
  })
}

const toMoved = ({ name, raw, from: { format, path } }: Offer): MovedServer => ({ name, raw, format, path })

function isSame(a: MovedServer, b: MovedServer): boolean {
  return a.name === b.name && a.path.join('\0') === b.path.join('\0')
}

function tightens(file: string): boolean {
  const mode = modeOf(file)
  return mode !== undefined && process.platform !== 'win32' && (mode & 0o077) !== 0
}
