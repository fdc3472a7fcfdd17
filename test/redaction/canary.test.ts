import { spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { findSecrets } from '../../src/redaction/find-secrets.js'
import { bin, collect, untilPrinted, type Ran } from '../edges/cli/run-cli.js'
import { openTemporaryFolder } from '../temporary-folder.js'
import { trustConfig } from '../trust-config.js'
import { findInFolder, findSecretBytes } from './find-bytes.js'

const script = fileURLToPath(new URL('./children/canary-crib.mjs', import.meta.url))
const toolModule = fileURLToPath(new URL('./children/canary-tools.mjs', import.meta.url))

/** Words that are a secret only because a config declares them. */
function plainWords(): string {
  const syllable = (): string => 'bdfgklmnprst'[randomInt(12)]! + 'aeiou'[randomInt(5)]!
  const word = (): string => Array.from({ length: 3 }, syllable).join('')
  return [word(), word(), word()].join('-')
}

/** A token of a well-known form that is not declared. */
const token = (): string =>
  `AKIA7${Array.from({ length: 15 }, () => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[randomInt(32)]).join('')}`

const running = new Set<ChildProcess>()
afterEach(async () => {
  for (const child of running) {
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('close', resolve))
  }
})

interface Canary {
  secrets: [string, string]
  folder: string
  start(args: readonly string[]): ChildProcess
  run(args: readonly string[]): Promise<Ran>
  child(mode: string, more?: object): readonly string[]
  end(): void
}

function release({ isLive }: { isLive: boolean }): Canary {
  const place = openTemporaryFolder()
  const [home, temp] = [place.file('home'), place.file('temp')]
  for (const folder of [home, temp]) mkdirSync(folder)
  writeFileSync(
    place.file('toolcrib.yaml'),
    `tools: ['${toolModule}']\nredaction: { environment: ${isLive} }\n`,
  )
  const secrets: [string, string] = [plainWords(), token()]
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    TMPDIR: temp,
    TOOLCRIB_HOME: home,
    XDG_CONFIG_HOME: place.file('settings'),
    TOOLCRIB_POLICY: place.file('no-policy.yaml'),
    CANARY_TOKEN: secrets[0],
    CANARY_LOOKALIKE: secrets[1],
    CANARY_LIVE: isLive ? 'yes' : 'no',
  }
  trustConfig(place.file('toolcrib.yaml'), env)
  const start: Canary['start'] = (args) => {
    const child = spawn(process.execPath, args, { cwd: place.path, env })
    running.add(child)
    child.once('close', () => running.delete(child))
    return child
  }
  return {
    secrets,
    folder: place.path,
    start,
    run: (args) => collect(start(args)),
    child: (mode, more) => [script, JSON.stringify({ path: join(home, 'crib.db'), mode, ...more })],
    end: place.remove,
  }
}

const COMMANDS = [
  ['log', '--limit', '500', '--json'],
  ['log'],
  ['log', '--events', '--limit', '5000', '--json'],
  ['approvals', '--all', '--json'],
  ['tasks', '--json'],
  ['limits', '--json'],
  ['locks', '--json'],
  ['show', 'last', '--json'],
  ['show', 'last'],
  ['tools', '--json'],
  ['tools'],
  ['tools', 'show', 'leak.text'],
  ['tools', 'show', 'leak.text', '--json'],
]

describe.each([{ isLive: true }, { isLive: false }])(
  'a canary ($isLive: known to the process)',
  ({ isLive }) => {
    it('is of two kinds: one that only a list finds, and one that looks like a token', () => {
      expect(findSecrets(plainWords()) ?? []).toEqual([])
      expect(findSecrets(token())).toHaveLength(1)
    })

    it('appears nowhere: not in the store, blobs, temporary files, events, results, or printed output', async () => {
      const canary = release({ isLive })
      const { secrets, run, start, child } = canary
      const found: string[] = []
      const look = (where: string, { stdout, stderr }: Pick<Ran, 'stdout' | 'stderr'>): void => {
        found.push(...findSecretBytes(Buffer.from(stdout), secrets, `${where}, stdout`))
        found.push(...findSecretBytes(Buffer.from(stderr), secrets, `${where}, stderr`))
      }
      const lookAtFiles = (when: string): void => {
        found.push(...findInFolder(canary.folder, secrets).map((each) => `${when}: ${each}`))
      }
      try {
        for (const mode of ['work', 'hooks', 'judges']) {
          const ran = await run(child(mode))
          expect({ mode, code: ran.code, stderr: ran.stderr }).toEqual({ mode, code: 0, stderr: '' })
          look(mode, ran)
          lookAtFiles(mode)
        }
        for (const [mode, sign] of [
          ['wait', /"waiting":"(\w+)"/],
          ['crash', /"running":"(\w+)"/],
        ] as const) {
          const process = start(child(mode))
          const ending = collect(process)
          const id = sign.exec(await untilPrinted(process, sign))![1]!
          lookAtFiles(`${mode}, alive`)
          process.kill('SIGKILL')
          look(mode, await ending)
          const next = await run(mode === 'wait' ? child('resume', { approval: id }) : child('recover'))
          expect({ mode, code: next.code, stderr: next.stderr }).toEqual({ mode, code: 0, stderr: '' })
          look(`after ${mode}`, next)
          lookAtFiles(`after ${mode}`)
          if (mode === 'wait') {
            expect(next.stdout).toContain('toolcrib.mask_in_input')
            expect(next.stdout).toContain('"goesOn":"here"')
            expect(next.stdout).toContain('"status":"succeeded"')
          }
        }
        for (const command of COMMANDS) {
          const ran = await run([bin, ...command])
          expect({ command, code: ran.code }).toEqual({ command, code: 0 })
          look(command.join(' '), ran)
        }
        const { stdout } = await run([bin, 'log', '--limit', '500', '--json'])
        const ids = [...stdout.matchAll(/"invocation_id":\s*"(inv_\w+)"/g)].map(([, id]) => id!)
        expect(ids.length).toBeGreaterThan(30)
        for (const id of ids.slice(0, 6)) look(`read ${id}`, await run([bin, 'read', id]))
        lookAtFiles('at the end')
        expect(found).toEqual([])
      } finally {
        canary.end()
      }
    }, 180_000)
  },
)
