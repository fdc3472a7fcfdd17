import { chmodSync, existsSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { configHome } from '../../../platform/config/config-home.js'
import { replaceFile } from '../../../platform/files/replace-file.js'
import { putServer, removeServer, serversIn, type ServerBlock } from './edit-client-text.js'
import { ENTRY } from './client-snippet.js'

/** A server that was removed from a file of a client, as it was written there. */
export interface MovedServer extends ServerBlock {
  readonly name: string
  readonly raw: string
}

/** The change of one file. */
export interface FileChange {
  readonly file: string
  /** Null where the file did not exist. */
  readonly before: string | null
  readonly after: string
  /** The mode of the file before. */
  readonly mode?: number
  readonly moved: readonly MovedServer[]
  /** Where Toolcrib's entry is; absent where only servers were removed from the file. */
  readonly own?: ServerBlock
}

/** The changes of a connect, stored so that all of them can be undone. */
export interface Connection {
  readonly client: string
  readonly files: readonly FileChange[]
}

/** Contains the original files with their keys: it is in the user's settings folder, and only the user can read it. */
const placeOf = (client: string): string => join(configHome(), 'connections', `${client}.json`)

export function readConnection(client: string): Connection | undefined {
  try {
    const value = JSON.parse(readFileSync(placeOf(client), 'utf8')) as Connection
    return Array.isArray(value.files) ? value : undefined
  } catch {
    return undefined
  }
}

export function writeConnection(connection: Connection): void {
  replaceFile(placeOf(connection.client), `${JSON.stringify(connection, null, 2)}\n`)
}

export function forgetConnection(client: string): void {
  rmSync(placeOf(client), { force: true })
}

/** Undefined: the file does not exist. */
export function readTextOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

export type Undone = { ok: true; text: string | undefined } | { ok: false; why: string }

/**
 * The original text of a file, byte for byte, if nothing else changed in it. Otherwise the current text without
 * Toolcrib's entry and with the moved servers, unless one of that name exists by now.
 */
export function undoChange(change: FileChange, current: string | undefined): Undone {
  const { before, after, moved, own } = change
  if (current === after) return { ok: true, text: before ?? undefined }
  if (current === undefined) return { ok: true, text: moved.length > 0 ? (before ?? undefined) : undefined }
  let text = current
  for (const block of own ? [own, ...moved] : moved) {
    const there = serversIn(text, block)
    if (!there.ok) return there
  }
  if (own) text = undoEntry(text, own, before)
  for (const server of moved) {
    const there = serversIn(text, server)
    if (there.ok && !there.servers.has(server.name)) text = putServer(text, server, server.name, server.raw)
  }
  return { ok: true, text }
}

/** An earlier entry with Toolcrib's name is restored. */
function undoEntry(text: string, block: ServerBlock, before: string | null): string {
  const earlier = before === null ? undefined : serversIn(before, block)
  const raw = earlier?.ok ? earlier.servers.get(ENTRY)?.raw : undefined
  return raw === undefined ? removeServer(text, block, ENTRY) : putServer(text, block, ENTRY, raw)
}

/** The text with Toolcrib's entry and without the servers that are moved. */
export function changeText(
  before: string,
  { own, moved }: { own?: (ServerBlock & { raw: string }) | undefined; moved: readonly MovedServer[] },
): string {
  const text = own ? putServer(before, own, ENTRY, own.raw) : before
  return moved.reduce((rest, server) => removeServer(rest, server, server.name), text)
}

/** Restores a file with its former mode. */
export function restoreFile({ file, mode }: FileChange, text: string | undefined): void {
  if (text === undefined) return rmSync(file, { force: true })
  writeThrough(file, text)
  if (mode !== undefined && process.platform !== 'win32') chmodSync(file, mode)
}

/** A link to a file elsewhere stays a link: some people keep their settings in another folder. */
export function writeThrough(file: string, text: string): void {
  replaceFile(existsSync(file) ? realpathSync(file) : file, text)
}

export function modeOf(file: string): number | undefined {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat && stat.mode & 0o777
}
