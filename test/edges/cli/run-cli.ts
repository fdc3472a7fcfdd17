import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, onTestFinished } from 'vitest'
import { schemas, type CoreObject } from '../../../src/contract/schemas.js'
import { openTemporaryFolder } from '../../temporary-folder.js'
import { trustConfig } from '../../trust-config.js'
import { toEmitSchema } from '../../../src/contract/to-emit-schema.js'

export const root = fileURLToPath(new URL('../../../', import.meta.url))
export const bin = join(root, 'bin/toolcrib.js')
export const workshop = join(root, 'examples/workshop/tools.mjs')
export const fixtures = join(root, 'test/edges/cli/fixture-tools.mjs')

export interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

/** A folder with a config, a home folder for the record, and the real command line. */
export interface Place {
  folder: string
  storeFile: string
  /** Variables that keep the machine's own settings out. */
  env: Readonly<Record<string, string>>
  run(args: readonly string[], options?: { input?: string; env?: Record<string, string> }): Promise<Ran>
  start(args: readonly string[]): ChildProcess
  write(name: string, text: string): string
  /** Trusts a config of the folder as it is now, as a person does at a terminal. */
  trust(name?: string): void
}

/** Every write trusts the config by default: its modules are imported, and its rules count. */
export function createPlace(
  config: string | undefined = `tools: ['${workshop}', '${fixtures}']`,
  { isTrusted = true }: { isTrusted?: boolean } = {},
): Place {
  const { path: folder, remove } = openTemporaryFolder()
  onTestFinished(remove)
  const home = join(folder, 'home')
  // The machine's own settings are neither read nor changed.
  const own = {
    TOOLCRIB_HOME: home,
    XDG_CONFIG_HOME: join(folder, 'settings'),
    TOOLCRIB_POLICY: join(folder, 'no-policy.yaml'),
  }
  const trust: Place['trust'] = (name = 'toolcrib.yaml') => trustConfig(join(folder, name), own)
  const { FORCE_COLOR: _, NO_COLOR: __, ...clean } = process.env
  const start: Place['start'] = (args) =>
    spawn(process.execPath, [bin, ...args], { cwd: folder, env: { ...clean, ...own } })
  const file = join(folder, 'toolcrib.yaml')
  const write: Place['write'] = (name, text) => {
    writeFileSync(join(folder, name), text)
    // The test trusts what it writes.
    if (isTrusted && existsSync(file)) trust()
    return join(folder, name)
  }
  if (config !== '') write('toolcrib.yaml', config)
  return {
    folder,
    storeFile: join(home, 'crib.db'),
    env: own,
    write,
    trust,
    start,
    run: (args, { input = '', env = {} } = {}) => {
      const child = spawn(process.execPath, [bin, ...args], {
        cwd: folder,
        env: { ...clean, ...own, ...env },
      })
      // A command that reads no input may have ended by then.
      child.stdin.on('error', () => {}).end(input)
      return collect(child)
    },
  }
}

export function collect(child: ChildProcess): Promise<Ran> {
  let [stdout, stderr] = ['', '']
  child.stdout!.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })))
}

/** Waits until a running command has printed something. */
export function untilPrinted(child: ChildProcess, pattern: RegExp): Promise<string> {
  let text = ''
  return new Promise((resolve, reject) => {
    const take = (chunk: Buffer | string): void => {
      text += String(chunk)
      if (pattern.test(text)) resolve(text)
    }
    child.stdout!.on('data', take)
    child.stderr!.on('data', take)
    child.once('close', () => reject(new Error(`it ended before it printed ${pattern}: ${text}`)))
  })
}

const ajv = new Ajv2020({ strict: false, allErrors: true })

/** Checks a record against the emitted schema. */
export function expectRecord(object: CoreObject, record: unknown): void {
  const validate = ajv.getSchema(schemas[object].$id) ?? ajv.compile(toEmitSchema(schemas[object]))
  validate(record)
  expect(validate.errors ?? [], object).toEqual([])
}
