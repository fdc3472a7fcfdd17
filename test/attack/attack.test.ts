import { describe, expect, it } from 'vitest'

interface Attack {
  readonly name: string
  whyNot?(): string | undefined
  round(options: {
    seed: number
    size: number
  }): Promise<{ attempts: number; proven?: number; broken: unknown[] }>
}

/** A small round of each class of `npm run attack`; the sizes limit them to a few seconds. */
const classes = [
  { file: 'proofs', size: 150 },
  { file: 'narrow-allows', size: 100 },
  { file: 'flags', size: 25 },
  { file: 'git-folders', size: 20 },
  { file: 'file-rules', size: 25 },
]

for (const { file, size } of classes) {
  const attack = (await import(`./${file}.mjs`)) as Attack
  const reason = attack.whyNot?.()
  if (reason !== undefined) console.log(`skipped: the attack on ${attack.name}, for ${reason}`)
  describe.skipIf(reason !== undefined)(`attacks: ${attack.name}`, () => {
    it('break nothing', { timeout: 120_000 }, async () => {
      const found = await attack.round({ seed: 20_260, size })
      expect(found.broken).toEqual([])
      expect(found.attempts).toBeGreaterThan(size / 2)
      // If nothing were ever proven or allowed, the check above would be empty.
      if (found.proven !== undefined) expect(found.proven).toBeGreaterThan(0)
    })
  })
}
