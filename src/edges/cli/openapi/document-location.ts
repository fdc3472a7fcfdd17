import { statSync } from 'node:fs'
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { usageProblem } from '../program/usage-problem.js'

/** Where a document is. */
export interface DocumentLocation {
  /** An absolute path, or an address. */
  readonly at: string
  readonly isFile: boolean
}

/** A document as it was given: a file, or an http(s) address. A missing file ends the command. */
export function documentLocation(given: string): DocumentLocation {
  if (/^https?:\/\//i.test(given)) {
    if (!URL.canParse(given)) throw usageProblem(`"${given}" is no address.`)
    const { username, password } = new URL(given)
    if (username !== '' || password !== '')
      throw usageProblem(
        'The address has a user name or password in it, which would be written into the config; leave it out, or save the document as a file.',
      )
    return { at: given, isFile: false }
  }
  const at = resolve(given)
  const found = statSync(at, { throwIfNoEntry: false })
  if (found?.isFile()) return { at, isFile: true }
  if (found) throw usageProblem(`"${given}" is a folder; give the file of the document in it.`)
  throw usageProblem(
    `There is no file "${given}"; give the path of an OpenAPI document, or its address, which begins with http:// or https://.`,
  )
}

/** The document as an entry names it: relative to a config in whose folder it is, so that the folder can be moved. */
export function documentInConfig({ at, isFile }: DocumentLocation, configPath: string): string {
  if (!isFile) return at
  const path = relative(dirname(configPath), at)
  return path.startsWith('..') || isAbsolute(path) ? at : `./${path.replaceAll(sep, '/')}`
}

/** The document for people; a query may have a key in it. */
export function shownDocument({ at, isFile }: DocumentLocation): string {
  if (isFile) return at
  const { origin, pathname, search } = new URL(at)
  return `${origin}${pathname}${search === '' ? '' : '?…'}`
}

/** Words that say nothing about an API. */
const GENERIC =
  /^(?:apis?|openapi|swagger|rest|specs?|specification|schema|definitions?|index|main|root|docs?|document|latest|stable|public|www|developers?|com|org|net|io|dev|ya?ml|json|v?\d+)$/

/** A name for the entry: from the name of the file, else from its folder or its host. Undefined where these say nothing. */
export function entryNameFor({ at, isFile }: DocumentLocation): string | undefined {
  const { path, places } = isFile
    ? { path: at, places: [basename(dirname(at))] }
    : { path: new URL(at).pathname.replaceAll(/%[\da-f]{2}/gi, ' '), places: [hostName(at)] }
  return [basename(path), ...places].map(significant).find((name) => name !== '')
}

/** The same from the title of the document. */
export function entryNameOfTitle(title: string | undefined): string {
  return significant(title ?? '') || 'api'
}

function hostName(address: string): string {
  const { hostname } = new URL(address)
  return /^[\d.]+$|:/.test(hostname) ? '' : hostname
}

/** The words between generic ones at both ends: `api.github.com.json` is github. */
function significant(name: string): string {
  const words = name
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')
  while (words.length > 0 && GENERIC.test(words[0]!)) words.shift()
  while (words.length > 0 && GENERIC.test(words.at(-1)!)) words.pop()
  return words.join('-').slice(0, 40).replace(/-+$/, '')
}
