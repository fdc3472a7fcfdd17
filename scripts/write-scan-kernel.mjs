// Compiles scan-kernel.wat into the bytes that scan-kernel.ts contains. With --check: only reports whether they are the
// same.
import { readFileSync, writeFileSync } from 'node:fs'
import wabt from 'wabt'

const folder = new URL('../src/redaction/find/', import.meta.url)
const source = readFileSync(new URL('scan-kernel.wat', folder), 'utf8')
const { parseWat } = await wabt()
const { buffer } = parseWat('scan-kernel.wat', source, { simd: true }).toBinary({})
const words = Buffer.from(buffer)
  .toString('base64')
  .match(/.{1,100}/g)
const text = `/** Written by scripts/write-scan-kernel.mjs from scan-kernel.wat, which says what it does. */
export const scanKernel = [
${words.map((word) => `  '${word}',`).join('\n')}
].join('')
`

const target = new URL('scan-kernel.ts', folder)
if (!process.argv.includes('--check')) writeFileSync(target, text)
else if (readFileSync(target, 'utf8') !== text) {
  console.error('scan-kernel.ts is not what scan-kernel.wat says; run npm run generated.')
  process.exitCode = 1
}
