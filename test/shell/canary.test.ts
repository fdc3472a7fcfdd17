import { describe, expect, it } from 'vitest'
import { parseCommand } from '../../src/shell/parse/parse-command.js'
import { prove } from '../../src/shell/proof/prove.js'
import { writtenCases } from './canary-cases.js'
import { generateCases } from './generate-cases.js'
import { runAll, whyNoRoot } from '../attack/throwaway-root.mjs'
import { cleanContext } from './clean-context.js'

const reason = whyNoRoot()
if (reason) console.log(`skipped: commands in a throwaway root, for ${reason}`)

const SEED = 20_260
const GENERATED = 350

describe.skipIf(reason !== undefined)('in a real shell', () => {
  it('a command that was proven read-only neither writes nor runs the canary', { timeout: 120_000 }, () => {
    const commands = [...new Set([...writtenCases, ...generateCases(SEED, GENERATED)])]
    const sightings = runAll(commands)
    expect(sightings).toHaveLength(commands.length)

    const seen = commands.map((command, index) => ({
      command,
      isProven: prove(parseCommand(command), cleanContext).isReadOnly,
      ...sightings[index]!,
    }))
    const wrong = seen.filter((one) => one.isProven && (one.hasRun || one.hasChanged))
    expect(wrong.map((one) => one.command)).toEqual([])

    // Guards against an empty test: some cases must run, write and be proven.
    expect(seen.filter((one) => one.hasRun).length).toBeGreaterThan(150)
    expect(seen.filter((one) => one.hasChanged).length).toBeGreaterThan(100)
    expect(seen.filter((one) => one.isProven).length).toBeGreaterThan(180)
  })
})
