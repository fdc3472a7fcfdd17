import type { FoundSecret } from '../../src/redaction/secret-span.js'

export interface Fixture {
  name: string
  text: string
  start: number
  end: number
}

export interface Dice {
  next(): number
  draw(letters: string, count: number): string
}

export function createDice(seed: number): Dice
export const tokenFormats: Record<string, (dice: Dice) => string>
export const valueFormats: Record<string, (dice: Dice) => string>
export const writings: Record<string, string>
export function publishedFormats(seed: number): Fixture[]
/** A text that the pattern matches. */
export function drawMatch(source: string, dice: Dice): string
export function secretlintPatterns(): Promise<{ rule: string; pattern: RegExp }[]>
export function secretlintFixtures(seed: number, perPattern?: number): Promise<Fixture[]>
export function measureRecall(
  fixtures: readonly Fixture[],
  findSecrets: (text: string) => readonly FoundSecret[] | undefined,
): { covered: number; total: number; missed: Fixture[] }
