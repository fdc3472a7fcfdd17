import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { configHome } from '../config/config-home.js'
import { replaceFile } from '../files/replace-file.js'
import { isObject } from './cached-file-system.js'
import type { ComputedImport, FollowedFiles } from './follow-files.js'
import { hashOf, verifySnapshot, type Snapshot, type Stamp } from './snapshot.js'
import { trustedPaths } from './trust-list.js'

/** What was found by following the files of a config, and all of the file system that it rests on. */
export interface Reading extends FollowedFiles {
  readonly snapshot: Snapshot
}

/** Where a reading belongs. */
export interface ReadingPlace {
  readonly configPath: string
  /** The hash of everything that a reading depends on beside the file system. */
  readonly key: string
  readonly env: NodeJS.ProcessEnv
}

/** A program that is a config has two readings: before it has run, and with the value that it then has. */
const MOST_OF_CONFIG = 3
const MOST_IN_MEMORY = 8

const inMemory = new Map<string, Reading>()
/** Those that stand on the disk as they are. */
const written = new WeakSet<Reading>()

/** An earlier reading, where nothing that it rests on has changed since. */
export function recallReading(place: ReadingPlace): Reading | undefined {
  return verified(inMemory.get(place.key), place) ?? verified(readStored(place)[place.key], place)
}

function verified(reading: Reading | undefined, place: ReadingPlace): Reading | undefined {
  const snapshot = reading && verifySnapshot(reading.snapshot)
  if (!snapshot) return undefined
  if (snapshot === reading.snapshot) return rememberReading(reading, place)
  return rememberReading({ ...reading, snapshot }, place)
}

/** For as long as the process runs. */
export function rememberReading(reading: Reading, { key }: ReadingPlace): Reading {
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

/** For later processes, beside the list of what is trusted: whoever can write there could write that list. */
export function storeReading(reading: Reading, place: ReadingPlace): void {
  if (written.has(reading) || reading.files.size === 0) return
  written.add(reading)
  const { [place.key]: _, ...others } = readStored(place)
  const kept = Object.entries(others).slice(0, MOST_OF_CONFIG - 1)
  const all = [[place.key, reading] as const, ...kept].map(([key, each]) => [key, toStored(each)])
  try {
    replaceFile(fileOf(place), JSON.stringify(Object.fromEntries(all)))
    removeUntrusted(place)
  } catch {
    // Without it the next start takes longer, and that is all.
  }
}

function removeUntrusted(place: ReadingPlace): void {
  const folder = dirname(fileOf(place))
  const trusted = new Set(trustedPaths(place.env).map((configPath) => fileOf({ ...place, configPath })))
  for (const name of readdirSync(folder))
    if (name.endsWith('.json') && !trusted.has(join(folder, name))) rmSync(join(folder, name))
}

function fileOf({ configPath, env }: Pick<ReadingPlace, 'configPath' | 'env'>): string {
  return join(configHome(env), 'trust-readings', `${hashOf(configPath).slice('sha256:'.length)}.json`)
}

/** One that cannot be read counts as none. */
function readStored(place: ReadingPlace): Readonly<Record<string, Reading>> {
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
    // A text that is no stamp is that of no path.
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
