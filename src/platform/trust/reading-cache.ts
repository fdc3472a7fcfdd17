import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { configHome } from '../config/config-home.js'
import { replaceFile } from '../files/replace-file.js'
import { isObject } from '../json/is-object.js'
import type { ComputedImport, FollowedFiles } from './follow-files.js'
import { hashOf, verifySnapshot, type Snapshot, type Stamp } from './snapshot.js'
import { trustedPaths } from './trust-list.js'

/** The result of following the files of a config, and the state of the file system that it depends on. */
export interface Reading extends FollowedFiles {
  readonly snapshot: Snapshot
}

/** The key of a reading. */
export interface ReadingKey {
  readonly configPath: string
  /** The hash of everything that a reading depends on besides the file system. */
  readonly key: string
  readonly env: NodeJS.ProcessEnv
}

/** A config that is a program has two readings: before it has run, and with its value. */
const MOST_OF_CONFIG = 3
const MOST_IN_MEMORY = 8

const inMemory = new Map<string, Reading>()
/** Readings that are on the disk unchanged. */
const written = new WeakSet<Reading>()

/** An earlier reading, where nothing that it depends on has changed since. */
export function recallReading(place: ReadingKey): Reading | undefined {
  return verified(inMemory.get(place.key), place) ?? verified(readStored(place)[place.key], place)
}

function verified(reading: Reading | undefined, place: ReadingKey): Reading | undefined {
  const snapshot = reading && verifySnapshot(reading.snapshot)
  if (!snapshot) return undefined
  if (snapshot === reading.snapshot) return rememberReading(reading, place)
  return rememberReading({ ...reading, snapshot }, place)
}

/** For as long as the process runs. */
export function rememberReading(reading: Reading, { key }: ReadingKey): Reading {
  inMemory.delete(key)
  inMemory.set(key, reading)
  for (const oldest of inMemory.keys()) {
    if (inMemory.size <= MOST_IN_MEMORY) break
    inMemory.delete(oldest)
  }
  return reading
}

export function forgetReadings(): void {
  inMemory.clear()
}

/** For later processes, beside the trust list: a process that can write there could write that list. */
export function storeReading(reading: Reading, place: ReadingKey): void {
  if (written.has(reading) || reading.files.size === 0) return
  written.add(reading)
  const { [place.key]: _, ...others } = readStored(place)
  const kept = Object.entries(others).slice(0, MOST_OF_CONFIG - 1)
  const all = [[place.key, reading] as const, ...kept].map(([key, each]) => [key, toStored(each)])
  try {
    replaceFile(fileOf(place), JSON.stringify(Object.fromEntries(all)))
    removeUntrusted(place)
  } catch {
    // Without it, the next start only takes longer.
  }
}

function removeUntrusted(place: ReadingKey): void {
  const folder = dirname(fileOf(place))
  const trusted = new Set(trustedPaths(place.env).map((configPath) => fileOf({ ...place, configPath })))
  for (const name of readdirSync(folder))
    if (name.endsWith('.json') && !trusted.has(join(folder, name))) rmSync(join(folder, name))
}

function fileOf({ configPath, env }: Pick<ReadingKey, 'configPath' | 'env'>): string {
  return join(configHome(env), 'trust-readings', `${hashOf(configPath).slice('sha256:'.length)}.json`)
}

/** An unreadable cache counts as empty. */
function readStored(place: ReadingKey): Readonly<Record<string, Reading>> {
  try {
    const value: unknown = JSON.parse(readFileSync(fileOf(place), 'utf8'))
    if (!isObject(value)) return {}
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, stored]) => {
        const reading = fromStored(stored)
        return reading ? [[key, reading]] : []
      }),
    )
  } catch {
    return {}
  }
}

const toStored = ({ files, computed, guessed, snapshot }: Reading): object => ({
  files: Object.fromEntries(files),
  computed,
  guessed,
  snapshot: Object.fromEntries(snapshot),
})

function fromStored(value: unknown): Reading | undefined {
  if (!isObject(value)) return undefined
  const { files, computed, guessed, snapshot } = value
  if (!isTexts(files) || !isTexts(snapshot)) return undefined
  if (!isListOf(computed, isComputed) || !isListOf(guessed, isText)) return undefined
  const reading = {
    files: new Map(Object.entries(files)),
    computed,
    guessed,
    // A text that is no stamp matches no path.
    snapshot: new Map(Object.entries(snapshot as Record<string, Stamp>)),
  }
  written.add(reading)
  return reading
}

const isText = (value: unknown): value is string => typeof value === 'string'

function isListOf<Member>(
  value: unknown,
  isMember: (each: unknown) => each is Member,
): value is readonly Member[] {
  return Array.isArray(value) && value.every(isMember)
}

function isTexts(value: unknown): value is Record<string, string> {
  return isObject(value) && Object.values(value).every(isText)
}

function isComputed(value: unknown): value is ComputedImport {
  return isObject(value) && typeof value['file'] === 'string' && typeof value['line'] === 'number'
}
