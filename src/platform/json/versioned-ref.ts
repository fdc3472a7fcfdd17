import { canonicalJson } from './canonical-json.js'
import { sha256 } from './sha256.js'

/** 128 bits: two contents with one digest cannot be found, and a record stays readable. */
const DIGEST_CHARS = 32

/** A ref to one version of a named thing: it identifies this content, whatever the name refers to later. */
export function versionedRef(name: string, content: unknown): string {
  return `${name}@${sha256(canonicalJson(content)).slice(0, DIGEST_CHARS)}`
}

/** The same for content that has a digest already, such as `sha256:…`. */
export function refWithDigest(name: string, digest: string): string {
  return `${name}@${digest.slice(digest.indexOf(':') + 1).slice(0, DIGEST_CHARS)}`
}

const VERSIONED = new RegExp(`^([\\s\\S]+)@[0-9a-f]{${DIGEST_CHARS}}$`)

/** The name in a ref; the whole ref where it names no version. */
export function nameOfRef(ref: string): string {
  return VERSIONED.exec(ref)?.[1] ?? ref
}
