import { canonicalJson } from '../../platform/json/canonical-json.js'
import { sha256 } from '../../platform/json/sha256.js'
import type { AddedData } from '../lazy-data.js'

/** What an event of a decision says of the input that was judged. */
export interface JudgedData {
  version: number
  input_digest: string
  /** Absent where the digest is of the very input that was judged. */
  input_digest_of?: 'masked_input'
}

/**
 * One version of an input as records have it. The digest is of that form: the digest of a short secret could be
 * found by trying, so where something was masked the digest is of the masks, and says so.
 */
export class JudgedInput implements AddedData {
  // Plain fields, and the digest not kept: one of these is made in every call and most are never read.
  private readonly version: number
  private readonly recorded: unknown
  private readonly isMasked: boolean

  constructor(version: number, recorded: unknown, isMasked: boolean) {
    this.version = version
    this.recorded = recorded
    this.isMasked = isMasked
  }

  toData(): { judged: JudgedData } {
    const judged: JudgedData = { version: this.version, input_digest: digestOf(this.recorded) }
    if (this.isMasked) judged.input_digest_of = 'masked_input'
    return { judged }
  }
}

function digestOf(input: unknown): string {
  return `sha256:${sha256(canonicalJson(input))}`
}
