import { escapeWildcards } from '../../../shell/detection/arg.js'
import type { ShellReading } from '../../../shell/shell-reading.js'

/** The reading of a shell command, for programs. */
export interface ReadingRecord {
  command: string
  is_read_only: boolean
  is_destructive: boolean
  is_open_world: boolean
  is_concurrency_safe: boolean
  reads: string[]
  writes: string[]
  deletes: string[]
  executes: string[]
  hosts: readonly string[]
  commands: string[]
  is_complete: boolean
  reasons: readonly string[]
}

export function readingRecord(command: string, reading: ShellReading, cwd: string): ReadingRecord {
  const short = shortener(cwd)
  return {
    command,
    is_read_only: reading.is_read_only,
    is_destructive: reading.is_destructive,
    is_open_world: reading.is_open_world,
    is_concurrency_safe: reading.is_concurrency_safe,
    reads: reading.reads.map(short),
    writes: reading.writes.map(short),
    deletes: reading.deletes.map(short),
    executes: reading.executes.map(short),
    hosts: reading.hosts,
    commands: reading.commands.map(({ text }) => text),
    is_complete: reading.isComplete,
    reasons: reading.reasons,
  }
}

/** Paths relative to the folder, where they are in it. */
function shortener(cwd: string): (path: string) => string {
  const folder = escapeWildcards(cwd)
  const start = folder.endsWith('/') ? folder : `${folder}/`
  return (path) => (path === folder ? '.' : path.startsWith(start) ? path.slice(start.length) : path)
}
