import { describe } from 'vitest'
import { browserFinder } from '../../../../src/sources/builtins/browser/find-browser.js'

const found = browserFinder({ executable: undefined, folder: process.cwd(), env: process.env })()

/** Tests in a real Chromium. Without one they are skipped, and the reason is printed. */
export function withChromium(title: string, tests: () => void): void {
  if ('missing' in found) {
    process.stderr.write(`${title}: skipped. ${found.missing}\n`)
    describe.skipIf(true)(title, tests)
  } else describe(title, tests)
}
