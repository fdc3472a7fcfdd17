import type { NewArtifact } from '../../catalog/new-artifact.js'
import type { DrainedStream } from '../../results/payloads/drain-stream.js'
import type { WrittenPayload } from '../../results/payloads/payloads.js'
import type { ToolOutput } from '../../catalog/tool-output.js'
import type { OutputText } from '../../results/payload-of.js'

/** An artifact whose bytes are durable. A sweep removes them unless a record refers to them. */
export interface DrainedArtifact {
  /** Redacted. */
  about: Omit<NewArtifact, 'content'>
  stream: DrainedStream
  isRedacted: boolean
  written: WrittenPayload | undefined
  /** Why its bytes were not stored. */
  problem: string | undefined
  /** Why it cannot become the version that the tool names. */
  refusal: string | undefined
}

/** An output whose streams and artifacts were read to the end, with the tool's other output. */
export class DrainedOutput {
  constructor(
    readonly stream: DrainedStream | undefined,
    readonly returned: ToolOutput | undefined,
    readonly artifacts: readonly DrainedArtifact[] | undefined,
    /** The output before redaction, if named actors may read it. */
    readonly original: OutputText | undefined,
  ) {}
}
