import { canonicalJson } from '../platform/json/canonical-json.js'
import { sha256 } from '../platform/json/sha256.js'
import { ComputedData } from './computed-data.js'

/** What an event of a decision says about the judged input. */
export interface JudgedData {
  version: number
  input_digest: string
  /** Absent where the digest is of exactly the judged input. */
  input_digest_of?: 'masked_input'
}

/**
 * One version of an input as in records. The digest is of that form: the digest of a short secret could be found by
 * trying, so where something was masked the digest is of the masked form, and says so.
 */
export class JudgedInput {
  // Plain fields, and the digest not cached: one of these is made in every call and most are never read.
  readonly version: number
  readonly recorded: unknown
  readonly isMasked: boolean

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

/** A decision and the input that was judged. The digest is computed when the event is read or written. */
export class DecisionData extends ComputedData {
  /** Many events may share it. */
  readonly base: object
  readonly judged: JudgedInput

  constructor(base: object, judged: JudgedInput) {
    super()
    this.base = base
    this.judged = judged
  }

  /** Whether it is about the model's input as given, without a mask: then version and digest follow from that input. */
  isAboutFirst(input: unknown): boolean {
    const { recorded, version, isMasked } = this.judged
    return input !== undefined && recorded === input && version === 0 && !isMasked
  }

  whole(): object {
    return { ...this.base, ...this.judged.toData() }
  }
}
