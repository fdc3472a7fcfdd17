import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { whyNoSandbox } from '../../sources/builtins/shell/open-shell.js'
// @ts-expect-error: a list for a program without types.
import { ATTEMPTS } from './escape-attempts.mjs'

interface Tried {
  readonly name: string
  /** Whether it succeeded without the sandbox. */
  readonly free: boolean
  /** Whether it succeeded inside. */
  readonly boxed: boolean
  /** Placeholders that were not removed. */
  readonly left: readonly string[]
}

const REPOSITORY = new URL('../../..', import.meta.url).pathname
const isRoot = process.getuid?.() === 0

/** Runs a program in a throwaway host, as a user without rights. */
function inThrowawayHost(program: string, argument = '') {
  const namespaces = ['--mount', '--pid', '--net', '--ipc', '--uts', '--fork', '--kill-child']
  return spawnSync(
    'unshare',
    [
      ...namespaces,
      ...(isRoot ? [] : ['--user', '--map-root-user']),
      'sh',
      `${REPOSITORY}test/platform/sandbox/throwaway-host.sh`,
      REPOSITORY,
      process.execPath,
      program,
      argument,
    ],
    {
      encoding: 'utf8',
      env: { ...process.env, ...(isRoot && { AS_USER: '65534' }) },
      timeout: 280_000,
      maxBuffer: 1e8,
    },
  )
}

function whyNot(): string | undefined {
  const why = whyNoSandbox()
  if (why) return why
  const tried = inThrowawayHost('test/platform/sandbox/try-host.mjs')
  if (tried.error) return 'unshare is not installed'
  return tried.stdout.includes('ready')
    ? undefined
    : `no throwaway host can be made here (${tried.stderr.trim().slice(-200)})`
}

const why = whyNot()
if (why) console.log(`skipped: ${why}`)

describe.skipIf(why !== undefined)('a sandbox', () => {
  it('holds against every attempt, each of which succeeds without it', () => {
    const { stdout, stderr } = inThrowawayHost('test/platform/sandbox/escapes.mjs')
    const text = /^RESULTS (.*)$/m.exec(stdout)?.[1]
    expect(text, stderr.slice(-2000)).toBeDefined()
    const tried = JSON.parse(text!) as Tried[]
    expect(tried.length).toBe((ATTEMPTS as unknown[]).length)
    expect(tried.length).toBeGreaterThanOrEqual(60)
    expect(tried.filter(({ free }) => !free).map(({ name }) => name)).toEqual([])
    expect(tried.filter(({ boxed }) => boxed).map(({ name }) => name)).toEqual([])
    expect(tried.flatMap(({ left }) => left)).toEqual([])
  }, 300_000)
})
