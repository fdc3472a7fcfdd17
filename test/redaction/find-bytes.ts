import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A secret in every form in which bytes may contain it; each of them by name. */
export function formsIn(secret: string): [string, Buffer][] {
  const plain = Buffer.from(secret)
  const forms: [string, Buffer][] = [
    ['plain', plain],
    ['as JSON', Buffer.from(JSON.stringify(secret).slice(1, -1))],
    ['in a URL', Buffer.from(encodeURIComponent(secret))],
    ['hex', Buffer.from(plain.toString('hex'))],
    ['HEX', Buffer.from(plain.toString('hex').toUpperCase())],
    ['UTF-16', Buffer.from(secret, 'utf16le')],
    ['UTF-16, big end first', Buffer.from(secret, 'utf16le').swap16()],
  ]
  for (const before of [0, 1, 2]) {
    // Whole groups of three bytes only: the text beside the secret does not change them.
    const skipped = (3 - before) % 3
    const middle = plain.subarray(skipped, plain.length - ((plain.length - skipped) % 3))
    const encoded = middle.toString('base64')
    forms.push([`base64, ${before} bytes in`, Buffer.from(encoded)])
    forms.push([
      `base64url, ${before} bytes in`,
      Buffer.from(encoded.replace(/\+/g, '-').replace(/\//g, '_')),
    ])
  }
  return forms
}

/** The positions of the secrets in the bytes, with a few words around each: a test expects none. */
export function findSecretBytes(bytes: Buffer, secrets: readonly string[], where: string): string[] {
  return secrets.flatMap((secret, index) =>
    formsIn(secret).flatMap(([form, needle]) => {
      const at = bytes.indexOf(needle)
      if (at === -1) return []
      const around = bytes.subarray(Math.max(0, at - 160), at).toString('latin1')
      return [`${where}: secret ${index + 1}, ${form}, after …${around}`]
    }),
  )
}

/** The same for all files of a folder, their names too. */
export function findInFolder(folder: string, secrets: readonly string[]): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name)
    const named = findSecretBytes(Buffer.from(path), secrets, `the name ${entry.name}`)
    return entry.isFile() ? [...named, ...findSecretBytes(readFileSync(path), secrets, path)] : named
  })
}
