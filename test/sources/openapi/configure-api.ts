import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, vi } from 'vitest'
import { runHere } from '../../edges/cli/run-here.js'
import type { Ran } from '../../edges/cli/run-cli.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { trustConfig } from '../../trust-config.js'

let folder: string

beforeEach(() => {
  folder = temporaryFolder()
  vi.stubEnv('XDG_CONFIG_HOME', join(folder, 'settings'))
  vi.stubEnv('TOOLCRIB_HOME', join(folder, 'home'))
  mkdirSync(join(folder, 'project'))
})

afterEach(() => {
  vi.unstubAllEnvs()
})

/** The path of a file beside the config. */
export const at = (name: string): string => join(folder, 'project', name)

/** The folder that has everything of a test. */
export const everything = (): string => folder

/** Writes a config with these APIs, and trusts it. */
export function configure(apis: object, more: object = {}): void {
  writeFileSync(at('toolcrib.json'), JSON.stringify({ openapi: apis, ...more }))
  trustConfig(at('toolcrib.json'))
}

/** Runs a command line in this process, with the config and a record of the test. */
export const run = (words: string, options: { isTerminal?: boolean } = {}): Promise<Ran> =>
  runHere([...words.split(' '), '--config', at('toolcrib.json'), '--store', at('crib.db')], options)
