import { createRequire } from 'node:module'
import { resolve as resolvePath } from 'node:path'
import { findProgram, isProgram } from '../../../platform/files/find-program.js'
import { installCommand } from '../../../platform/files/install-command.js'

export interface BrowserSearch {
  /** The path in the settings. */
  readonly executable: string | undefined
  /** The base of a relative path. */
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
}

/** The browser of this machine, or one sentence that says what to install. */
export type FoundBrowser = { readonly executable: string } | { readonly missing: string }

const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
]
const APPS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
/** Looked up again after a while: a person may install it meanwhile. All tools of the set ask at once. */
const LOOK_AGAIN_MS = 1000

/** Finds Chromium and the library that drives it, whenever it is asked. */
export function browserFinder(search: BrowserSearch): () => FoundBrowser {
  let found: FoundBrowser | undefined
  let foundAt = 0
  return () => {
    const isOld = performance.now() - foundAt > LOOK_AGAIN_MS
    if (!found || ('missing' in found && isOld)) {
      found = findBrowser(search)
      foundAt = performance.now()
    }
    return found
  }
}

function findBrowser({ executable, folder, env }: BrowserSearch): FoundBrowser {
  if (!hasLibrary())
    return { missing: `The browser tools need playwright-core: run ${installCommand(['playwright-core'])}.` }
  if (executable !== undefined) {
    const path = resolvePath(folder, executable)
    return isProgram(path) ? { executable: path } : { missing: `There is no browser at ${path}.` }
  }
  const path = findProgram(NAMES, env) ?? APPS.find(isProgram)
  return path === undefined
    ? {
        missing:
          'The browser tools need Chromium or Chrome: install it (on Debian: apt install chromium), or write its path as "executable" under builtins.browser.',
      }
    : { executable: path }
}

function hasLibrary(): boolean {
  try {
    createRequire(import.meta.url).resolve('playwright-core')
    return true
  } catch {
    return false
  }
}
