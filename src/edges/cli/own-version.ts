import { readFileSync } from 'node:fs'

export function ownVersion(): string {
  // The same number of floors from src/ and from dist/.
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
