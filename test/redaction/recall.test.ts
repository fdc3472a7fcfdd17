import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { findSecrets } from '../../src/redaction/find-secrets.js'
import {
  measureRecall,
  publishedFormats,
  secretlintFixtures,
  secretlintPatterns,
} from './secret-fixtures.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const MIN_RECALL = 0.9
const MAX_MASKS_PER_100_KB = 1

describe('secrets that are found', () => {
  it('finds at least nine in ten of the published formats, from the first to the last character', () => {
    const { covered, total, missed } = measureRecall(publishedFormats(3), findSecrets)
    expect(total).toBeGreaterThan(700)
    expect(covered / total, missed.map(({ name }) => name).join('\n')).toBeGreaterThan(MIN_RECALL)
  })

  it('finds at least nine in ten of the texts that the rules of secretlint match', async () => {
    const { covered, total, missed } = measureRecall(await secretlintFixtures(3), findSecrets)
    expect(total).toBeGreaterThan(500)
    expect(covered / total, missed.map(({ name, text }) => `${name} ${text}`).join('\n')).toBeGreaterThan(
      MIN_RECALL,
    )
  })

  it('finds something of every pattern of secretlint, also of new ones', async () => {
    const names = new Set((await secretlintPatterns()).map(({ rule }) => rule))
    expect(names.size).toBeGreaterThan(20)
    const fixtures = await secretlintFixtures(9)
    for (const name of names) {
      const own = fixtures.filter((fixture) => fixture.name === name)
      expect(measureRecall(own, findSecrets).covered, name).toBeGreaterThan(0)
    }
  })
})

describe('texts that are not secrets', () => {
  const folders = [
    'src',
    'docs',
    'schemas',
    'examples',
    'node_modules/zod/v4',
    'node_modules/ajv',
    'node_modules/yaml',
    'node_modules/commander',
    'node_modules/@types/node',
    'package-lock.json',
  ]

  it('is masked less than once in 100 KB of source code and documents', () => {
    const masks: string[] = []
    let length = 0
    for (const file of folders.flatMap((folder) => filesOf(join(root, folder)))) {
      const text = readFileSync(file, 'utf8')
      length += text.length
      for (const { start, end, rule } of findSecrets(text) ?? [])
        masks.push(`${file.slice(root.length)} ${rule} ${text.slice(Math.max(0, start - 30), end)}`)
    }
    expect(length).toBeGreaterThan(4_000_000)
    expect((masks.length / length) * 100_000, masks.join('\n')).toBeLessThan(MAX_MASKS_PER_100_KB)
  })

  const harmless: readonly string[] = [
    'id: 3f2504e0-4f89-11d3-9a0c-0305e82c3301',
    'commit 9fceb02d0ae598e95dc970b74767f19372d61af8',
    '"integrity": "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="',
    'api_key = "<your-api-key>"',
    'token: ${GITHUB_TOKEN}',
    'token: ${{ secrets.NPM_TOKEN }}',
    'const token = process.env.API_TOKEN',
    'password = os.environ["DB_PASSWORD"]',
    'password: string',
    'password: "Password"',
    'apiKey: xxxxxxxxxxxxxxxxxxxx',
    'secret = getSecret()',
    'passwordField.label = "auth.password.label"',
    'curl -u "$USER:$PASSWORD" https://example.org',
    'https://user:password@example.org/path',
    'https://example.org/a/b?page=2&sort=name',
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    'primary_key = "a1b2c3d4e5f6a7b8c9d0"',
    'color: #a1b2c3; background: #00ff00',
    'max_tokens: 4096',
    'Authorization: Bearer <token>',
    "if (text.startsWith('-----BEGIN PRIVATE KEY-----')) return",
  ]
  it.each(harmless)('%s', (text) => {
    expect(findSecrets(text)).toBeUndefined()
  })
})

function filesOf(path: string): string[] {
  if (path.endsWith('package-lock.json')) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:[cm]?[jt]s|md|json|yaml)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
}
