export interface Plant {
  name: string
  base?: 'plain' | 'embedded' | 'absorbed'
  config?: string
  remote?: string
  files?: Record<string, string>
  runnable?: string[]
  missing?: string[]
  command: string
  trigger?: string
}

export const CANARY: string
export const plants: readonly Plant[]
export function makeRepositories(folder: string): Record<'plain' | 'embedded' | 'absorbed', string>
export function plantRepository(from: string, to: string, plant: Partial<Plant>): void
export function whyNoRoot(): string | undefined
export function runInRepositories(
  repositories: string,
  cases: readonly { repository: string; command: string }[],
): { hasRun: boolean; hasChanged: boolean }[]
